# SPDX-License-Identifier: BSD-2-Clause-Patent
# A package for Spack 1.0 or later: put this file into a repository of yours as packages/isovmaf/package.py, and name your
# clone of isovmaf below. Spack has never run it: it is in neither Debian nor the Python Package Index.
from spack.package import *
from spack_repo.builtin.build_systems.meson import MesonPackage


class Isovmaf(MesonPackage):
    """VMAF and its features: the same number on every backend, to the last bit."""

    git = "file:///path/to/isovmaf"  # nothing is published yet

    license("BSD-2-Clause-Patent")

    version("0.1.0", branch="main")

    variant("hip", default=False, description="Plugin for AMD GPUs; opens ROCm when it is used")
    variant("cuda", default=False, description="Plugin for NVIDIA GPUs; opens the driver when it is used")
    variant("mpi", default=False, description="Plugin with which the ranks of an MPI job share a batch")
    variant("python", default=False, description="Python package isovmaf")
    variant("libvmaf", default=False, description="libvmaf.so.3 and vmaf, in place of libvmaf's")

    depends_on("cxx", type="build")
    depends_on("c", type="build")
    depends_on("meson@1.0:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("python@3.9:", type="build", when="~python")

    depends_on("cli11@2.1:")
    depends_on("ffmpeg@4.4:")
    depends_on("fmt@9:")
    depends_on("highway@1.0.3:")
    depends_on("hwloc@2:")
    depends_on("nlohmann-json@3.9:")
    depends_on("pugixml@1.9:")
    depends_on("tl-expected")
    depends_on("xxhash@0.8:")

    depends_on("cuda@12:", type="build", when="+cuda")
    depends_on("llvm@19: +clang +lld", type="build", when="+hip")  # compiles for AMD GPUs without ROCm
    depends_on("mpi", when="+mpi")
    depends_on("py-numpy", type=("build", "run"), when="+python")
    depends_on("py-pybind11@2.12:", type="build", when="+python")
    depends_on("python@3.9:", type=("build", "link", "run"), when="+python")
    extends("python", when="+python")
    conflicts("libvmaf", when="+libvmaf", msg="both have libvmaf.so.3")

    def meson_args(self):
        def feature(option, wanted):
            return f"-D{option}={'enabled' if wanted in self.spec else 'disabled'}"

        args = ["-Dtests=disabled", "-Dhwloc=enabled", "-Denable_vulkan=disabled", "-Denable_host=disabled",
                feature("enable_hip", "+hip"), feature("enable_cuda", "+cuda"), feature("mpi", "+mpi"),
                feature("python", "+python")]
        if "+libvmaf" in self.spec:
            args += ["-Dinstall_libvmaf=true", "-Dinstall_vmaf=true"]
        if "+hip" in self.spec:
            args.append(f"-Dhip_compiler={self.spec['llvm'].prefix.bin.join('clang++')}")
        return args

    def setup_run_environment(self, env):
        env.prepend_path("LD_LIBRARY_PATH", self.spec["ffmpeg"].prefix.lib)  # is opened when a file needs it
