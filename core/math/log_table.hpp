// SPDX-License-Identifier: BSD-2-Clause-Patent
// Written by tools/research/libm_tables.py.
#pragma once

#include <cstdint>

namespace isovmaf::math {

/// 1/c of a number c in the middle of an interval, and the logarithm of c.
struct Reciprocal {
    double inverse, log;
};

/// Natural logarithms, of 128 intervals from 0x1.6p-1 on.
inline constexpr Reciprocal log_table[128] = {
    {0x1.734f0c3e0de9fp+0, -0x1.7cc7f79e69p-2},  {0x1.713786a2ce91fp+0, -0x1.76feec20dp-2},
    {0x1.6f26008fab5ap+0, -0x1.713e31351ep-2},   {0x1.6d1a61f138c7dp+0, -0x1.6b85b382878p-2},
    {0x1.6b1490bc5b4d1p+0, -0x1.65d55908078p-2}, {0x1.69147332f0cbap+0, -0x1.602d07618p-2},
    {0x1.6719f18224223p+0, -0x1.5a8ca86909p-2},  {0x1.6524f99a51ed9p+0, -0x1.54f4356035p-2},
    {0x1.63356aa8f24c4p+0, -0x1.4f637c36b4p-2},  {0x1.614b36b9ddc14p+0, -0x1.49da7fda85p-2},
    {0x1.5f66452c65c4cp+0, -0x1.445923989a8p-2}, {0x1.5d867b5912c4fp+0, -0x1.3edf439b0b8p-2},
    {0x1.5babccb5b90dep+0, -0x1.396ce448f7p-2},  {0x1.59d61f2d91a78p+0, -0x1.3401e17bdap-2},
    {0x1.5805612465687p+0, -0x1.2e9e2ef468p-2},  {0x1.56397cee76bd3p+0, -0x1.2941b3830ep-2},
    {0x1.54725e2a77f93p+0, -0x1.23ec58cda88p-2}, {0x1.52aff42064583p+0, -0x1.1e9e129279p-2},
    {0x1.50f22dbb2bddfp+0, -0x1.1956d2b48f8p-2}, {0x1.4f38f4734ded7p+0, -0x1.141679ab9f8p-2},
    {0x1.4d843cfde284p+0, -0x1.0edd094ef98p-2},  {0x1.4bd3ec078a3c8p+0, -0x1.09aa518db1p-2},
    {0x1.4a27fc3e0258ap+0, -0x1.047e65263b8p-2}, {0x1.4880524d48434p+0, -0x1.feb224586fp-3},
    {0x1.46dce1b192d0bp+0, -0x1.f474a7517bp-3},  {0x1.453d9d3391854p+0, -0x1.ea4443d103p-3},
    {0x1.43a2744b4845ap+0, -0x1.e020d44e9bp-3},  {0x1.420b54115f8fbp+0, -0x1.d60a22977fp-3},
    {0x1.40782da3ef4b1p+0, -0x1.cc00104959p-3},  {0x1.3ee8f5d57fe8fp+0, -0x1.c202956891p-3},
    {0x1.3d5d9a00b4ce9p+0, -0x1.b81178d811p-3},  {0x1.3bd60c010c12bp+0, -0x1.ae2c9ccd3dp-3},
    {0x1.3a5242b75dab8p+0, -0x1.a45402e129p-3},  {0x1.38d22cd9fd002p+0, -0x1.9a877681dfp-3},
    {0x1.3755bc5847a1cp+0, -0x1.90c6d69483p-3},  {0x1.35dce49ad36e2p+0, -0x1.87120a645cp-3},
    {0x1.34679984dd44p+0, -0x1.7d68fb4143p-3},   {0x1.32f5cceffcb24p+0, -0x1.73cb83c627p-3},
    {0x1.3187775a10d49p+0, -0x1.6a39a9b376p-3},  {0x1.301c8373e399p+0, -0x1.60b3154b7ap-3},
    {0x1.2eb4ebb95f841p+0, -0x1.5737d76243p-3},  {0x1.2d50a0219a9d1p+0, -0x1.4dc7b8fc23p-3},
    {0x1.2bef9a8b7fd2ap+0, -0x1.4462c51d2p-3},   {0x1.2a91c7a0c1babp+0, -0x1.3b08abc83p-3},
    {0x1.293726014b53p+0, -0x1.31b996b49p-3},    {0x1.27dfa5757a1f5p+0, -0x1.2875490a44p-3},
    {0x1.268b39b1d3bbfp+0, -0x1.1f3b9f879ap-3},  {0x1.2539d838ff5bdp+0, -0x1.160c8252cap-3},
    {0x1.23eb7aac9083bp+0, -0x1.0ce7f57f72p-3},  {0x1.22a012ba940b6p+0, -0x1.03cdc49feap-3},
    {0x1.2157996cc4132p+0, -0x1.f57bdbc4b8p-4},  {0x1.201201dd2fc9bp+0, -0x1.e370896404p-4},
    {0x1.1ecf4494d480bp+0, -0x1.d17983ef94p-4},  {0x1.1d8f5528f6569p+0, -0x1.bf9674ed8ap-4},
    {0x1.1c52311577e7cp+0, -0x1.adc79202f6p-4},  {0x1.1b17c74cb26e9p+0, -0x1.9c0c3e7288p-4},
    {0x1.19e010c2c1ab6p+0, -0x1.8a646b372cp-4},  {0x1.18ab07bb670bdp+0, -0x1.78d01b3acp-4},
    {0x1.1778a25efbcb6p+0, -0x1.674f14538p-4},   {0x1.1648d354c31dap+0, -0x1.55e0e6d878p-4},
    {0x1.151b990275fddp+0, -0x1.4485cdea1ep-4},  {0x1.13f0ea432d24cp+0, -0x1.333d94d6aap-4},
    {0x1.12c8b7210f9dap+0, -0x1.22079f8c56p-4},  {0x1.11a3028ecb531p+0, -0x1.10e4698622p-4},
    {0x1.107fbda8434afp+0, -0x1.ffa6c6ad2p-5},   {0x1.0f5ee0f4e6bb3p+0, -0x1.dda8d4a774p-5},
    {0x1.0e4065d2a9fcep+0, -0x1.bbcece485p-5},   {0x1.0d244632ca521p+0, -0x1.9a1894012cp-5},
    {0x1.0c0a77ce2981ap+0, -0x1.788583302cp-5},  {0x1.0af2f83c636d1p+0, -0x1.5715e67d68p-5},
    {0x1.09ddb98a01339p+0, -0x1.35c8a49658p-5},  {0x1.08cabaf52e7dfp+0, -0x1.149e364154p-5},
    {0x1.07b9f2f4e28fbp+0, -0x1.e72c082eb8p-6},  {0x1.06ab58c358f19p+0, -0x1.a55f152528p-6},
    {0x1.059eea5ecf92cp+0, -0x1.63d62cf818p-6},  {0x1.04949cdd12c9p+0, -0x1.228fb8caap-6},
    {0x1.038c6c6f0ada9p+0, -0x1.c317b20f9p-7},   {0x1.02865137932a9p+0, -0x1.419355daap-7},
    {0x1.0182427ea7348p+0, -0x1.81203c2ecp-8},   {0x1.008040614b195p+0, -0x1.004097924p-9},
    {0x1.fe01ff726fa1ap-1, 0x1.feff3849p-9},     {0x1.fa11cc261ea74p-1, 0x1.7dc41353dp-7},
    {0x1.f6310b081992ep-1, 0x1.3cea3c4c28p-6},   {0x1.f25f63ceeadcdp-1, 0x1.b9fc11489p-6},
    {0x1.ee9c8039113e7p-1, 0x1.1b0d8ce11p-5},    {0x1.eae8078cbb1abp-1, 0x1.58a5bd001cp-5},
    {0x1.e741aa29d0c9bp-1, 0x1.95c8340d88p-5},   {0x1.e3a91830a99b5p-1, 0x1.d276aef578p-5},
    {0x1.e01e009609a56p-1, 0x1.07598e598cp-4},   {0x1.dca01e577bb98p-1, 0x1.253f5e30d2p-4},
    {0x1.d92f20b7c9103p-1, 0x1.42edd8b38p-4},    {0x1.d5cac66fb5ccep-1, 0x1.606598757cp-4},
    {0x1.d272caa5ede9dp-1, 0x1.7da76356ap-4},    {0x1.cf26e3e6b2ccdp-1, 0x1.9ab434e1c6p-4},
    {0x1.cbe6da2a77902p-1, 0x1.b78c7bb0d6p-4},   {0x1.c8b266d37086dp-1, 0x1.d431332e72p-4},
    {0x1.c5894bd5d5804p-1, 0x1.f0a3171de6p-4},   {0x1.c26b533bb9f8cp-1, 0x1.067152b914p-3},
    {0x1.bf583eeece73fp-1, 0x1.147858292bp-3},   {0x1.bc4fd75db96c1p-1, 0x1.2266ecdca3p-3},
    {0x1.b951e0c864a28p-1, 0x1.303d7a6c55p-3},   {0x1.b65e2c5ef3e2cp-1, 0x1.3dfc33c331p-3},
    {0x1.b374867c9888bp-1, 0x1.4ba366b7a8p-3},   {0x1.b094b211d304ap-1, 0x1.5933928d1fp-3},
    {0x1.adbe885f2ef7ep-1, 0x1.66acd2418fp-3},   {0x1.aaf1d31603da2p-1, 0x1.740f8ec669p-3},
    {0x1.a82e63fd358a7p-1, 0x1.815c0f51afp-3},   {0x1.a5740ef09738bp-1, 0x1.8e92954f68p-3},
    {0x1.a2c2a90ab4b27p-1, 0x1.9bb3602f84p-3},   {0x1.a01a01393f2d1p-1, 0x1.a8bed1c2cp-3},
    {0x1.9d79f24db3c1bp-1, 0x1.b5b515c01dp-3},   {0x1.9ae2505c7b19p-1, 0x1.c2967ccbccp-3},
    {0x1.9852ef297ce2fp-1, 0x1.cf635d5486p-3},   {0x1.95cbaeea44b75p-1, 0x1.dc1bd3446cp-3},
    {0x1.934c69de74838p-1, 0x1.e8c01b8cfep-3},   {0x1.90d4f2f6752e6p-1, 0x1.f5509c0179p-3},
    {0x1.8e6528effd79dp-1, 0x1.00e6c121fb8p-2},  {0x1.8bfce9fcc007cp-1, 0x1.071b80e93dp-2},
    {0x1.899c0dabec30ep-1, 0x1.0d46b9e867p-2},   {0x1.87427aa2317fbp-1, 0x1.13687334bdp-2},
    {0x1.84f00acb39a08p-1, 0x1.1980d672348p-2},  {0x1.82a49e8653e55p-1, 0x1.1f8ffe0cc8p-2},
    {0x1.8060195f4026p-1, 0x1.2595fd76368p-2},   {0x1.7e22563e0a329p-1, 0x1.2b9300914a8p-2},
    {0x1.7beb377dcb5adp-1, 0x1.3187210436p-2},   {0x1.79baa679725c2p-1, 0x1.377266dec18p-2},
    {0x1.77907f2170657p-1, 0x1.3d54ffbaf3p-2},   {0x1.756cadbd6130cp-1, 0x1.432eee32fep-2}};

/// Logarithms to base 2, of 64 intervals from 0x1.6p-1 on.
inline constexpr Reciprocal log2_table[64] = {
    {0x1.724286bb1acf8p+0, -0x1.1095feecdbp-1},  {0x1.6e1f766d2cca1p+0, -0x1.08494bd76dp-1},
    {0x1.6a13d0e30d48ap+0, -0x1.00143aee8f8p-1}, {0x1.661ec32d06c85p+0, -0x1.efec5360b4p-2},
    {0x1.623fa951198f8p+0, -0x1.dfdd91ab7ep-2},  {0x1.5e75ba4cf026cp+0, -0x1.cffae0cc79p-2},
    {0x1.5ac055a214fb8p+0, -0x1.c043811fdap-2},  {0x1.571ed0f166e1ep+0, -0x1.b0b67323aep-2},
    {0x1.53909590bf835p+0, -0x1.a152f5a2dbp-2},  {0x1.5014fed61adddp+0, -0x1.9217f5af86p-2},
    {0x1.4cab88e487bdp+0, -0x1.8304db0719p-2},   {0x1.49539b4334feep+0, -0x1.74189f9a9ep-2},
    {0x1.460cbdfafd569p+0, -0x1.6552bb5199p-2},  {0x1.42d664ee4b953p+0, -0x1.56b23a29b1p-2},
    {0x1.3fb01111dd8a6p+0, -0x1.483650f5fap-2},  {0x1.3c995b70c5836p+0, -0x1.39de937f6ap-2},
    {0x1.3991c4ab6fd4ap+0, -0x1.2baa1538d6p-2},  {0x1.3698e0ce099b5p+0, -0x1.1d98340ca4p-2},
    {0x1.33ae48213e7b2p+0, -0x1.0fa853a40ep-2},  {0x1.30d191985bdb1p+0, -0x1.01d9c32e73p-2},
    {0x1.2e025cab271d7p+0, -0x1.e857da2fa6p-3},  {0x1.2b404cf13cd82p+0, -0x1.cd3c8633d8p-3},
    {0x1.288b02c7ccb5p+0, -0x1.b26034c14ap-3},   {0x1.25e2263944de5p+0, -0x1.97c1c2f4fep-3},
    {0x1.234563d8615b1p+0, -0x1.7d6023f8p-3},    {0x1.20b46e33eaf38p+0, -0x1.633a71a05ep-3},
    {0x1.1e2eefdcda3ddp+0, -0x1.494f5e957p-3},   {0x1.1bb4a580b393p+0, -0x1.2f9e424e0ap-3},
    {0x1.19453847f22p+0, -0x1.162595afdcp-3},    {0x1.16e06c0d5d73cp+0, -0x1.f9c9a75bd8p-4},
    {0x1.1485f47b7e4c2p+0, -0x1.c7b575bf9cp-4},  {0x1.12358ad0085d1p+0, -0x1.960c60ff48p-4},
    {0x1.0fef00f532227p+0, -0x1.64ce247b6p-4},   {0x1.0db2077d03a8fp+0, -0x1.33f78b2014p-4},
    {0x1.0b7e6d65980d9p+0, -0x1.0387d1a42cp-4},  {0x1.0953efe7b408dp+0, -0x1.a6f9208b5p-5},
    {0x1.07325cac53b83p+0, -0x1.47a954f77p-5},   {0x1.05197e40d1b5cp+0, -0x1.d23a8c50cp-6},
    {0x1.03091c1208ea2p+0, -0x1.16a262978p-6},   {0x1.0101025b37e21p+0, -0x1.720f8d8e8p-8},
    {0x1.fc07ef9caa76bp-1, 0x1.6fe53b15p-7},     {0x1.f4465d3f6f184p-1, 0x1.11ccce10f8p-5},
    {0x1.ecc079f84107fp-1, 0x1.c4dfc8c8b8p-5},   {0x1.e573a99975ae8p-1, 0x1.3aa321e574p-4},
    {0x1.de5d6f0bd3de6p-1, 0x1.918a0d08b8p-4},   {0x1.d77b681ff38b3p-1, 0x1.e72e9da044p-4},
    {0x1.d0cb5724de943p-1, 0x1.1dcd2507f6p-3},   {0x1.ca4b2dc0e7563p-1, 0x1.476ab03deap-3},
    {0x1.c3f8ee8d6cb51p-1, 0x1.7074377e22p-3},   {0x1.bdd2b4f020c4cp-1, 0x1.98ede8ba94p-3},
    {0x1.b7d6c006015cap-1, 0x1.c0db86ad2ep-3},   {0x1.b20366e2e338fp-1, 0x1.e840aafceep-3},
    {0x1.ac57026295039p-1, 0x1.0790ab4678p-2},   {0x1.a6d01bc2731ddp-1, 0x1.1ac056801cp-2},
    {0x1.a16d3bc3ff18bp-1, 0x1.2db11d4feep-2},   {0x1.9c2d14967feadp-1, 0x1.406464ec58p-2},
    {0x1.970e4f47c9902p-1, 0x1.52dbe093afp-2},   {0x1.920fb3982bcf2p-1, 0x1.651902050dp-2},
    {0x1.8d30187f759f1p-1, 0x1.771d2cdeafp-2},   {0x1.886e5ebb9f66dp-1, 0x1.88e9c857d9p-2},
    {0x1.83c97b658b994p-1, 0x1.9a80155e16p-2},   {0x1.7f405ffc61022p-1, 0x1.abe186ed3dp-2},
    {0x1.7ad22181415cap-1, 0x1.bd0f2aea0ep-2},   {0x1.767dcf99eff8cp-1, 0x1.ce0a43dbf4p-2}};

/// Logarithms to base 2 for powf, of 16 intervals from 0x1.66p-1 on.
inline constexpr Reciprocal powf_log2_table[16] = {
    {0x1.661ec79f8f3bep+0, -0x1.efec65b963019p-2}, {0x1.571ed4aaf883dp+0, -0x1.b0b6832d4fca4p-2},
    {0x1.49539f0f010bp+0, -0x1.7418b0a1fb77bp-2},  {0x1.3c995b0b80385p+0, -0x1.39de91a6dcf7bp-2},
    {0x1.30d190c8864a5p+0, -0x1.01d9bf3f2b631p-2}, {0x1.25e227b0b8eap+0, -0x1.97c1d1b3b7afp-3},
    {0x1.1bb4a4a1a343fp+0, -0x1.2f9e393af3c9fp-3}, {0x1.12358f08ae5bap+0, -0x1.960cbbf788d5cp-4},
    {0x1.0953f419900a7p+0, -0x1.a6f9db6475fcep-5}, {0x1p+0, 0x0p+0},
    {0x1.e608cfd9a47acp-1, 0x1.338ca9f24f53dp-4},  {0x1.ca4b31f026aap-1, 0x1.476a9543891bap-3},
    {0x1.b2036576afce6p-1, 0x1.e840b4ac4e4d2p-3},  {0x1.9c2d163a1aa2dp-1, 0x1.40645f0c6651cp-2},
    {0x1.886e6037841edp-1, 0x1.88e9c2c1b9ff8p-2},  {0x1.767dcf5534862p-1, 0x1.ce0a44eb17bccp-2}};

} // namespace isovmaf::math
