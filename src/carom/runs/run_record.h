#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "carom/recording/reader.h"
#include "carom/recording/recording.h"

namespace carom {

/// A run as it can be looked at afterwards, wherever it is kept.
class RunRecord {
 public:
  RunRecord() = default;
  RunRecord(const RunRecord&) = delete;
  RunRecord& operator=(const RunRecord&) = delete;
  virtual ~RunRecord() = default;

  [[nodiscard]] virtual const RecordingHeader& header() const = 0;
  [[nodiscard]] virtual const RunEnd& end() const = 0;
  [[nodiscard]] virtual const std::vector<double>& frame_times() const = 0;
  [[nodiscard]] virtual RecordedFrame frame(std::size_t number) const = 0;
  [[nodiscard]] virtual std::vector<double> real_column(std::string_view name) const = 0;
  [[nodiscard]] virtual std::vector<std::uint64_t> integer_column(std::string_view name) const = 0;
  [[nodiscard]] virtual bool has_column(std::string_view name) const = 0;
  [[nodiscard]] virtual std::vector<ContactEvent> events() const = 0;
};

/// A recording on the disk.
class FileRecord final : public RunRecord {
 public:
  explicit FileRecord(RecordingReader reader) : reader_(std::move(reader)) {}

  [[nodiscard]] const RecordingHeader& header() const override { return reader_.header(); }
  [[nodiscard]] const RunEnd& end() const override { return reader_.end(); }
  [[nodiscard]] const std::vector<double>& frame_times() const override {
    return reader_.frame_times();
  }
  [[nodiscard]] RecordedFrame frame(std::size_t number) const override {
    return reader_.frame(number);
  }
  [[nodiscard]] std::vector<double> real_column(std::string_view name) const override {
    return reader_.real_column(name);
  }
  [[nodiscard]] std::vector<std::uint64_t> integer_column(std::string_view name) const override {
    return reader_.integer_column(name);
  }
  [[nodiscard]] bool has_column(std::string_view name) const override {
    return reader_.has_column(name);
  }
  [[nodiscard]] std::vector<ContactEvent> events() const override { return reader_.events(); }
  [[nodiscard]] const RecordingReader& reader() const { return reader_; }

 private:
  RecordingReader reader_;
};

}  // namespace carom
