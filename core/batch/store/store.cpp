// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/store/store.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <utility>

#include "base/file_io.hpp"
#include "base/try.hpp"
#include "batch/store/files.hpp"
#include "batch/store/process_name.hpp"

namespace isovmaf::batch {

namespace {

int open_new(const std::filesystem::path &path) {
    return retry([&] { return open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666); });
}

} // namespace

Result<std::unique_ptr<StoreWriter>> StoreWriter::create(const std::filesystem::path &folder, const Shard &shard) {
    std::unique_ptr<StoreWriter> store(new StoreWriter);
    const std::string name = shard_prefix(shard) + unique_name();
    store->records_path_ = folder / (name + ".jsonl");
    store->words_path_ = folder / (name + ".words");
    store->words_ = open_new(store->words_path_);
    if (store->words_ == -1)
        return file_failed("make", store->words_path_, errno);
    store->records_ = open_new(store->records_path_);
    if (store->records_ == -1)
        return file_failed("make", store->records_path_, errno);
    TRY(sync_folder(folder));
    store->writer_ = std::jthread([&self = *store](const std::stop_token &stopped) { self.write_batches(stopped); });
    return store;
}

/// A store without records of units or inputs is removed.
StoreWriter::~StoreWriter() {
    if (writer_.joinable()) {
        writer_.request_stop();
        writer_.join();
    }
    for (const int descriptor : {records_, words_})
        if (descriptor != -1)
            close(descriptor);
    if (has_records_)
        return;
    unlink(records_path_.c_str());
    unlink(words_path_.c_str());
}

Result<void> StoreWriter::failure() const { return failure_ ? tl::unexpected(*failure_) : Result<void>(); }

Result<void> StoreWriter::add(const StoreRecord &record, Held held) {
    TRY(failure());
    next_.records += encode_record(record);
    next_.held.push_back(std::move(held));
    changed_.notify_all();
    return {};
}

Result<void> StoreWriter::append(const StoreRecord &record, Held held) {
    const std::lock_guard lock(mutex_);
    return add(record, std::move(held));
}

/// Memory does not grow: words go to the file at once, which makes a worker wait when the disk is too slow.
Result<WordsPlace> StoreWriter::write_words(std::span<const std::byte> bytes) {
    const int error = write_all(words_, {reinterpret_cast<const char *>(bytes.data()), bytes.size()});
    if (error != 0) {
        failure_ = file_failed("write", words_path_, error).value(); // what was handed over before is written yet
        return tl::unexpected(*failure_);
    }
    next_.words = true;
    return WordsPlace{std::exchange(words_end_, words_end_ + bytes.size()), bytes.size()};
}

Result<void> StoreWriter::finished(UnitRecord record, std::span<const std::byte> words, Held held,
                                   std::span<const std::byte> pictures) {
    const std::lock_guard lock(mutex_);
    TRY(failure());
    record.words = TRY(write_words(words));
    if (!pictures.empty())
        record.pictures = TRY(write_words(pictures));
    return add(record, std::move(held));
}

Result<void> StoreWriter::flush() {
    std::unique_lock lock(mutex_);
    flushing_++;
    changed_.notify_all();
    changed_.wait(lock, [this] { return !writing_ && next_.held.empty(); });
    flushing_--;
    return failure();
}

Result<void> StoreWriter::write(const Batch &batch) {
    if (batch.words && retry([&] { return fdatasync(words_); }) != 0)
        return file_failed("write", words_path_, errno);
    TRY(write_records(batch.records));
    if (retry([&] { return fdatasync(records_); }) != 0)
        return file_failed("write", records_path_, errno);
    return {};
}

Result<void> StoreWriter::write_records(std::string_view records) {
    const std::lock_guard lock(writing_records_);
    const int error = write_all(records_, records);
    return error == 0 ? Result<void>() : file_failed("write", records_path_, error);
}

Result<void> StoreWriter::begun(BegunRecord record) {
    has_begun_ = true;
    return write_records(encode_record(std::move(record)));
}

Result<void> StoreWriter::stopped() {
    return has_begun_.exchange(false) ? write_records(encode_record(StoppedRecord())) : Result<void>();
}

/// Ends when it is asked to end and everything is written. When writing fails, what is left is dropped.
void StoreWriter::write_batches(const std::stop_token &stopped) {
    constexpr std::chrono::milliseconds between{50};
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, stopped, [this] { return !next_.held.empty(); });
        if (next_.held.empty())
            return;
        Batch batch = std::exchange(next_, {});
        writing_ = true;
        lock.unlock();
        const Result<void> written = write(batch);
        batch.held.clear();
        lock.lock();
        writing_ = false;
        has_records_ = has_records_ || written;
        if (!written) {
            next_ = {};
            failure_ = failure_.value_or(written.error());
        }
        changed_.notify_all();
        changed_.wait_for(lock, stopped, between, [this] { return flushing_ > 0; });
    }
}

} // namespace isovmaf::batch
