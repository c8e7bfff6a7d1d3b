#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause-Patent
# Makes the clips in testdata/clips with ffmpeg alone: a drawn landscape under drifting clouds, with a balloon, haze and
# film grain. Everything is synthetic, so the clips carry no licence but the project's own.
set -euo pipefail
cd "$(dirname "$0")"

canvas=2560x720 # of the layers, twice as wide as the view that drifts over them
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# One thread: the noise sources draw random numbers in raster order.
ff() { ffmpeg -hide_banner -loglevel error -nostdin -y -filter_threads 1 -filter_complex_threads 1 "$@"; }

# fractal_noise NAME SEED OCTAVE...: value noise on a canvas, every octave with half the weight of the one before.
fractal_noise() {
    local name=$1 seed=$2 graph='' inputs='' weights='' i=0
    shift 2
    local weight=$((1 << $#))
    for octave in "$@"; do
        graph+="nullsrc=s=$octave:r=1,format=gray,geq=lum='if(X+Y,0,st(0,$((seed + i))*1e15));255*random(0)',"
        graph+="scale=${canvas/x/:}:flags=bicubic[o$i];"
        inputs+="[o$i]"
        weights+="$((weight >>= 1)) "
        i=$((i + 1))
    done
    ff -filter_complex "$graph${inputs}mix=inputs=$i:weights='${weights% }',normalize=smoothing=0" -frames:v 1 "$work/$name.png"
}

# ridge NAME BASE HEIGHT PHASE: white below a mountain line, black above, with a soft edge of a few pixels.
ridge() {
    ff -filter_complex "nullsrc=s=$canvas:r=1,format=gray,geq=lum='clip(128+40*(Y-$2+$3*(
        0.50*sin(X/211+$4)+0.30*sin(X/97+2*$4)+0.16*abs(sin(X/41+3*$4))+0.08*sin(X/17+5*$4)+0.05*sin(X/7+$4))),0,255)'" \
        -frames:v 1 "$work/$1.png"
}

fractal_noise clouds 11 8x4 16x8 32x16 64x32 128x64 256x128
fractal_noise rock 23 80x22 160x45 320x90 640x180 1280x360 1280x360 2560x720
fractal_noise grass 37 160x24 320x60 640x120 1280x240 1280x240 2560x720
ridge far 330 90 0.3
ridge near 470 70 1.9
ridge field 590 22 4.1

# Layers are drawn at twice the size and scaled down, so that whole-pixel drifts become half-pixel motion.
cat > "$work/graph" <<'GRAPH'
nullsrc=s=1280x720:r=25,format=gbrp,geq=r='70+95*Y/H':g='120+75*Y/H':b='205+15*Y/H',trim=end_frame=1,loop=-1:1,setpts=N/25/TB[blue];
nullsrc=s=1280x720:r=25,format=gbrp,geq=r=246:g=243:b=238,trim=end_frame=1,loop=-1:1,setpts=N/25/TB[white];
[0:v]crop=1280:720:x='n*3':y=0,format=gray,lut=y='clip((val-105)*2.2,0,235)',format=gbrp[cloud_mask];
[blue][white][cloud_mask]maskedmerge[sky];
[1:v]split[rock_a][rock_b];
[rock_a]crop=1280:720:x='200+n*2':y=0,format=gbrp,lutrgb=r='96+val*0.32':g='112+val*0.30':b='140+val*0.22'[far_paint];
[rock_b]crop=1280:720:x='40+n*4':y=0,format=gbrp,lutrgb=r='38+val*0.42':g='52+val*0.40':b='44+val*0.26'[near_paint];
[2:v]crop=1280:720:x='n*8':y=0,format=gbrp,lutrgb=r='30+val*0.50':g='48+val*0.58':b='14+val*0.20'[field_paint];
[3:v]crop=1280:720:x='200+n*2':y=0,format=gbrp[far_mask];
[4:v]crop=1280:720:x='40+n*4':y=0,format=gbrp[near_mask];
[5:v]crop=1280:720:x='n*8':y=0,format=gbrp[field_mask];
[sky][far_paint][far_mask]maskedmerge[a];
[a][near_paint][near_mask]maskedmerge[b];
[b][field_paint][field_mask]maskedmerge,format=rgba[land];
nullsrc=s=160x220:r=25,format=rgba,geq=
 r='if(lt(hypot(X-80,Y-80),78),(180+60*gt(sin((X-80)/sqrt(max(1,6084-pow(Y-80,2)))*9),0))*(1-0.35*hypot(X-55,Y-50)/120),95)':
 g='if(lt(hypot(X-80,Y-80),78),(40+150*gt(sin((X-80)/sqrt(max(1,6084-pow(Y-80,2)))*9),0))*(1-0.35*hypot(X-55,Y-50)/120),62)':
 b='if(lt(hypot(X-80,Y-80),78),(36+30*gt(sin((X-80)/sqrt(max(1,6084-pow(Y-80,2)))*9),0))*(1-0.35*hypot(X-55,Y-50)/120),34)':
 a='255*clip(max(78-hypot(X-80,Y-80),max(min(12-abs(X-80),12-abs(Y-198)),1.5-abs(abs(X-80)-11-(190-Y)/2.2)-100*gt(abs(Y-165),25))),0,1)',
 trim=end_frame=1,loop=-1:1,setpts=N/25/TB[balloon];
[land][balloon]overlay=x='300+n*5':y='150-n*1.5+10*sin(n/9)':shortest=0,format=gbrp,noise=alls=9:allf=t:all_seed=5,scale=SIZE:flags=lanczos,format=SAMPLES[out]
GRAPH

layers=()
for layer in clouds rock grass far near field; do
    layers+=(-loop 1 -framerate 25 -i "$work/$layer.png")
done

# pair NAME SAMPLES PROFILE SIZE FRAMES: the distorted video is made from the stored reference, so the two files are the
# whole truth; what the drawing looked like before its first encoding plays no part in a score.
pair() {
    local ref=clips/$1_ref.mkv dis=clips/$1_dis.mkv
    local x264=(-c:v libx264 -preset slow -profile:v "$3" -threads 1 -bitexact -map_metadata -1)
    sed -e "s/SAMPLES/$2/" -e "s/SIZE/${4/x/:}/" "$work/graph" > "$work/graph.$1"
    ff "${layers[@]}" -filter_complex_script "$work/graph.$1" -map '[out]' -frames:v "$5" -c:v ffv1 "$work/$1.mkv"
    ff -i "$work/$1.mkv" "${x264[@]}" -crf 14 "$ref"
    ff -i "$ref" "${x264[@]}" -crf 34 "$dis"
}

mkdir -p clips
pair landscape_640x360_8b yuv420p high 640x360 60
pair landscape_576x324_10b yuv420p10 high10 576x324 10
ls -l clips
