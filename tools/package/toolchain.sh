# SPDX-License-Identifier: BSD-2-Clause-Patent
# The compiler: clang of the package ziglang, which brings the headers of every C library, and its C++ library, which is
# linked statically. So what it makes needs no newer C library than the one that is named here.
# shellcheck shell=bash
glibc=2.28

# Tools of the Python Package Index, in a folder of their own.
toolchain() {
    rm -rf "$work/tools"
    python3 -m pip install --quiet --no-deps --target "$work/tools" "ziglang==$(column zig 4)" "meson==$(column meson 4)"
}

# compilers: writes the commands that Meson and configure call, and Meson's description of the machine.
compilers() {
    local tool
    mkdir -p "$build/bin"
    for tool in cc c++; do
        # Meson makes what is linked with FFmpeg search FFmpeg's folder on this machine. The wrapper leaves that out: a tool
        # that changes the entry later leaves the text of the path in the file. And zig has its own names for what the Arm
        # architectures of -march have.
        cat > "$build/bin/zig-$tool" << END
#!/bin/sh
for word; do
    shift
    case \$word in
        -Wl,-rpath,* | -Wl,-rpath-link,*) ;;
        -march=armv8-a+*) set -- "\$@" "-mcpu=generic+\${word#*+}" ;;
        -march=armv8.2-a+*) set -- "\$@" "-mcpu=generic+v8_2a+\${word#*+}" ;;
        *) set -- "\$@" "\$word" ;;
    esac
done
exec "$work/tools/ziglang/zig" $tool -target $target.$glibc "\$@"
END
        cat > "$build/bin/$tool" << END
#!/bin/sh
export CCACHE_COMPILERTYPE=clang CCACHE_COMPILERCHECK="string:zig $(column zig 4) $target.$glibc" CCACHE_DEPEND=1
export CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=gcno_cwd
exec $(command -v ccache) "$build/bin/zig-$tool" "\$@"
END
    done
    printf '#!/bin/sh\nexec "%s" ranlib "$@"\n' "$work/tools/ziglang/zig" > "$build/bin/ranlib"
    # Meson asks for thin archives (T), which zig cannot link.
    cat > "$build/bin/ar" << END
#!/bin/sh
[ "\$1" != csrDT ] || { shift; set -- csrD "\$@"; }
exec "$work/tools/ziglang/zig" ar "\$@"
END
    cat > "$build/bin/pkg-config" << END
#!/bin/sh
PKG_CONFIG_LIBDIR=$prefix/lib/pkgconfig:$ffmpeg/lib/pkgconfig exec $(command -v pkg-config) "\$@"
END
    chmod +x "$build/bin/"*
    cat > "$build/machine.ini" << END
[binaries]
c = '$build/bin/cc'
cpp = '$build/bin/c++'
ar = '$build/bin/ar'
ranlib = '$build/bin/ranlib'
pkg-config = '$build/bin/pkg-config'
pkgconfig = '$build/bin/pkg-config'
END
    if [[ $arch != "$(uname -m)" ]]; then
        cat >> "$build/machine.ini" << END
exe_wrapper = ['qemu-$arch', '-L', '/usr/$arch-linux-gnu']

[host_machine]
system = 'linux'
cpu_family = '$arch'
cpu = '$arch'
endian = 'little'
END
    fi
}

# What everything is compiled and linked with. Without -g0 zig writes debug information, which takes long. Paths of this
# machine would show in messages of assertions.
compile_flags=(-O3 -g0 -fPIC -ffp-contract=off "-ffile-prefix-map=$work=/package" "-ffile-prefix-map=$root=/package/isovmaf")
link_flags=(-Wl,-s '-Wl,-z,noexecstack')

meson() { PYTHONPATH=$work/tools python3 -m mesonbuild.mesonmain "$@"; }

# machine_options: how Meson is told of the machine.
machine_options() {
    if [[ $arch == "$(uname -m)" ]]; then
        echo --native-file "$build/machine.ini"
    else
        echo --cross-file "$build/machine.ini"
    fi
}
