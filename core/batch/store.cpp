// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/store.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/try.hpp"
#include "base/write_all.hpp"
#include "batch/files.hpp"
#include "batch/process.hpp"

namespace isovmaf::batch {

namespace {

int open_new(const std::filesystem::path &path) {
    return retry([&] { return open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666); });
}

} // namespace

Result<std::unique_ptr<StoreWriter>> StoreWriter::create(const std::filesystem::path &folder) {
    std::unique_ptr<StoreWriter> store(new StoreWriter);
    const std::string name = unique_name();
    store->records_path_ = folder / (name + ".jsonl");
    store->words_path_ = folder / (name + ".words");
    store->words_ = open_new(store->words_path_);
    if (store->words_ == -1)
        return file_failed("make", store->words_path_, errno);
    store->records_ = open_new(store->records_path_);
    if (store->records_ == -1)
        return file_failed("make", store->records_path_, errno);
    TRY(sync_folder(folder));
    return store;
}

/// A store that nothing was written to is removed.
StoreWriter::~StoreWriter() {
    const bool empty = records_ != -1 && lseek(records_, 0, SEEK_END) == 0;
    for (const int descriptor : {records_, words_})
        if (descriptor != -1)
            close(descriptor);
    if (!empty)
        return;
    unlink(records_path_.c_str());
    unlink(words_path_.c_str());
}

Result<void> StoreWriter::append_locked(const StoreRecord &record) {
    // A line feed ends what a write that failed left behind.
    int error = write_all(records_, (torn_ ? "\n" : "") + encode_record(record));
    torn_ = error != 0;
    if (error == 0 && retry([&] { return fdatasync(records_); }) != 0)
        error = errno;
    return error == 0 ? Result<void>() : file_failed("write", records_path_, error);
}

Result<void> StoreWriter::append(const StoreRecord &record) {
    const std::lock_guard lock(mutex_);
    return append_locked(record);
}

Result<void> StoreWriter::finished(UnitRecord record, std::span<const std::byte> words) {
    const std::lock_guard lock(mutex_);
    int error = write_all(words_, {reinterpret_cast<const char *>(words.data()), words.size()});
    if (error == 0 && retry([&] { return fdatasync(words_); }) != 0)
        error = errno;
    // After a failed write the file may hold a part of the words: the next words begin behind it.
    const off_t end = lseek(words_, 0, SEEK_END);
    const std::uint64_t offset = words_end_;
    words_end_ = static_cast<std::uint64_t>(std::max<off_t>(end, 0));
    if (error != 0)
        return file_failed("write", words_path_, error);
    record.words = WordsPlace{offset, words.size()};
    return append_locked(record);
}

} // namespace isovmaf::batch
