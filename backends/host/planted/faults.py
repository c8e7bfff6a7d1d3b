# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Faults for copies of the host stand-in. `isovmaf diff` has to find each one and name its place.

plant.py plants them; tools/tests/planted_faults_test.py compares the copies with the CPU.
"""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Fault:
    """One mistake in one file, and the comparison that shows it."""

    name: str
    summary: str            # one sentence
    file: str               # the file that gets the mistake, relative to the repository
    find: str               # text that occurs once in the file
    replace: str            # the faulty text
    kernels: tuple          # the kernel files that include the file; none: it is a source of the stand-in itself
    feature: str            # the feature that differs
    stage: str              # its first stage that differs
    requests: tuple = ("",) # options of the feature; one entry for each time that it is computed
    fill: str = "noise"     # the pictures to compare
    size: str = "150x40"
    depth: int = 8
    frames: int = 3
    drawn: object = None    # a function: luma of the reference and of the distorted picture, in place of a fill
    place: tuple = ()       # column and row of the stage's first value that differs; none: any
    waves: tuple = ()       # widths of waves, each of which has to show it; none: the stand-in's own
    environment: dict = dataclasses.field(default_factory=dict)
    optimised: bool = False # whether the compiler optimises its copy: for large pictures


def rare_pictures(seed, reference_centre, distorted_centre):
    """Luma of 17x17 high-contrast samples and of nearly the same, with given samples in the middle.

    For faults that show in one pixel of 10^9: seed and centres can be searched for.
    """
    def words():
        word = seed
        while True:
            word = (word * 1664525 + 1013904223) % 2**32
            yield word

    generator = words()
    reference = [top // 4 if (top := next(generator) >> 24) < 128 else 255 - (top - 128) // 4 for _ in range(17 * 17)]
    distorted = [sample ^ next(generator) >> 31 for sample in reference]
    reference[17 * 8 + 8], distorted[17 * 8 + 8] = reference_centre, distorted_centre
    return bytes(reference), bytes(distorted)


def bands(size, band, levels, slope=0, ragged=0):
    """Luma of bands of such a width, whose edges lean by `slope` columns a row and are up to `ragged` columns off."""
    width, height = map(int, size.split("x"))
    luma = bytes(levels[(x + slope * y + (y * y * 7 + y) % (ragged + 1)) // band % len(levels)]
                 for y in range(height) for x in range(width))
    return luma, luma


MOTION = ("motion", "motion_taps")
VIF = ("vif", "vif_taps")
ADM = ("adm", "adm_taps")
CAMBI = ("cambi", "cambi_taps")
WAVES = ("32", "64")
PSNR_HVS = ("psnr_hvs", "psnr_hvs_taps")
SPEED = ("speed", "speed_taps")
SSIM = ("float_ssim", "float_ssim_taps")
MS_SSIM = ("float_ms_ssim", "float_ms_ssim_taps")
XPSNR = ("xpsnr", "xpsnr_taps")

FAULTS = (
    Fault(
        name="mirror",
        summary="The mirror rule repeats the last sample.",
        file="core/portable/edges.h",
        find="i < n ? i : 2 * n - 2 - i;",
        replace="i < n ? i : 2 * n - 1 - i;",
        kernels=MOTION,
        feature="motion",
        stage="difference to the frame before: blurred columns",
    ),
    Fault(
        name="wave-width",
        summary="A reduction assumes that every wave has 32 lanes.",
        file="core/portable/reduce.h",
        find="for (int32_t offset = width / 2; offset > 0; offset /= 2)",
        replace="for (int32_t offset = 16; offset > 0; offset /= 2)",
        kernels=MOTION,
        feature="motion",
        stage="words of the frame",
        environment={"ISOVMAF_HOST_WAVE": "64"},
    ),
    Fault(
        name="stride",
        summary="The distance from row to row counts bytes and is used as if it counted samples.",
        file="core/features/motion/motion_kernel.h",
        find="rows[r] = rows[r - 1] + uint32_t(p.stride_bytes);",
        # It reads no further than the distorted picture, which lies behind the reference.
        replace="rows[r] = rows[r - 1] + uint32_t(p.stride_bytes) * (SAMPLE_BITS / 8);",
        kernels=MOTION,
        feature="motion",
        stage="difference to the frame before: blurred columns",
        depth=10,
    ),
    Fault(
        name="logical-shift",
        summary="The shift of a negative sum loses the sign.",
        file="core/features/motion/motion_math.h",
        find="return sum >> 8;",
        replace="return int32_t(uint32_t(sum) >> 8);",
        kernels=MOTION,
        feature="motion",
        stage="difference to the frame before: blurred columns",
    ),
    Fault(
        name="barrier",
        summary="The barrier between filtering columns and filtering rows is missing.",
        file="core/features/motion/motion_kernel.h",
        find="    barrier();\n    block_add(",
        replace="    block_add(",
        kernels=MOTION,
        feature="motion",
        stage="difference to the frame before: blurred",
        environment={"ISOVMAF_HOST_ORDER": "forward"},
    ),
    Fault(
        name="stale-sums",
        summary="A thread does not clear its sums between two groups of gain limits.",
        file="core/features/vif/vif_kernel.h",
        find="""\
    for (int32_t first = 0; first < p.limit_count; first += VIF_LIMITS) {
        int32_t own[thread_sums];
        ISOVMAF_UNROLL
        for (int32_t i = 0; i < thread_sums; i++)
            own[i] = 0;
""",
        replace="""\
    int32_t own[thread_sums];
    ISOVMAF_UNROLL
    for (int32_t i = 0; i < thread_sums; i++)
        own[i] = 0;
    for (int32_t first = 0; first < p.limit_count; first += VIF_LIMITS) {
""",
        kernels=VIF,
        feature="vif",
        stage="words of the frame",
        requests=("vif_enhn_gain_limit=1", "vif_enhn_gain_limit=1.5", "vif_enhn_gain_limit=2"),
    ),
    Fault(
        name="option",
        summary="The gain is compared with the option's default instead of its value.",
        file="core/features/vif/vif_math.h",
        find="const double gain = g.gain < gain_limit ? g.gain : gain_limit;",
        replace="const double gain = g.gain < 100 ? g.gain : gain_limit;",
        kernels=VIF,
        feature="vif",
        stage="scale 3: logarithm of the numerator, gain limit 1.5",
        requests=("vif_enhn_gain_limit=1.5",),
    ),
    Fault(
        name="contraction",
        summary="A product and a difference are rounded once, together.",
        file="core/features/vif/vif_math.h",
        find="""\
    const double explained = gain * double(m.sigma12);
    const double rest = double(m.sigma2_sq) - explained;""",
        replace="    const double rest = __builtin_fma(-gain, double(m.sigma12), double(m.sigma2_sq));",
        kernels=VIF,
        feature="vif",
        stage="scale 0: logarithm of the numerator, gain limit 100",
        size="17x17",
        # Rounded twice, the unexplained variance is 59864; rounded once it is a bit less.
        drawn=lambda: rare_pictures(34875, 50, 44),
    ),
    Fault(
        name="early-rounding",
        summary="Each tile's part of a row is rounded, instead of the sum of the whole row.",
        file="core/features/adm/adm_rounding_kernel.h",
        find="total += uint64_t(pointer_after(ConstI64, row_sums, 8 * place).at[0]);",
        replace="""{
            const int64_t piece = row_sums.at[place];
            total += part == ADM_PART_REFERENCE ? adm_round_unsigned(uint64_t(piece), s.reference_shift)
                                                      << s.reference_shift
                                                : uint64_t(adm_round(piece, s.shift)) << s.shift;
        }""",
        kernels=ADM,
        feature="adm",
        stage="scale 0: row sums of the restored picture",
    ),
    Fault(
        name="chroma",
        summary="The upload of several pictures at once leaves out some chroma.",
        file="backends/host/commands.cpp",
        find="    commands.list.emplace_back(copy);",
        # A pair of 4:2:0 pictures has the Cr of the reference from 5/12 of the bytes on to the half.
        replace="""\
    const std::uint64_t bytes = copy.row_bytes, kept = bytes / 12 * 5, half = bytes / 2;
    if (copy.rows == 1 && bytes == requested.from.buffer->bytes && bytes == requested.to.buffer->bytes &&
        requested.from.buffer->on_host()) {
        commands.list.emplace_back(Copy{copy.from, copy.to, kept, kept, kept, 1});
        commands.list.emplace_back(Copy{copy.from + half, copy.to + half, half, half, bytes - half, 1});
        return {};
    }
    commands.list.emplace_back(copy);""",
        kernels=(),
        feature="psnr",
        stage="Cr of the reference on the device",
    ),
    Fault(
        name="lost-atomic",
        summary="Threads that count the same digit at the same time count it once.",
        file="core/features/cambi/cambi_pooling_kernel.h",
        find="""\
    for (int32_t i = thread_x(); i < s.pixels; i += CAMBI_POOLING_THREADS) {
        const uint32_t value = values.at[s.first_value + i];
        if (value != 0u && value >> (shift + bits) == known >> (shift + bits))
            shared_add(bins[value >> shift & ((1u << bits) - 1u)], 1u);
    }
""",
        replace="""\
    for (int32_t first = 0; first < s.pixels; first += CAMBI_POOLING_THREADS) {
        const int32_t i = first + thread_x();
        const uint32_t value = i < s.pixels ? values.at[s.first_value + i] : 0u;
        const bool counts = value != 0u && value >> (shift + bits) == known >> (shift + bits);
        const uint32_t bin = value >> shift & ((1u << bits) - 1u), before = bins[bin];
        barrier();
        if (counts)
            bins[bin] = before + 1u;
        barrier();
    }
""",
        kernels=CAMBI,
        feature="cambi",
        stage="words of the frame",
        requests=("topk=0.0009",),
        size="216x40",
        drawn=lambda: bands("216x40", 9, (60, 61), ragged=3),
        waves=WAVES,
    ),
    Fault(
        name="window-of-a-byte",
        summary="A window's sum is kept in 8 bits: 289 pixels of one value count as 33.",
        file="core/features/cambi/cambi_counts_kernel.h",
        find="return add_bytes(word & ~0u >> 8 * (3 - last % 4), sum);",
        replace="return add_bytes(word & ~0u >> 8 * (3 - last % 4), sum) & 255u;",
        kernels=CAMBI,
        feature="cambi",
        stage="scale 0: c-values",
        requests=("window_size=127",), # windows of 17x17
        size="736x20",
        drawn=lambda: bands("736x20", 24, (60, 61, 62)),
        place=(15, 7),
        waves=WAVES,
    ),
    Fault(
        name="late-row",
        summary="A row leaves the windows one row late.",
        file="core/features/cambi/cambi_counts_kernel.h",
        find="row.leaves = y == t.top ? -1 : value_at(pixels, s, t, y - radius - 1);",
        replace="row.leaves = y < t.top + 2 ? -1 : value_at(pixels, s, t, y - radius - 2);",
        kernels=CAMBI,
        feature="cambi",
        stage="scale 0: c-values",
        requests=("window_size=127",),
        size="216x40",
        drawn=lambda: bands("216x40", 9, (60, 61, 62, 61), slope=1),
        place=(2, 3),
        waves=WAVES,
    ),
    Fault(
        name="absent-values",
        summary="Values that no pixel has share a slot that is counted.",
        file="core/features/cambi/cambi_counts_kernel.h",
        find="uint32_t slot = 0u;",
        replace="uint32_t slot = 1u;",
        kernels=CAMBI,
        feature="cambi",
        stage="scale 0: c-values",
        size="216x40",
        drawn=lambda: bands("216x40", 24, (60, 120)),
        place=(0, 0),
        waves=WAVES,
    ),
    Fault(
        name="kth-value",
        summary="The smallest of the largest values is counted once too often.",
        file="core/features/cambi/cambi_pooling_kernel.h",
        find="sum + int64_t(found_rest) * int64_t(cambi_units(smallest))",
        replace="sum + int64_t(found_rest + 1u) * int64_t(cambi_units(smallest))",
        kernels=CAMBI,
        feature="cambi",
        stage="words of the frame",
        requests=("topk=0.05",),
        size="216x40",
        drawn=lambda: bands("216x40", 9, (60, 61, 62, 61), slope=1),
        waves=WAVES,
    ),

    # Sums of PSNR-HVS in parts.
    Fault(
        name="tie",
        summary="A number in the middle between two places of a sum is rounded as if the sum were even.",
        file="core/portable/ordered_sum.h",
        find="step.from_odd = ordered_increment(f32_bits(run.odd) - start - 1u);",
        replace="step.from_odd = step.from_even;",
        kernels=PSNR_HVS,
        feature="psnr_hvs",
        stage="words of the frame",
        waves=WAVES,
    ),
    Fault(
        name="parity",
        summary="A run of numbers starts with the last bit that the sum has before the run in front of it.",
        file="core/portable/ordered_sum.h",
        find="even_stays = (first.from_even & 1u) == 0u, odd_stays = (first.from_odd & 1u) == 0u;",
        replace="even_stays = true, odd_stays = true;",
        kernels=PSNR_HVS,
        feature="psnr_hvs",
        stage="words of the frame",
        waves=WAVES,
    ),
    Fault(
        name="binade",
        summary="A group adds what it would add to a sum in the lowest binade that is possible.",
        file="core/features/psnr_hvs/psnr_hvs_sum_kernel.h",
        find="const int32_t i = binade - lowest_binades.at[group];",
        replace="const int32_t i = binade > 0 ? 0 : lowest_binades.at[group];",
        kernels=PSNR_HVS,
        feature="psnr_hvs",
        stage="words of the frame",
        fill="noise-saturated",
        size="281x141", # some groups begin just beyond a power of two
        waves=WAVES,
    ),

    # SSIM. What a f64 sum lacks in its last place shows in no mean: the tests OrderedSumF64 find ties and parities that are
    # wrong.
    Fault(
        name="box",
        summary="The sample that stands for one outside the picture is one further in.",
        file="core/features/float_ssim/float_ssim_reduce_kernel.h",
        find="ssim_fold(x * p.factor + u - p.factor / 2, p.width)",
        replace="ssim_fold(x * p.factor + u - p.factor / 2 - (x == 0 && u == 0 ? 1 : 0), p.width)",
        kernels=SSIM,
        feature="float_ssim",
        stage="reference",
        requests=("scale=2",),
        place=(0, 0),
        waves=WAVES,
    ),
    Fault(
        name="quotient",
        summary="A structure is divided by way of the reciprocal.",
        file="core/features/float_ssim/float_ssim_math.h",
        find="f32_divide(f32_add(positive, c3), f32_add(parts.deviations, c3))",
        replace="f32_multiply(f32_add(positive, c3), f32_divide(1.0f, f32_add(parts.deviations, c3)))",
        kernels=SSIM,
        feature="float_ssim",
        stage="structure",
        size="12x12", # means of few pixels
        waves=WAVES,
    ),
    Fault(
        name="reach",
        summary="A step is taken though sums reach beyond their binade on the way.",
        file="core/portable/ordered_sum_f64.h",
        find="return place + step.low >= int64_t(0) && place + step.high < ORDERED_F64_PLACES;",
        replace="return place + step.low >= int64_t(0);",
        kernels=SSIM,
        feature="float_ssim",
        stage="words of the frame",
        waves=WAVES,
    ),
    Fault(
        name="low-pass",
        summary="The rows below the middle one of a low-pass filter are one row late.",
        file="core/features/float_ms_ssim/float_ms_ssim_halve_kernel.h",
        find="2 * y + v - MS_SSIM_TAP_COUNT / 2, p.height",
        replace="2 * y + v - MS_SSIM_TAP_COUNT / 2 + (v > MS_SSIM_TAP_COUNT / 2 ? 1 : 0), p.height",
        kernels=MS_SSIM,
        feature="float_ms_ssim",
        stage="scale 1: reference",
        place=(0, 0),
        size="176x176",
        waves=WAVES,
    ),

    # SpEED. Means that are added in another order, words of a singular plane that are left, and a NaN with its sign show in
    # no score: SpeedKernels.EveryStageIsTheReferences, HardPicturesGiveTheReferencesWords and
    # SpeedAlgebra.WordsAreTheDefinitions find these.
    Fault(
        name="last-term",
        summary="A covariance lacks its last term.",
        file="core/features/speed/speed_covariances_kernel.h",
        find="""\
pair_means[2 * pair + 1]);
        put_term(chunk % 2 * chunk_terms + pair * pair_stride + in_chunk, place < p.places ?""",
        replace="""\
pair_means[2 * pair + 1]);
        put_term(chunk % 2 * chunk_terms + pair * pair_stride + in_chunk, place + 1 < p.places ?""",
        kernels=SPEED,
        feature="speed_temporal",
        stage="change of the reference: covariances",
        place=(0, 0),
        size="165x243",
        waves=WAVES,
    ),
    Fault(
        name="cosine",
        summary="The cosine of a rotation is one place off.",
        file="core/features/speed/speed_algebra_math.h",
        find="large = f32_reciprocal_root(f32_add_as(quick, 1.0f, f32_multiply_as(quick, t, t)))",
        replace="large = f32_of_bits(f32_bits(f32_reciprocal_root(f32_add_as(quick, 1.0f, f32_multiply_as(quick, t, t)))) + 1u)",
        kernels=SPEED,
        feature="speed_temporal",
        stage="change of the reference: eigenvalues",
        place=(0, 0),
        size="165x243",
        waves=WAVES,
    ),
    Fault(
        name="singular",
        summary="A singular plane is taken for a regular one.",
        file="core/features/speed/speed_variances_kernel.h",
        find="if (is_bad) {",
        replace="if (false) {",
        kernels=SPEED,
        feature="speed_temporal",
        stage="change of the reference: variances of blocks",
        place=(0, 0),
        size="100x100",
        waves=WAVES,
    ),
    Fault(
        name="border-column",
        summary="The last column has spatial terms.",
        file="core/features/xpsnr/xpsnr_kernel.h",
        find="p.planes[0].width - border) - core.left",
        replace="p.planes[0].width - border + 1) - core.left",
        kernels=XPSNR,
        feature="xpsnr",
        stage="spatial terms",
        place=(149, 1),
    ),
    Fault(
        name="temporal-order",
        summary="The second order counts the frame before once.",
        file="core/features/xpsnr/xpsnr_kernel.h",
        find="less(changes, before, p.before_factor, x, y)",
        replace="less(changes, before, 1, x, y)",
        kernels=XPSNR,
        feature="xpsnr",
        stage="temporal terms",
        requests=("frame_rate=60",),
    ),
    Fault(
        name="chroma-block",
        summary="Neighbouring blocks of Cb take turns.",
        file="core/features/xpsnr/xpsnr_kernel.h",
        find="block_of(p.planes[1], column, row)",
        replace="block_of(p.planes[1], column ^ 1, row)",
        kernels=XPSNR,
        feature="xpsnr",
        stage="words of the frame",
        place=(3, 0),
        size="160x40", # an even number of columns
    ),
    Fault(
        name="narrow-column",
        summary="The narrow last column of a large picture has a spatial activity.",
        file="core/features/xpsnr/xpsnr_kernel.h",
        find="group_x() != p.forgotten",
        replace="p.forgotten != -2",
        kernels=XPSNR,
        feature="xpsnr",
        stage="spatial terms",
        size="2048x1154",
        frames=1,
        place=(1020, 1),
        optimised=True,
    ),
)
