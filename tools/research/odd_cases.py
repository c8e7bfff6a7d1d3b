# SPDX-License-Identifier: BSD-2-Clause-Patent
"""The table of odd inputs that odd_inputs.py makes and scores.

Recipes run in a folder that holds `ref.y4m` (25 frames of 320x180, 8-bit 4:2:0, 25 frames per second) and `ref.mkv`
(the same pictures as FFV1, with presentation times)."""

import dataclasses
import os
import threading

HEAD = """# Odd inputs: what the program says

Made on {machine} with

```
tools/research/odd_inputs.py build/tools/isovmaf/isovmaf > docs/research/odd-inputs.md
```

The script makes each input with ffmpeg from 25 frames of `testsrc2` (320x180, 25 frames per second), and runs
`isovmaf probe INPUT` and `isovmaf score -q -r REFERENCE -d INPUT` on it. The reference has the same pictures without
loss, so a score far below 99 is wrong unless the program says what is odd. The table shows exit codes, what `probe`
lists, and the score with everything on standard error; ` / ` stands between lines. Each case in
`tools/research/odd_cases.py` says what a demanding user expects: a score, a score with a warning or a hint, or a
refusal that names the file. A result that is none of that ends with bold text, and the script with exit code 1.

The test `odd-inputs` runs all this. It also compares every score with that of libvmaf 3.2.0 on the samples that ffmpeg
decodes, but where ffmpeg has no filter for a conversion.

Not everything can be noticed: VP9 streams have no checksum, and libavcodec's decoder takes damaged data for sound ones;
neither does it look at the checksum of a deflated TIFF picture.
"""

# What a demanding user expects of the run.
SCORED = "scored"  # exit 0, and the score of equal pictures
WARNED = "warned"  # exit 0, and a warning or a hint that names what is odd
REFUSED = "refused"  # another exit code, and one sentence that names the file

GRAIN = "-vf noise=alls=20:allf=t -c:v libsvtav1 -preset 10 -svtav1-params film-grain=50"
LOSSLESS = "-c:v libx264 -qp 0 -preset ultrafast"


@dataclasses.dataclass
class Case:
    what: str
    name: str  # of the odd file, in the folder
    make: object  # arguments of ffmpeg, several with "&&" between them, or a function of the file's path
    wants: str = SCORED
    options: str = ""
    reference: str = "ref.y4m"
    alone: bool = False  # the odd file is both reference and distorted video
    as_user: bool = False  # runs without the rights of root
    told: str = ""  # what the message has to say; empty: the name of the file in that of a refused run, else nothing
    fed: str = ""  # the odd file is a FIFO that this file is written to, for each run
    not_decoded: str = ""  # why the samples that ffmpeg decodes cannot be compared with
    waits: bool = False  # each run waits for tens of seconds, and none of them for the other


def from_reference(arguments, source="ref.y4m"):
    return f"-i {source} {arguments} OUT"


def ffv1(pixels, extra=""):
    return from_reference(f"{extra} -c:v ffv1 -pix_fmt {pixels}")


def stored(data):
    """A file with these bytes."""
    return lambda path: path.write_bytes(data)


def part_of(arguments, begin, end):
    """Makes a file with ffmpeg and keeps the bytes between two shares of its length."""
    return arguments, lambda path: keep(path, begin, end)


def keep(path, begin, end):
    data = path.read_bytes()
    path.write_bytes(data[int(len(data) * begin):int(len(data) * end)])


def damage(path, at=0.5, count=40):
    """Overwrites some bytes in the middle."""
    data = bytearray(path.read_bytes())
    begin = int(len(data) * at)
    data[begin:begin + count] = bytes((i * 89 + 7) % 256 for i in range(count))
    path.write_bytes(data)


def growing(path):
    """A file that somebody still writes: a part of a frame is missing, and frames come later."""
    data = (path.parent / "ref.y4m").read_bytes()
    path.write_bytes(data[:len(data) // 2])
    threading.Timer(0.3, lambda: path.open("ab").write(data[len(data) // 2:-7])).start()


def unreadable(path):
    path.write_bytes((path.parent / "ref.y4m").read_bytes())
    path.chmod(0)


def joined(*names):
    return lambda path: path.write_bytes(b"".join((path.parent / name).read_bytes() for name in names))


# Without this libswscale computes R'G'B' with the matrix of BT.601.
BT709 = "-vf scale=in_color_matrix=bt709:out_color_matrix=bt709:flags=accurate_rnd+full_chroma_int+full_chroma_inp"
AT_60 = "-r 60 -i ref.y4m -c:v ffv1 ref60.mkv"
WRAP = "-output_ts_offset 95443.2 -muxdelay 0 -muxpreload 0"  # 2^33 / 90000 is 95443.7
SHORT60 = ("-i ref.y4m -vf setpts=N/24/TB -r 24 -c:v ffv1 ref24.mkv && "
           f"-i ref24.mkv -t 0.6 -r 60 {LOSSLESS} OUT")
TIME = [
    Case("variable frame rate: a phone's jitter of up to 8 ms", "jitter.mkv",
         from_reference(f"-vf settb=1/1000,setpts='40*N+8*mod(N*7\\,5)/4' -fps_mode passthrough {LOSSLESS}", "ref.mkv"),
         reference="ref.mkv"),
    Case("variable frame rate: every fifth frame is left out", "vfr.mkv",
         from_reference(f"-vf select='mod(n+1\\,5)' -fps_mode vfr {LOSSLESS}", "ref.mkv"), WARNED, reference="ref.mkv"),
    Case("the same", "vfr-pts.mkv",
         from_reference(f"-vf select='mod(n+1\\,5)' -fps_mode vfr {LOSSLESS}", "ref.mkv"), SCORED, "--sync pts",
         reference="ref.mkv"),
    Case("the same, and the first frame is left out, too", "vfr-first.mkv",
         from_reference(f"-vf select='mod(n\\,5)' -fps_mode vfr {LOSSLESS}", "ref.mkv"), SCORED, "--sync pts-absolute",
         reference="ref.mkv"),
    Case("one frame dropped, timestamps with a gap", "drop.mkv",
         from_reference(f"-vf select='not(eq(n\\,12))' -fps_mode vfr {LOSSLESS}", "ref.mkv"), WARNED,
         reference="ref.mkv"),
    Case("the same", "drop-pts.mkv",
         from_reference(f"-vf select='not(eq(n\\,12))' -fps_mode vfr {LOSSLESS}", "ref.mkv"), SCORED, "--sync pts",
         reference="ref.mkv"),
    Case("one frame dropped, no timestamps", "drop.y4m",
         from_reference("-vf select='not(eq(n\\,12))',setpts=N/25/TB"), WARNED),
    Case("the first two frames are missing", "early.mkv",
         from_reference(f"-vf trim=start_frame=2,setpts=PTS-STARTPTS {LOSSLESS}"), WARNED, told="2 frames early"),
    Case("the same", "early-strict.mkv",
         from_reference(f"-vf trim=start_frame=2,setpts=PTS-STARTPTS {LOSSLESS}"), REFUSED, "--strict --frame_cnt 23",
         told="2 frames early"),
    Case("50 frames per second beside 25", "fps50.mp4", from_reference(f"-r 50 {LOSSLESS}"), WARNED),
    Case("60 frames per second beside 24, and 0.4 s missing at the end", "short60.mkv", SHORT60, WARNED,
         reference="ref24.mkv", told="goes on for about"),
    Case("the same", "short60-strict.mkv", SHORT60, REFUSED, "--strict --sync pts", reference="ref24.mkv",
         told="goes on for about"),
    Case("variable frame rate in MP4: every fifth frame is left out", "vfr.mp4",
         from_reference(f"-vf select='mod(n+1\\,5)' -fps_mode vfr {LOSSLESS}", "ref.mkv"), WARNED, reference="ref.mkv",
         told="at varying distances"),
    Case("MPEG-TS, which begins at 1.4 s", "begin.ts", from_reference(LOSSLESS), SCORED, "--strict", reference="ref.mkv"),
    Case("FLV with sound", "sound.flv", f"-i ref.y4m -f lavfi -i sine=d=1 {LOSSLESS} -c:a aac OUT", SCORED, "--strict",
         reference="ref.mkv"),
    Case("Matroska with AAC sound", "sound.mkv", f"-i ref.y4m -f lavfi -i sine=d=1 {LOSSLESS} -c:a aac OUT", SCORED,
         "--strict", reference="ref.mkv"),
    Case("start offset of 3 s", "late.mkv", from_reference(f"-output_ts_offset 3 {LOSSLESS}"),
         reference="ref.mkv"),
    Case("edit list: a cut by stream copy starts between key frames", "edit.mp4",
         f"-i ref.y4m {LOSSLESS} -g 12 uncut.mp4 && -ss 0.6 -i uncut.mp4 -c copy OUT", WARNED, reference="ref.mkv"),
    Case("negative decoding times, before the first presentation time", "negative.mp4",
         from_reference("-c:v libx264 -qp 0 -bf 3 -movflags negative_cts_offsets"), reference="ref.mkv"),
    Case("B-frames, open GOP, cut at a recovery point", "open-gop.ts",
         "-i ref.y4m -c:v libx264 -x264-params open-gop=1:keyint=8:bframes=3:scenecut=0 -qp 0 uncut.ts && "
         "-ss 0.5 -i uncut.ts -c copy OUT", WARNED, reference="ref.mkv"),
    Case("MPEG-TS with a discontinuity: two recordings joined", "joined.ts",
         (f"-i ref.y4m -frames:v 12 {LOSSLESS} a.ts && -i ref.y4m -vf trim=start_frame=12,setpts=PTS-STARTPTS "
          f"{LOSSLESS} b.ts", joined("a.ts", "b.ts")), WARNED),
    Case("the same", "joined-pts.ts",
         (f"-i ref.y4m -frames:v 12 {LOSSLESS} a.ts && -i ref.y4m -vf trim=start_frame=12,setpts=PTS-STARTPTS "
          f"{LOSSLESS} b.ts", joined("a.ts", "b.ts")), REFUSED, "--sync pts", reference="ref.mkv"),
    Case("MPEG-TS that begins inside a GOP", "midgop.ts",
         part_of(from_reference(f"{LOSSLESS} -g 8"), 0.4, 1), WARNED),
    Case("bare AV1, which states no rate, beside 60 frames per second", "no-rate.obu",
         f"{AT_60} && -i ref60.mkv -c:v libsvtav1 -crf 10 -preset 12 OUT", SCORED, "--strict", reference="ref60.mkv"),
    Case("bare H.265 without timing, beside 60 frames per second", "no-rate.h265",
         f"{AT_60} && -i ref60.mkv -c:v libx265 -x265-params lossless=1:vui-timing-info=0 -preset ultrafast OUT", SCORED,
         "--strict", reference="ref60.mkv"),
    Case("bare MPEG-2, which states 30 frames per second, beside 60", "rate.m2v",
         f"{AT_60} && -i ref60.mkv -vf select='not(mod(n\\,2))',setpts=N/30/TB -r 30 -c:v mpeg2video -q:v 1 -bf 2 OUT",
         WARNED, reference="ref60.mkv",
         told="30 frames per second"),
    Case("numbered pictures beside 60 frames per second", "no-rate%04d.png",
         f"{AT_60} && -i ref.y4m {BT709} -pix_fmt rgb24 OUT", SCORED, "--convert dis:bt709 --strict",
         reference="ref60.mkv"),
    Case("MPEG-TS whose clock wraps", "wrap.ts", from_reference(f"-c:v libx264 -qp 0 -bf 2 {WRAP}"), SCORED, "--strict",
         reference="ref.mkv"),
    Case("MPEG-PS whose clock wraps", "wrap.vob", from_reference(f"-c:v mpeg2video -q:v 1 -bf 2 {WRAP} -f vob"), SCORED,
         "--strict --sync pts", reference="ref.mkv"),
    Case("AVI with B-frames, whose last frame has no time", "b-frames.avi",
         from_reference("-c:v mpeg4 -q:v 1 -bf 2"), SCORED, "--strict", reference="ref.mkv"),
    Case("AVI with B-frames at 25 frames per second, beside 50", "b-frames-half.avi",
         "-i ref.y4m -r 50 -c:v ffv1 ref50.mkv && -i ref50.mkv -r 25 -c:v libx264 -qp 0 -bf 2 OUT", WARNED,
         reference="ref50.mkv", told="25 frames per second"),
    Case("film of 24 frames per second that was retimed to 25", "retimed.mkv",
         f"-r 24 -i ref.y4m -c:v ffv1 film.mkv && -i ref.y4m {LOSSLESS} OUT", SCORED, "--strict", reference="film.mkv"),
    Case("film of 25 frames per second that was retimed to 23.976", "retimed-slow.mp4",
         f"-r 24000/1001 -i ref.y4m {LOSSLESS} OUT", SCORED, "--strict", reference="ref.mkv"),
]

NO_RANGE_FILTER = "no filter of ffmpeg rounds ranges as ITU-T H.273 does"
def halves(name, first, second, how=""):
    """Frames 0 to 11 and the others, coded apart: what the headers of each state, and options for the others."""
    steps = []
    for half, frames, metadata, options in ((1, "end_frame=12", first, ""), (2, "start_frame=12", second, how)):
        steps.append(f"-i ref.y4m -vf trim={frames} {LOSSLESS} {options} "
                     + (f"-bsf:v h264_metadata={metadata} " if metadata else "") + f"{name}-{half}.h264")
    return " && ".join(steps), joined(f"{name}-1.h264", f"{name}-2.h264")


COLOUR = [
    Case("phone video, rotated by its header", "rotated.mp4",
         f"-i ref.y4m {LOSSLESS} upright.mp4 && -i upright.mp4 -c copy -metadata:s:v rotate=90 OUT", REFUSED),
    Case("the same, beside what ffmpeg shows", "rotated-turned.mp4",
         f"-i ref.y4m {LOSSLESS} upright.mp4 && -i upright.mp4 -c copy -metadata:s:v rotate=90 OUT && -i OUT -c:v ffv1 shown.mkv",
         SCORED, "--convert dis:rotate", reference="shown.mkv"),
    Case("interlaced", "interlaced.mp4",
         from_reference("-vf tinterlace=interleave_top,fieldorder=tff,format=yuv420p -flags +ilme+ildct -c:v libx264 -qp 0"), WARNED),
    Case("PQ (HDR10)", "pq.mkv",
         from_reference(f"{LOSSLESS} -color_trc smpte2084 -color_primaries bt2020 -colorspace bt2020nc"), WARNED),
    Case("HLG", "hlg.mkv",
         from_reference(f"{LOSSLESS} -color_trc arib-std-b67 -color_primaries bt2020 -colorspace bt2020nc"), WARNED),
    Case("full range beside an unspecified range", "full.mp4",
         from_reference(f"-vf scale=in_range=tv:out_range=pc {LOSSLESS} -color_range pc"), REFUSED, told="--convert dis:range"),
    Case("called full range, beside an unspecified range, with equal samples", "full-equal.mkv",
         from_reference("-vf setparams=range=pc -c:v ffv1"), SCORED, "--strict", reference="ref.mkv"),
    Case("full range beside limited range", "full-tagged.mkv",
         "-i ref.y4m -c:v ffv1 -color_range tv limited.mkv && "
         f"-i ref.y4m -vf scale=in_range=tv:out_range=pc {LOSSLESS} -color_range pc OUT", REFUSED,
         reference="limited.mkv"),
    Case("the same", "full-converted.mkv",
         "-i ref.y4m -c:v ffv1 -color_range tv limited.mkv && "
         f"-i ref.y4m -vf scale=in_range=tv:out_range=pc {LOSSLESS} -color_range pc OUT", SCORED,
         "--convert dis:range", reference="limited.mkv",
         not_decoded=NO_RANGE_FILTER),
    Case("anamorphic samples (16:11) beside square ones", "anamorphic.mp4",
         from_reference(f"-vf setsar=16/11 {LOSSLESS}"), REFUSED, reference="ref.mkv"),
    Case("full range from frame 12 on", "range-midway.h264",
         halves("range", "video_full_range_flag=0", "video_full_range_flag=1"), REFUSED, told="frame 12 of"),
    Case("the same", "range-accepted.h264", halves("accepted", "video_full_range_flag=0", "video_full_range_flag=1"), SCORED,
         "--as-is"),
    Case("full range from frame 12 on, and nothing before", "range-found.h264", halves("found", "", "video_full_range_flag=1")),
    Case("PQ from frame 12 on", "pq-midway.h264", halves("pq", "transfer_characteristics=1", "transfer_characteristics=16"),
         WARNED, told="HDR"),
    Case("BT.2020 from frame 12 on", "primaries-midway.h264", halves("primaries", "colour_primaries=1", "colour_primaries=9"),
         WARNED, told="primaries"),
    Case("anamorphic samples from frame 12 on", "shape-midway.h264",
         halves("shape", "sample_aspect_ratio=1/1", "sample_aspect_ratio=16/11"), REFUSED, told="frame 12 of"),
    Case("rotated from frame 12 on", "rotated-midway.h264",
         halves("rotated", "", "display_orientation=insert:rotate=90"), REFUSED, told="frame 12 of"),
    Case("interlaced from frame 12 on", "interlaced-midway.h264",
         halves("interlaced", "", "", "-flags +ilme+ildct"), WARNED, told="in 13 frames"),
]

PIXELS = [
    Case("R'G'B' (x264)", "rgb.mp4", from_reference(f"{BT709} -c:v libx264rgb -qp 0 -pix_fmt rgb24"),
         reference="ref444.mkv"),
    Case("planar GBR, 8 bit (FFV1)", "gbr.mkv", from_reference(f"{BT709} -c:v ffv1 -pix_fmt bgr0"),
         reference="ref444.mkv"),
    Case("planar GBR, 10 bit (FFV1)", "gbr10.mkv", from_reference(f"{BT709} -c:v ffv1 -pix_fmt gbrp10"),
         reference="ref444p10.mkv"),
    Case("R'G'B' beside 4:2:0", "rgb420.mp4", from_reference(f"{BT709} -c:v libx264rgb -qp 0 -pix_fmt rgb24")),
    Case("R'G'B' with the matrix of BT.601, as ffmpeg makes it by default", "rgb601.mkv",
         from_reference("-c:v ffv1 -pix_fmt bgr0"), WARNED, reference="ref444.mkv"),
    Case("alpha (ProRes 4444)", "alpha.mov",
         from_reference("-vf format=yuva444p10,geq='lum=p(X\\,Y):cb=cb(X\\,Y):cr=cr(X\\,Y):a=X*3' -c:v prores_ks -profile:v 4444 "
                        "-pix_fmt yuva444p10le"), options="--convert ref:12", reference="ref444p10.mkv"),
    Case("alpha (VP9 in WebM)", "alpha.webm", from_reference("-c:v libvpx-vp9 -crf 10 -pix_fmt yuva420p")),
    Case("R'G'B' with alpha (PNG in MOV)", "rgba.mov", from_reference(f"{BT709},format=rgba -c:v png"),
         reference="ref444.mkv"),
    Case("4:1:1", "411.mkv", ffv1("yuv411p"), reference="ref422.mkv"),
    Case("4:1:0", "410.mkv", ffv1("yuv410p")),
    Case("4:4:0", "440.mkv", ffv1("yuv440p"), reference="ref444.mkv"),
    Case("NTSC DV, 4:1:1, interlaced, samples of 10:11", "dv.avi",
         from_reference("-vf scale=720:480 -r 30000/1001 -target ntsc-dv"), WARNED, alone=True),
    Case("palette (PNG in MOV)", "pal8.mov", from_reference("-c:v png -pix_fmt pal8"), alone=True),
    Case("grey beside grey", "gray.mkv", ffv1("gray"), reference="ref-gray.mkv"),
    Case("grey of 10 bit beside 8", "gray10.mkv", ffv1("gray10"), reference="ref-gray.mkv", not_decoded=NO_RANGE_FILTER),
    Case("one bit per sample (PNG in MOV)", "mono.mov", from_reference("-c:v png -pix_fmt monob"), alone=True),
    Case("16 bit", "sixteen.mkv", ffv1("yuv420p16"), reference="ref16.mkv"),
    Case("16 bit beside 8", "sixteen-eight.mkv", ffv1("yuv420p16")),
    Case("4:2:0 of 8 bit beside a master in 4:2:2 of 10 bit", "420-master.mkv", ffv1("yuv420p"),
         reference="ref422p10.mkv"),
    Case("the same", "420-master-strict.mkv", ffv1("yuv420p"), REFUSED, "--strict", reference="ref422p10.mkv",
         told="--convert dis:10"),
    Case("the same", "420-master-psnr.mkv", ffv1("yuv420p"), REFUSED, "--feature psnr", reference="ref422p10.mkv",
         told="320x180 4:2:0 8-bit"),
    Case("the same", "420-master-luma.mkv", ffv1("yuv420p"), SCORED, "--convert dis:10", reference="ref422p10.mkv"),
    Case("the same", "420-master-converted.mkv", ffv1("yuv420p"), SCORED, "--convert ref:420p8 --feature psnr",
         reference="ref422p10.mkv"),
    Case("4:2:0 beside a master in 4:4:4", "420-444.mkv", ffv1("yuv420p"), reference="ref444.mkv"),
    Case("the same", "420-444-psnr.mkv", ffv1("yuv420p"), REFUSED, "--feature psnr", reference="ref444.mkv"),
    Case("the same", "420-444-converted.mkv", ffv1("yuv420p"), SCORED, "--feature psnr --convert ref:420",
         reference="ref444.mkv"),
    Case("P010 taken for planar 10 bit", "p010.yuv", from_reference("-f rawvideo -pix_fmt p010le"), REFUSED,
         "--dis-format 320x180:420p10 --convert ref:10"),
    Case("16 bit taken for 10", "sixteen.yuv", from_reference("-f rawvideo -pix_fmt yuv420p16le"), REFUSED,
         "--dis-format 320x180:420p10 --convert ref:10"),
    Case("10 bit taken for 8", "ten.yuv", from_reference("-f rawvideo -pix_fmt yuv420p10le"), WARNED,
         "--dis-format 320x180:420p8", told="look like words of 16 bit"),
    Case("film grain in AV1", "grain.mkv", from_reference(GRAIN), alone=True),
    Case("the same", "grain-off.mkv", from_reference(GRAIN), SCORED, "--film-grain off", alone=True,
         not_decoded="ffmpeg applies the grain"),
    Case("NV12", "nv12.nut", from_reference("-c:v rawvideo -pix_fmt nv12")),
    Case("UYVY in AVI", "uyvy.avi", from_reference("-c:v rawvideo -pix_fmt uyvy422"), reference="ref422.mkv"),
    Case("v210 in MOV", "v210.mov", from_reference("-c:v v210"), reference="ref422p10.mkv"),
    Case("floating point (OpenEXR pictures)", "float%02d.exr", from_reference("-frames:v 3 -pix_fmt gbrpf32le"),
         REFUSED),
    Case("floating point, grey (PFM)", "float.pfm", from_reference("-frames:v 1 -update 1 -pix_fmt grayf32le"),
         REFUSED),
    Case("Bayer", "bayer.nut",
         "-i ref.y4m -f rawvideo -pix_fmt gray mosaic.raw && "
         "-f rawvideo -pix_fmt bayer_rggb8 -s 320x180 -i mosaic.raw -c copy OUT", REFUSED),
    Case("XYZ, as in digital cinema", "xyz.nut", from_reference("-c:v rawvideo -pix_fmt xyz12le"), REFUSED),
    Case("JPEG pictures: 4:2:0 of full range", "still%02d.jpg", from_reference("-frames:v 3 -q:v 2 -pix_fmt yuvj420p"),
         REFUSED, told="--convert dis:range"),
    Case("the same", "still-converted%02d.jpg", from_reference("-frames:v 3 -q:v 2 -pix_fmt yuvj420p"), WARNED,
         "--convert dis:range", not_decoded=NO_RANGE_FILTER),
]

CONTAINERS = [
    Case("numbered pictures", "picture%04d.png", from_reference(f"{BT709} -pix_fmt rgb24"), reference="ref444.mkv"),
    Case("one picture (PNG)", "one.png", from_reference(f"{BT709} -frames:v 1 -update 1 -pix_fmt rgb24"), WARNED,
         reference="ref444.mkv"),
    Case("TIFF pictures, with a unit of resolution", "scan%04d.tif", from_reference(f"{BT709} -pix_fmt rgb24"),
         reference="ref444.mkv"),
    Case("TIFF pictures, deflated, 16 bit", "deep%04d.tif",
         from_reference(f"{BT709} -pix_fmt rgb48le -compression_algo deflate"), reference="ref444.mkv"),
    Case("TIFF pictures, 4:2:0", "tiff420-%04d.tif", from_reference("-pix_fmt yuv420p")),
    Case("numbered pictures: a number is missing", "gap%04d.png",
         (from_reference(f"{BT709} -pix_fmt rgb24"), lambda path: (path.parent / "gap0012.png").unlink()), REFUSED,
         reference="ref444.mkv"),
    Case("numbered pictures that begin with 1001", "shot%d.png", from_reference(f"{BT709} -start_number 1001 -pix_fmt rgb24"),
         reference="ref444.mkv"),
    Case("playlist of HLS, MPEG-TS", "hls.m3u8", from_reference(f"{LOSSLESS} -g 10 -f hls -hls_time 0.4 -hls_list_size 0")),
    Case("playlist of HLS, fragmented MP4", "hls4.m3u8",
         from_reference(f"{LOSSLESS} -g 10 -f hls -hls_time 0.4 -hls_list_size 0 -hls_segment_type fmp4 "
                        "-hls_fmp4_init_filename hls4.mp4")),
    Case("list of files for concat, whose name says Matroska", "listed.mkv",
         (f"-i ref.y4m {LOSSLESS} -g 10 -f segment -segment_time 0.4 -reset_timestamps 1 listed%d.mkv",
          lambda path: path.write_text("ffconcat version 1.0\n" + "".join(f"file listed{n}.mkv\n" for n in range(3))))),
    Case("cover picture beside the film", "cover.mp4",
         "-i ref.y4m -vf scale=640:360 -frames:v 1 -update 1 big.png && "
         f"-i ref.y4m -i big.png -map 1 -map 0 -c:v:0 png -c:v:1 libx264 -qp 0 -disposition:v:0 attached_pic OUT"),
    Case("sound with a cover picture", "cover.mp3",
         "-i ref.y4m -frames:v 1 -update 1 small.png && -f lavfi -i sine=d=1 -i small.png -map 0 -map 1 -c:v png "
         "-disposition:v attached_pic OUT", REFUSED),
    Case("sound only", "sound.mp4", "-f lavfi -i sine=d=1 OUT", REFUSED),
    Case("several video streams", "several.mkv",
         f"-i ref.y4m -map 0 -map 0 -filter:v:0 scale=160:90 {LOSSLESS} -disposition:v 0 OUT", WARNED,
         told="--dis-stream"),
    Case("subtitles and chapters beside the film", "subtitles.mkv",
         (lambda path: (path.parent / "text.srt").write_text("1\n00:00:00,000 --> 00:00:00,500\nHello\n"),
          f"-i ref.y4m -i text.srt {LOSSLESS} -c:s srt OUT")),
    Case("animated GIF", "moving.gif", from_reference(""), alone=True),
    Case("animated WebP", "moving.webp", from_reference("-frames:v 5 -c:v libwebp_anim -lossless 1"), REFUSED),
    Case("WebP picture", "still.webp", from_reference("-frames:v 1 -c:v libwebp -q:v 95"), WARNED),
    Case("AVIF picture", "still.avif",
         from_reference("-frames:v 1 -c:v libaom-av1 -still-picture 1 -crf 5 -cpu-used 8 -f avif"), WARNED),
    Case("ProRes", "prores.mov", from_reference("-c:v prores_ks -profile:v hq"), reference="ref422p10.mkv"),
    Case("DNxHR", "dnxhr.mxf", from_reference("-c:v dnxhd -profile:v dnxhr_hq"), reference="ref422.mkv"),
    Case("FFV1", "ffv1.mkv", ffv1("yuv420p")),
    Case("the same file on both sides", "twice.mkv", ffv1("yuv420p"), alone=True, told="are the same file"),
    Case("AV1 in MP4", "av1.mp4", from_reference("-c:v libsvtav1 -crf 10 -preset 12")),
]

DAMAGE = [
    Case("MP4 without its index (moov missing)", "no-moov.mp4", part_of(from_reference(LOSSLESS), 0, 0.7), REFUSED),
    Case("MP4 with its index first, cut", "cut.mp4", part_of(from_reference(f"{LOSSLESS} -movflags faststart"), 0, 0.6),
         WARNED),
    Case("Matroska, cut", "cut.mkv", part_of(from_reference(LOSSLESS), 0, 0.6), WARNED, reference="ref.mkv"),
    Case("Y4M, cut inside a frame", "cut.y4m", part_of(from_reference(""), 0, 0.6), WARNED),
    Case("raw video, cut inside a frame", "cut.yuv", part_of(from_reference(""), 0, 0.61), REFUSED,
         "--dis-format 320x180:420"),
    Case("raw video, --allow-partial", "cut-allowed.yuv", part_of(from_reference(""), 0, 0.61), WARNED,
         "--dis-format 320x180:420 --allow-partial"),
    Case("raw video without a format", "plain.yuv", from_reference(""), REFUSED),
    Case("MP4 named .y4m", "mp4.y4m", (from_reference(f"{LOSSLESS} -f mp4"))),
    Case("Y4M named .mp4", "y4m.mp4", from_reference("-f yuv4mpegpipe")),
    Case("MP4 named .yuv", "mp4.yuv", from_reference(f"{LOSSLESS} -f mp4")),
    Case("empty file", "empty.mp4", stored(b""), REFUSED),
    Case("file of one byte", "byte.mp4", stored(b"a"), REFUSED),
    Case("text", "notes.txt", stored(b"Minutes of the meeting\n" * 200), REFUSED),
    Case("web page saved as a video", "page.mp4", stored(b"<!DOCTYPE html><html><body>404</body></html>\n"), REFUSED),
    Case("Y4M without a frame", "header.y4m", stored(b"YUV4MPEG2 W320 H180 F25:1 Ip A1:1 C420jpeg\n"), REFUSED),
    Case("MP4 without a frame", "no-frame.mp4", from_reference(f"-t 0 {LOSSLESS}"), REFUSED),
    Case("H.264 with damage in the middle", "damaged.mp4", (from_reference(LOSSLESS), damage), REFUSED),
    Case("MPEG-2 with damage in the middle", "damaged.mpg", (from_reference("-c:v mpeg2video -q:v 2"), damage), REFUSED),
    Case("VP9 with damage in the middle: no checksum, and libavcodec does not notice", "damaged.webm",
         (from_reference("-c:v libvpx-vp9 -crf 10"), damage)),
    Case("FFV1 with damage in the middle", "damaged-ffv1.mkv", (ffv1("yuv420p", "-level 3 -slicecrc 1"), damage),
         REFUSED),
    Case("Motion JPEG with damage in the middle", "damaged.avi",
         (from_reference("-c:v mjpeg -q:v 2 -pix_fmt yuvj420p"), damage), REFUSED),
    Case("TIFF with damage in the middle", "damaged.tif",
         (from_reference("-frames:v 1 -update 1 -pix_fmt rgb24"), damage), REFUSED,
         reference="ref444.mkv"),
    Case("ProRes with damage in the middle", "damaged.mov", (from_reference("-c:v prores_ks"), damage), REFUSED,
         reference="ref422p10.mkv"),
    Case("fragmented MP4, cut", "cut-fragments.mp4",
         part_of(from_reference(f"{LOSSLESS} -g 5 -movflags frag_keyframe+empty_moov"), 0, 0.6), WARNED),
    Case("encrypted MP4", "encrypted.mp4",
         from_reference(f"{LOSSLESS} -encryption_scheme cenc-aes-ctr -encryption_key {'01' * 16} "
                        f"-encryption_kid {'02' * 16}"), REFUSED),
    Case("frame size changes in mid-stream", "sizes.h264",
         (f"-i ref.y4m -frames:v 12 {LOSSLESS} a.h264 && -i ref.y4m -vf scale=160:90 -frames:v 12 {LOSSLESS} b.h264",
          joined("a.h264", "b.h264")), REFUSED),
    Case("bit depth changes in mid-stream", "depths.h264",
         (f"-i ref.y4m -frames:v 12 {LOSSLESS} a.h264 && -i ref.y4m -pix_fmt yuv420p10 -frames:v 12 {LOSSLESS} b.h264",
          joined("a.h264", "b.h264")), REFUSED),
]

MOVED_EDGE = "without -flags unaligned ffmpeg moves the left edge"
SIZES = [
    Case("1x1", "1x1.y4m", "-f lavfi -i testsrc2=s=64x64:d=0.2 -vf scale=1:1,format=yuv444p OUT", REFUSED, alone=True, told="the video is 1x1"),
    Case("7x7", "7x7.y4m", "-f lavfi -i testsrc2=s=64x64:d=0.2 -vf scale=7:7,format=yuv444p OUT", REFUSED, alone=True, told="the video is 7x7"),
    Case("17x19", "17x19.y4m", "-f lavfi -i testsrc2=s=64x64:d=0.2 -vf scale=17:19,format=yuv420p OUT", REFUSED, alone=True,
         told="the video is 17x19"),
    Case("35x33", "35x33.y4m", "-f lavfi -i testsrc2=s=64x64:d=0.2 -vf scale=35:33,format=yuv420p OUT", alone=True),
    Case("another size than the reference", "other.y4m", from_reference("-vf scale=640:360"), REFUSED),
    Case("a cropping window in the stream (H.264)", "window.mp4",
         f"-i ref.y4m {LOSSLESS} -bsf:v h264_metadata=crop_left=16:crop_top=8 OUT && "
         "-i ref.y4m -vf crop=304:172:16:8 -c:v ffv1 window.mkv", reference="window.mkv", not_decoded=MOVED_EDGE),
    Case("the same (HEVC)", "window-hevc.mkv",
         "-i ref.y4m -c:v libx265 -preset ultrafast -x265-params lossless=1:log-level=none "
         "-bsf:v hevc_metadata=crop_left=10:crop_right=6 OUT && "
         "-i ref.y4m -vf crop=304:180:10:0 -c:v ffv1 window-hevc-ref.mkv", reference="window-hevc-ref.mkv", not_decoded=MOVED_EDGE),
    Case("the same, beside the whole picture", "window-whole.mp4",
         f"-i ref.y4m {LOSSLESS} -bsf:v h264_metadata=crop_left=16 OUT", REFUSED, told="is 304x180 "),
]

NAMES = [
    Case("non-ASCII name", "视频 – приклад ü.mkv", from_reference(LOSSLESS)),
    Case("name with a newline and quotes", "a\"b'c\nd.mkv", from_reference(LOSSLESS)),
    Case("name of 255 bytes", "n" * 251 + ".mkv", from_reference(LOSSLESS)),
    Case("name that begins with -", "-dash.mkv", from_reference(LOSSLESS)),
    Case("name with a colon", "concat:a.mkv", from_reference(LOSSLESS)),
    Case("name with %d, of a file that exists", "100%d.mkv", from_reference(LOSSLESS)),
    Case("name that is not UTF-8", "latin\udce9.mkv", from_reference(LOSSLESS)),
    Case("name with an escape sequence of terminals", "red\x1b[31m.mkv", stored(b"x"), REFUSED, told="red\\x1b[31m.mkv"),
]

PLACES = [
    Case("FIFO", "pipe.y4m", os.mkfifo, fed="ref.y4m"),
    Case("FIFO with an MP4, whose index is at the end", "pipe.mp4",
         ("-i ref.y4m -c:v libx264 -qp 0 in-file.mp4", os.mkfifo), REFUSED, fed="in-file.mp4"),
    Case("directory", "folder.mkv", lambda path: path.mkdir(), REFUSED),
    Case("/dev/null", "/dev/null", None, REFUSED),
    Case("/dev/zero", "/dev/zero", None, REFUSED),
    Case("no such file", "missing.mkv", None, REFUSED),
    Case("no permission (as another user)", "secret.y4m", unreadable, REFUSED, as_user=True),
    Case("broken symbolic link", "broken.mkv", lambda path: path.symlink_to("nothing.mkv"), REFUSED),
    Case("symbolic link to itself", "loop.mkv", lambda path: path.symlink_to(path.name), REFUSED),
    Case("file that grows while it is read", "growing.y4m", growing, WARNED),
    Case("URL: connection refused", "http://127.0.0.1:9/a.mp4", None, REFUSED),
    Case("URL: a server that never answers", "http://127.0.0.1:SILENT/a.mp4", None, REFUSED, waits=True),
    Case("URL: no such host", f"http://{'h' * 64}/a.mp4", None, REFUSED),  # too long to be looked up in the network
    Case("URL of an unknown protocol", "gopherx://host/a.mp4", None, REFUSED),
]

GROUPS = {"Time": TIME, "Colour": COLOUR, "Pixel formats": PIXELS, "Containers and codecs": CONTAINERS,
          "Cut, damaged or something else": DAMAGE, "Sizes": SIZES, "Names": NAMES, "Places": PLACES}
