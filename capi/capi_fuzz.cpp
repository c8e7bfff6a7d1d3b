// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include "capi/fuzz_input.hpp"
#include "capi/metadata_handler.h"
#include "libvmaf/libvmaf.h"

/// The input is a list of calls: a byte chooses a function, the bytes after it the arguments. The library
/// has to detect wrong arguments and a wrong order of calls. The program avoids only mistakes that no library can
/// detect: it passes no pointer to a destroyed object, and does not wait for a picture of a pool while it holds all
/// pictures of that pool.
namespace isovmaf::capi::capi_fuzz {
namespace {

constexpr int longest = 60; ///< calls of one input

/// All that the calls of one input hold.
struct Program {
    VmafContext *context = nullptr;
    VmafFeatureDictionary *dictionary = nullptr;
    VmafModel *model = nullptr; ///< the last of `models`, or none
    VmafModelCollection *collection = nullptr;
    std::vector<VmafModel *> models; ///< a context with a handler predicts with them until it is flushed
    std::vector<VmafModelCollection *> collections;
    std::array<VmafPicture, 6> pictures{};
    std::array<bool, 6> from_pool{};
    unsigned pool_size = 0; ///< pictures of the context's pool; 0 where a fetch fails at once

    Program() = default;
    Program(const Program &) = delete;
    Program &operator=(const Program &) = delete;

    ~Program() {
        close();
        vmaf_feature_dictionary_free(&dictionary);
        for (VmafModel *loaded : models)
            vmaf_model_destroy(loaded);
        for (VmafModelCollection *loaded : collections)
            vmaf_model_collection_destroy(loaded);
        for (VmafPicture &picture : pictures)
            vmaf_picture_unref(&picture);
    }

    void keep(VmafModel *loaded, VmafModelCollection *loaded_collection) {
        models.push_back(model = loaded);
        collections.push_back(collection = loaded_collection);
    }

    void close() {
        vmaf_close(context);
        context = nullptr;
        pool_size = 0;
        from_pool.fill(false);
    }
};

VmafPicture *picture_from(Program &program, Bytes &bytes) {
    const unsigned choice = bytes.next();
    return choice < 250 ? &program.pictures[choice % program.pictures.size()] : nullptr;
}

void handle(void *calls, VmafMetadata *metadata) {
    if (metadata->feature_name != nullptr)
        ++*static_cast<unsigned *>(calls);
}

unsigned handled = 0;

void init(Program &program, Bytes &bytes) {
    program.close();
    VmafConfiguration configuration{};
    configuration.n_threads = bytes.next() % 3;
    configuration.n_subsample = bytes.next() % 4;
    configuration.cpumask = bytes.next() % 64;
    vmaf_init(&program.context, configuration);
    if (configuration.n_threads > 0) // the library makes a pool of its own at the first fetch
        program.pool_size = 2 * configuration.n_threads + 2;
}

void close(Program &program, Bytes &) { program.close(); }

void set_option(Program &program, Bytes &bytes) {
    const std::string key = name_from(bytes, options), value = name_from(bytes, values);
    vmaf_feature_dictionary_set(&program.dictionary, key.c_str(), bytes.next() == 255 ? nullptr : value.c_str());
}

void free_dictionary(Program &program, Bytes &) { vmaf_feature_dictionary_free(&program.dictionary); }

void use_feature(Program &program, Bytes &bytes) {
    const std::string name = name_from(bytes, extractors);
    if (vmaf_use_feature(program.context, name.c_str(), program.dictionary) == 0)
        program.dictionary = nullptr; // success consumes a dictionary
}

VmafModelConfig configuration_from(Bytes &bytes) { return {bytes.next() % 4 == 0 ? nullptr : "b", bytes.next() % 8U}; }

void load_model(Program &program, Bytes &bytes) {
    VmafModelConfig configuration = configuration_from(bytes);
    const std::string version = name_from(bytes, versions);
    VmafModel *model = nullptr;
    vmaf_model_load(&model, &configuration, version.c_str());
    program.keep(model, nullptr);
}

void use_models(Program &program, Bytes &) {
    vmaf_use_features_from_model(program.context, program.model);
    vmaf_use_features_from_model_collection(program.context, program.collection);
}

void fill(VmafPicture &picture, unsigned seed) {
    for (unsigned plane = 0; plane < 3; plane++)
        for (unsigned y = 0; y < picture.h[plane]; y++) {
            auto *row = static_cast<std::uint8_t *>(picture.data[plane]) +
                        picture.stride[plane] * static_cast<std::ptrdiff_t>(y);
            for (unsigned x = 0; x < picture.w[plane] * (picture.bpc > 8 ? 2 : 1); x++)
                row[x] =
                    static_cast<std::uint8_t>((x * y + x * seed) & (picture.bpc > 8 && x % 2 == 1 ? 0x03U : 0xFFU));
        }
}

/// One pair as most programs read it, so that long inputs are not needed for a few frames.
void read_pair(Program &program, Bytes &bytes) {
    VmafPicture reference{}, distorted{};
    vmaf_picture_alloc(&reference, VMAF_PIX_FMT_YUV420P, 8, 48, 40);
    vmaf_picture_alloc(&distorted, VMAF_PIX_FMT_YUV420P, 8, 48, 40);
    fill(reference, bytes.next());
    fill(distorted, bytes.next());
    if (vmaf_read_pictures(program.context, &reference, &distorted, bytes.number()) != 0) {
        vmaf_picture_unref(&reference);
        vmaf_picture_unref(&distorted);
    }
}

void flush(Program &program, Bytes &) { vmaf_read_pictures(program.context, nullptr, nullptr, 0); }

void release(Program &program, Bytes &bytes) { vmaf_picture_unref(picture_from(program, bytes)); }

void preallocate(Program &program, Bytes &bytes) {
    VmafPictureConfiguration configuration{{48, 40, 8, VMAF_PIX_FMT_YUV420P}, bytes.next() % 9};
    if (bytes.next() % 4 == 0)
        configuration.pic_params = {bytes.number(), bytes.number(), bytes.next() % 20,
                                    static_cast<VmafPixelFormat>(bytes.next() % 6)};
    if (vmaf_preallocate_pictures(program.context, configuration) == 0) {
        program.pool_size = configuration.pic_cnt;
        program.from_pool.fill(false);
    }
}

/// A model file that the input holds. The built-in collection takes seconds to load under sanitizers, so collections
/// come from here.
void load_file(Program &program, Bytes &bytes) {
    VmafModelConfig configuration = configuration_from(bytes);
    const bool as_collection = bytes.next() % 2 == 0;
    const std::string content = bytes.long_text();
    const int file = memfd_create("model", 0);
    if (file < 0 || write(file, content.data(), content.size()) != static_cast<ssize_t>(content.size()))
        std::abort();
    const std::string path = "/proc/self/fd/" + std::to_string(file);
    VmafModel *model = nullptr;
    VmafModelCollection *collection = nullptr;
    if (as_collection)
        vmaf_model_collection_load_from_path(&model, &collection, &configuration, path.c_str());
    else
        vmaf_model_load_from_path(&model, &configuration, path.c_str());
    ::close(file);
    program.keep(model, collection);
}

void overload(Program &program, Bytes &bytes) {
    const std::string name = name_from(bytes, extractors);
    if (vmaf_model_feature_overload(program.model, name.c_str(), program.dictionary) == 0)
        program.dictionary = nullptr;
}

void overload_collection(Program &program, Bytes &bytes) {
    const std::string name = name_from(bytes, extractors);
    if (vmaf_model_collection_feature_overload(program.model, &program.collection, name.c_str(), program.dictionary) ==
        0)
        program.dictionary = nullptr;
}

void allocate(Program &program, Bytes &bytes) {
    VmafPicture *picture = picture_from(program, bytes);
    if (picture != nullptr && picture->ref != nullptr)
        return;
    const unsigned format = bytes.next() % 7, depth = bytes.next() % 4 == 0 ? bytes.next() % 20 : 8;
    const unsigned size = bytes.next();
    const unsigned width = size < 128 ? 48 : bytes.number() * 5, height = size < 192 ? 40 : bytes.number() * 4;
    if (vmaf_picture_alloc(picture, static_cast<VmafPixelFormat>(format), depth, width, height) == 0)
        fill(*picture, bytes.next());
}

void read(Program &program, Bytes &bytes) {
    VmafPicture *reference = picture_from(program, bytes), *distorted = picture_from(program, bytes);
    vmaf_read_pictures(program.context, reference, distorted, bytes.number());
}

/// The context keeps two pictures of its own for motion.
void fetch(Program &program, Bytes &bytes) {
    const std::size_t slot = bytes.next() % program.pictures.size();
    unsigned held = 2;
    for (std::size_t i = 0; i < program.pictures.size(); i++)
        held += program.from_pool[i] && program.pictures[i].ref != nullptr ? 1U : 0U;
    if (program.pictures[slot].ref != nullptr || (program.pool_size != 0 && held >= program.pool_size))
        return;
    if (vmaf_fetch_preallocated_picture(program.context, &program.pictures[slot]) == 0) {
        program.from_pool[slot] = true;
        fill(program.pictures[slot], static_cast<unsigned>(slot));
    }
}

void import_score(Program &program, Bytes &bytes) {
    const std::string name = name_from(bytes, features);
    vmaf_import_feature_score(program.context, name.c_str(), static_cast<double>(bytes.number()) / 7, bytes.number());
}

void query(Program &program, Bytes &bytes) {
    const std::string name = name_from(bytes, features);
    const auto method = static_cast<VmafPoolingMethod>(bytes.next() % 7);
    const unsigned low = bytes.number(), high = bytes.number();
    double score = 0;
    VmafModelCollectionScore collection_score{};
    vmaf_feature_score_at_index(program.context, name.c_str(), &score, low);
    vmaf_feature_score_pooled(program.context, name.c_str(), method, &score, low, high);
    vmaf_score_at_index(program.context, program.model, &score, low);
    vmaf_score_pooled(program.context, program.model, method, &score, low, high);
    vmaf_score_at_index_model_collection(program.context, program.collection, &collection_score, low);
    vmaf_score_pooled_model_collection(program.context, program.collection, method, &collection_score, low, high);
}

void register_handler(Program &program, Bytes &bytes) {
    static std::array<char, 8> names[] = {{"psnr_y"}, {"vmaf"}, {"b"}};
    vmaf_register_metadata_handler(program.context, {names[bytes.next() % 3].data(), handle, &handled});
}

void write_report(Program &program, Bytes &bytes) {
    vmaf_write_output(program.context, "/dev/null", static_cast<VmafOutputFormat>(bytes.next() % 6));
}

constexpr std::array steps = {init,
                              close,
                              set_option,
                              free_dictionary,
                              use_feature,
                              load_model,
                              load_file,
                              overload,
                              overload_collection,
                              use_models,
                              allocate,
                              read_pair,
                              read,
                              flush,
                              release,
                              preallocate,
                              fetch,
                              import_score,
                              query,
                              register_handler,
                              write_report};

} // namespace
} // namespace isovmaf::capi::capi_fuzz

extern "C" int LLVMFuzzerInitialize(int *, char ***) {
    setenv("ISOVMAF_LOG", "none", 1); // NOLINT: no other thread runs yet
    setenv("ISOVMAF_BACKEND", "cpu", 1);
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace isovmaf::capi::capi_fuzz;
    Bytes bytes(std::span(data, size));
    Program program;
    for (int calls = 0; calls < longest && !bytes.empty(); calls++)
        steps[bytes.next() % steps.size()](program, bytes);
    return 0;
}
