// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <vector>

#include "common/checks.hpp"
#include "gpu_layer/buffer.hpp"

/// The operations of a recorded sequence. Each holds the checked arguments of one call of the runtime.
namespace isovmaf::gpu {

class Fill {
  public:
    Fill(const isovmaf_device &device, const isovmaf_range &range, std::uint64_t bytes, std::uint32_t word);
    void submit(const Api &api, hipStream_t stream) const;

  private:
    std::byte *to_;
    std::uint64_t words_;
    std::uint32_t word_;
};

class Copy {
  public:
    Copy(const isovmaf_device &device, const isovmaf_copy &copy);
    void submit(const Api &api, hipStream_t stream) const;

  private:
    plugin::CopyRows rows_;
    std::byte *from_, *to_;
    hipMemcpyKind kind_;
};

class Launch {
  public:
    Launch(const isovmaf_device &device, const isovmaf_dispatch &dispatch);
    void submit(const Api &api, hipStream_t stream) const;

  private:
    const isovmaf_kernel *kernel_;
    isovmaf_dispatch shape_; ///< only groups and group_size are used
    std::vector<std::byte *> addresses_;
    std::vector<std::byte> params_;
    mutable std::vector<void *> arguments_; ///< addresses of the parameters, which the two above hold
};

} // namespace isovmaf::gpu
