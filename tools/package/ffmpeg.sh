# SPDX-License-Identifier: BSD-2-Clause-Patent
# FFmpeg as the packages carry it: shared libraries under the LGPL, which decode and read what the lists name, and need no
# library beside the C library. The decoders of NVIDIA GPUs open the driver when they are used.
# shellcheck shell=bash
ffmpeg_libraries() {
    local decoders=(
        # of today's encodes and masters
        h264 hevc av1 libdav1d vp8 vp9 prores dnxhd ffv1 cfhd mpeg1video mpeg2video mpeg4 vc1 wmv3 mjpeg jpeg2000 dvvideo
        # lossless, and samples as they are
        rawvideo wrapped_avframe v210 v210x v308 v408 v410 r10k r210 ayuv yuv4 y41p bitpacked huffyuv ffvhuff utvideo magicyuv
        qtrle
        # older
        h263 h263p msmpeg4v2 msmpeg4v3 theora vp3 flv
        # pictures
        png apng tiff bmp exr dpx targa webp gif qoi sgi pgm pgmyuv ppm pbm pam pfm
    )
    local demuxers=(
        mov matroska mpegts mpegps mpegvideo avi flv ivf obu h264 hevc m4v vc1 mjpeg dnxhd dv mxf ogg asf nut yuv4mpegpipe
        rawvideo bitpacked v210 v210x apng gif concat hls image2 image2pipe image_bmp_pipe image_dpx_pipe image_exr_pipe
        image_gif_pipe image_j2k_pipe image_jpeg_pipe image_pam_pipe image_pbm_pipe image_pfm_pipe image_pgm_pipe
        image_pgmyuv_pipe image_png_pipe image_ppm_pipe image_qoi_pipe image_sgi_pipe image_tiff_pipe image_webp_pipe
    )
    local parsers=(
        h264 hevc av1 vp8 vp9 vp3 dnxhd mpegvideo mpeg4video vc1 mjpeg jpeg2000 h263 png bmp dpx gif pnm qoi webp
    )
    local encoders=(mjpeg) # of the pictures in HTML reports
    local protocols=(file pipe data concat concatf subfile crypto cache)
    local hwaccels=(h264_nvdec hevc_nvdec av1_nvdec vp9_nvdec)
    local folder=$build/objects/ffmpeg options=() name
    for name in "${decoders[@]}"; do options+=("--enable-decoder=$name"); done
    for name in "${demuxers[@]}"; do options+=("--enable-demuxer=$name"); done
    for name in "${parsers[@]}"; do options+=("--enable-parser=$name"); done
    for name in "${encoders[@]}"; do options+=("--enable-encoder=$name"); done
    for name in "${protocols[@]}"; do options+=("--enable-protocol=$name"); done
    for name in "${hwaccels[@]}"; do options+=("--enable-hwaccel=$name"); done
    rm -rf "$folder" "$ffmpeg"
    mkdir -p "$build/objects"
    cp -r "$work/sources/ffmpeg" "$folder"
    cd "$folder"
    # FFmpeg writes its options into its libraries: they name no folder of this machine.
    PATH=$build/bin:$PATH ./configure --prefix=/ffmpeg --cc=cc --cxx=c++ --ar=ar --ranlib=ranlib --pkg-config=pkg-config \
        --enable-cross-compile --target-os=linux --arch="$arch" \
        --disable-gpl --disable-version3 --disable-nonfree --enable-shared --disable-static --enable-pic \
        --disable-autodetect --disable-everything --disable-network --disable-programs --disable-doc --disable-debug \
        --disable-stripping --disable-avdevice --disable-avfilter --disable-swresample --disable-postproc \
        --enable-libdav1d --enable-zlib \
        --enable-ffnvcodec --enable-cuda --enable-cuvid --enable-nvdec \
        --extra-cflags="-ffp-contract=off -g0" --extra-ldflags="${link_flags[*]}" \
        "${options[@]}"
    # configure finds the function sysctl, since zig links it for old programs; but zig has no header that declares it.
    sed -i 's/^#define HAVE_SYSCTL 1$/#define HAVE_SYSCTL 0/' config.h
    PATH=$build/bin:$PATH make -j"$jobs"
    PATH=$build/bin:$PATH make install DESTDIR="$build/objects/ffmpeg-installed"
    mv "$build/objects/ffmpeg-installed/ffmpeg" "$ffmpeg"
    sed -i "s,=/ffmpeg,=$ffmpeg," "$ffmpeg"/lib/pkgconfig/*.pc
}
