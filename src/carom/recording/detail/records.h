#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "carom/recording/detail/body_changes.h"
#include "carom/recording/detail/bytes.h"
#include "carom/recording/recording.h"
#include "carom/recording/writer.h"

namespace carom::detail {

// The payloads of the journal's records (docs/recording-format.md, "The journal"). Decoders return
// false when the bytes are not what the kind of record needs: the journal is valid up to there.

void encode(const RecordingHeader& header, ByteWriter& out);
void encode(const RecordingOptions& options, ByteWriter& out);
void encode(const Frame& frame, ByteWriter& out);
void encode(std::span<const ContactEvent> events, ByteWriter& out);
void encode(const Checkpoint& checkpoint, ByteWriter& out);
void encode(const RunEnd& end, ByteWriter& out);
void encode(const BodyChanges& changes, ByteWriter& out);
void encode(const ShapePlaces& places, ByteWriter& out);

[[nodiscard]] bool decode(ByteReader& in, RecordingHeader& header);
[[nodiscard]] bool decode(ByteReader& in, RecordingOptions& options);
[[nodiscard]] bool decode(ByteReader& in, const RecordingHeader& header, RecordedFrame& frame);
[[nodiscard]] bool decode(ByteReader& in, std::vector<ContactEvent>& events);
[[nodiscard]] bool decode(ByteReader& in, Checkpoint& checkpoint);
[[nodiscard]] bool decode(ByteReader& in, RunEnd& end);
/// Of bodies that the header has.
[[nodiscard]] bool decode(ByteReader& in, const RecordingHeader& header, BodyChanges& changes);
[[nodiscard]] bool decode(ByteReader& in, ShapePlaces& places);

/// A row of diagnostics: the bits of each value, in the order of the columns.
struct DiagnosticBits {
  std::uint64_t step = 0;
  double time = 0.0;
  std::vector<std::uint64_t> values;
};
void encode(const DiagnosticBits& row, ByteWriter& out);
[[nodiscard]] bool decode(ByteReader& in, std::size_t column_count, DiagnosticBits& row);

/// How a resumed journal names what it continues.
struct Continuation {
  std::uint64_t header_hash = 0;
  std::uint64_t step = 0;  ///< of the checkpoint; later entries of the file are dropped
};
void encode(const Continuation& continuation, ByteWriter& out);
[[nodiscard]] bool decode(ByteReader& in, Continuation& continuation);

/// How a journal says that its run was given another length.
struct Extension {
  bool drops_frame = false;
  std::uint64_t dropped_frame = 0;  ///< step of a frame that the longer run does not have
  RecordingHeader header;
};
void encode(const Extension& extension, ByteWriter& out);
[[nodiscard]] bool decode(ByteReader& in, Extension& extension);

/// Recordings of the same run have the same.
[[nodiscard]] std::uint64_t header_hash(const RecordingHeader& header);

}  // namespace carom::detail
