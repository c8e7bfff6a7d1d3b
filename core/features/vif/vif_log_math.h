// SPDX-License-Identifier: BSD-2-Clause-Patent
// VIF's logarithm (features.md §3.3) without its table, for vector code.
#ifndef ISOVMAF_VIF_LOG_MATH_H
#define ISOVMAF_VIF_LOG_MATH_H

// The table's 32768 values are cut into segments of 4096 or of 1024. Value m of a segment whose first value is number i
// is 30720 + i / 16 + floor(p(m / 32768)), where p is a polynomial with the f32 coefficients [0..][segment]. They were
// found by a search for coefficients that meet all values: cubic ones with and without fused multiply-adds, quadratic
// ones with them. The former are written twice, for vectors of 16 lanes.
#define VIF_TWICE(...)                                                                                                 \
    { __VA_ARGS__, __VA_ARGS__ }
alignas(64) static constexpr float vif_log_cubics[4][16] = {
    VIF_TWICE(0x1.02b0b2p-1f, 0x1.7208fp+6f, 0x1.279edcp+7f, 0x1.5ad5e4p+7f, 0x1.5d0244p+7f, 0x1.3600dap+7f,
              0x1.d7db26p+6f, 0x1.0740bap+6f),
    VIF_TWICE(0x1.71454ep+11f, 0x1.48451p+11f, 0x1.27719ep+11f, 0x1.0c974ap+11f, 0x1.ec6ca4p+10f, 0x1.c68cbcp+10f,
              0x1.a6157p+10f, 0x1.89f1ecp+10f),
    VIF_TWICE(-0x1.6da082p+10f, -0x1.21f4dp+10f, -0x1.d5e512p+9f, -0x1.8500eep+9f, -0x1.4707e6p+9f, -0x1.16d974p+9f,
              -0x1.e11cd4p+8f, -0x1.a314d2p+8f),
    VIF_TWICE(0x1.958b78p+9f, 0x1.278a3ap+9f, 0x1.b1df26p+8f, 0x1.4e0c54p+8f, 0x1.027d92p+8f, 0x1.9b191ep+7f,
              0x1.4c9b5ep+7f, 0x1.0dff26p+7f),
};
alignas(64) static constexpr float vif_log_quadratics[3][32] = {
    {0x1.011b7ep-1f, 0x1.b6bc3cp+4f, 0x1.9d014ap+5f, 0x1.2517d8p+6f, 0x1.72081ep+6f, 0x1.b5d926p+6f, 0x1.f1073p+6f,
     0x1.1202a8p+7f, 0x1.279edp+7f,  0x1.39893p+7f,  0x1.47ef58p+7f, 0x1.52fbbp+7f,  0x1.5ad5a6p+7f, 0x1.5fa29cp+7f,
     0x1.618328p+7f, 0x1.609936p+7f, 0x1.5d0248p+7f, 0x1.56da9ep+7f, 0x1.4e3cc6p+7f, 0x1.4341bp+7f,  0x1.3600e4p+7f,
     0x1.269086p+7f, 0x1.150586p+7f, 0x1.0173ap+7f,  0x1.d7db2ap+6f, 0x1.a90a2p+6f,  0x1.7695b8p+6f, 0x1.409ddap+6f,
     0x1.074092p+6f, 0x1.95359cp+5f, 0x1.158fb8p+5f, 0x1.1f871ap+4f},
    {0x1.7146ap+11f,  0x1.66141ep+11f, 0x1.5b8cd6p+11f, 0x1.519f82p+11f, 0x1.48409ep+11f, 0x1.3f60cap+11f,
     0x1.36fcfap+11f, 0x1.2eff7cp+11f, 0x1.276e28p+11f, 0x1.203834p+11f, 0x1.195d7ap+11f, 0x1.12d2b4p+11f,
     0x1.0c9408p+11f, 0x1.06989ap+11f, 0x1.00e728p+11f, 0x1.f6e02ep+10f, 0x1.ec669ap+10f, 0x1.e25a74p+10f,
     0x1.d8b52ap+10f, 0x1.cf70bp+10f,  0x1.c68772p+10f, 0x1.bdf446p+10f, 0x1.b5b07ap+10f, 0x1.adbcbep+10f,
     0x1.a6110ep+10f, 0x1.9ea9acp+10f, 0x1.9783a4p+10f, 0x1.909b7p+10f,  0x1.89ee8ap+10f, 0x1.83797cp+10f,
     0x1.7d3974p+10f, 0x1.772e94p+10f},
    {-0x1.66e60cp+10f, -0x1.51089cp+10f, -0x1.3dc6cep+10f, -0x1.2c1fc4p+10f, -0x1.1c94e2p+10f, -0x1.0cf636p+10f,
     -0x1.004106p+10f, -0x1.e44b8ap+9f,  -0x1.cd2d46p+9f,  -0x1.b6646cp+9f,  -0x1.a2ca54p+9f,  -0x1.8fc174p+9f,
     -0x1.7dfd68p+9f,  -0x1.6c4e9ap+9f,  -0x1.5dd5d8p+9f,  -0x1.4f427ap+9f,  -0x1.41938ap+9f,  -0x1.34b6c4p+9f,
     -0x1.289bacp+9f,  -0x1.1d335cp+9f,  -0x1.127056p+9f,  -0x1.08465ep+9f,  -0x1.fc7ad2p+8f,  -0x1.eaff44p+8f,
     -0x1.d9e898p+8f,  -0x1.c99148p+8f,  -0x1.ba0eacp+8f,  -0x1.ab0502p+8f,  -0x1.9d5p+8f,     -0x1.8ffaf4p+8f,
     -0x1.831086p+8f,  -0x1.783454p+8f},
};
#undef VIF_TWICE

#endif
