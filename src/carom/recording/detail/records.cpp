// Rows of a recording as bytes of the journal.
#include "carom/recording/detail/records.h"

#include <algorithm>
#include <limits>

#include "carom/core/hash.h"

namespace carom::detail {
namespace {

template <typename T>
void put_vector(const std::vector<T>& values, ByteWriter& out) {
  out.put<std::uint64_t>(values.size());
  out.put_array(std::span<const T>(values));
}

// Eleven numbers and two names of bodies, 8 bytes each.
constexpr std::size_t kEventSize = 13 * 8;
constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();
// What stands behind a header: two numbers.
constexpr std::size_t kOptionsSize = 2 * sizeof(std::uint32_t);

}  // namespace

void encode(const RecordingHeader& header, ByteWriter& out) {
  for (const std::string* text :
       {&header.scene_name, &header.scene_text, &header.shapes_json, &header.settings_json,
        &header.carom_version, &header.build, &header.impact_operator}) {
    out.put_text(*text);
  }
  out.put<std::int32_t>(header.dimension);
  out.put(header.step);
  out.put<std::uint64_t>(header.body_names.size());
  for (const std::string& name : header.body_names) out.put_text(name);
  put_vector(header.masses, out);
  put_vector(header.radii, out);
  put_vector(header.materials, out);
  put_vector(header.solids, out);
  out.put_text(header.solids_json);
  out.put<std::uint64_t>(header.columns.size());
  for (const DiagnosticColumn& column : header.columns) {
    out.put_text(column.name);
    out.put(column.type);
    out.put_text(column.unit);
    out.put_text(column.description);
  }
  // What a header has none of is left out at its end, as in journals that knew none of it.
  const bool changes = !header.presence.empty() || header.driven_from;
  if (!changes && header.surfaces_json.empty() && header.body_columns.empty()) return;
  out.put_text(header.surfaces_json);
  if (!changes && header.body_columns.empty()) return;
  out.put<std::uint64_t>(header.body_columns.size());
  for (const BodyColumn& column : header.body_columns) {
    for (const std::string* text : {&column.name, &column.unit, &column.description}) {
      out.put_text(*text);
    }
  }
  if (!changes) return;
  out.put(header.driven_from.value_or(kNever));
  out.put<std::uint64_t>(header.presence.size());
  for (const BodyPresence& body : header.presence) {
    for (const std::uint64_t number : {body.id, body.first_step, body.last_step}) out.put(number);
  }
}

bool decode(ByteReader& in, RecordingHeader& header) {
  for (std::string* text :
       {&header.scene_name, &header.scene_text, &header.shapes_json, &header.settings_json,
        &header.carom_version, &header.build, &header.impact_operator}) {
    *text = in.get_text();
  }
  header.dimension = in.get<std::int32_t>();
  header.step = in.get<double>();
  const auto names = in.get<std::uint64_t>();
  header.body_names.clear();
  for (std::uint64_t k = 0; k < names && in.ok(); ++k) header.body_names.push_back(in.get_text());
  header.masses = in.get_vector<double>();
  header.radii = in.get_vector<double>();
  header.materials = in.get_vector<std::uint32_t>();
  header.solids = in.get_vector<std::uint32_t>();
  header.solids_json = in.get_text();
  const auto columns = in.get<std::uint64_t>();
  header.columns.clear();
  for (std::uint64_t k = 0; k < columns && in.ok(); ++k) {
    DiagnosticColumn column;
    column.name = in.get_text();
    column.type = in.get<ColumnType>();
    column.unit = in.get_text();
    column.description = in.get_text();
    header.columns.push_back(column);
  }
  header.surfaces_json = in.left() > kOptionsSize ? in.get_text() : "";
  const auto body_columns = in.left() > kOptionsSize ? in.get<std::uint64_t>() : 0;
  header.body_columns.clear();
  for (std::uint64_t k = 0; k < body_columns && in.ok(); ++k) {
    BodyColumn column;
    for (std::string* text : {&column.name, &column.unit, &column.description}) {
      *text = in.get_text();
    }
    header.body_columns.push_back(column);
  }
  header.driven_from.reset();
  header.presence.clear();
  if (in.left() > kOptionsSize) {
    const auto edit = in.get<std::uint64_t>();
    if (edit != kNever) header.driven_from = edit;
    const auto count = in.get<std::uint64_t>();
    for (std::uint64_t k = 0; k < count && in.ok(); ++k) {
      BodyPresence body;
      for (std::uint64_t* number : {&body.id, &body.first_step, &body.last_step}) {
        *number = in.get<std::uint64_t>();
      }
      header.presence.push_back(body);
    }
  }
  const std::size_t bodies = header.masses.size();
  return in.ok() && header.body_names.size() == bodies && header.radii.size() == bodies &&
         header.materials.size() == bodies &&
         (header.presence.empty() || header.presence.size() == bodies) &&
         (header.solids.empty() || header.solids.size() == bodies);
}

void encode(const RecordingOptions& options, ByteWriter& out) {
  out.put(options.kept_checkpoints);
  out.put(options.compression);
}

bool decode(ByteReader& in, RecordingOptions& options) {
  options.kept_checkpoints = in.get<std::uint32_t>();
  options.compression = in.get<std::uint32_t>();
  return in.ok() && options.kept_checkpoints > 0 && options.compression <= 9;
}

void encode(const Frame& frame, ByteWriter& out) {
  out.put(frame.step);
  out.put(frame.time);
  out.put_array(frame.positions);
  out.put_array(frame.velocities);
  out.put_array(frame.orientations);
  out.put_array(frame.angular_velocities);
  out.put_array(frame.body_numbers);
}

bool decode(ByteReader& in, const RecordingHeader& header, RecordedFrame& frame) {
  frame.step = in.get<std::uint64_t>();
  frame.time = in.get<double>();
  const std::size_t there = bodies_there(header, frame.step);
  const std::size_t own = header.body_columns.size() * there;
  // Where bodies come and go there may be moments at which none turns.
  const bool none_turns =
      !header.presence.empty() && in.left() == (6 * there + own) * sizeof(double);
  const std::size_t turning = header.any_turns() && !none_turns ? there : 0;
  if (in.left() != (6 * there + 7 * turning + own) * sizeof(double)) return false;
  frame.positions.resize(3 * there);
  frame.velocities.resize(3 * there);
  in.get_array(std::span<double>(frame.positions));
  in.get_array(std::span<double>(frame.velocities));
  frame.orientations.resize(4 * turning);
  frame.angular_velocities.resize(3 * turning);
  in.get_array(std::span<double>(frame.orientations));
  in.get_array(std::span<double>(frame.angular_velocities));
  frame.body_numbers.resize(own);
  in.get_array(std::span<double>(frame.body_numbers));
  spread_frame(header, frame);
  return in.ok();
}

void encode(const DiagnosticBits& row, ByteWriter& out) {
  out.put(row.step);
  out.put(row.time);
  out.put_array(std::span<const std::uint64_t>(row.values));
}

bool decode(ByteReader& in, std::size_t column_count, DiagnosticBits& row) {
  row.step = in.get<std::uint64_t>();
  row.time = in.get<double>();
  if (in.left() != column_count * sizeof(std::uint64_t)) return false;
  row.values.resize(column_count);
  in.get_array(std::span<std::uint64_t>(row.values));
  return in.ok();
}

void encode(std::span<const ContactEvent> events, ByteWriter& out) {
  for (const ContactEvent& event : events) {
    out.put(event.step);
    out.put(event.time);
    out.put(event.body_a);
    out.put(event.body_b);
    for (const auto* vector : {&event.normal, &event.impulse, &event.point}) {
      out.put_array(std::span<const double>(*vector));
    }
  }
}

bool decode(ByteReader& in, std::vector<ContactEvent>& events) {
  if (in.left() % kEventSize != 0) return false;
  events.resize(in.left() / kEventSize);
  for (ContactEvent& event : events) {
    event.step = in.get<std::uint64_t>();
    event.time = in.get<double>();
    event.body_a = in.get<std::int64_t>();
    event.body_b = in.get<std::int64_t>();
    for (auto* vector : {&event.normal, &event.impulse, &event.point}) {
      in.get_array(std::span<double>(*vector));
    }
  }
  return in.ok();
}

void encode(const Checkpoint& checkpoint, ByteWriter& out) {
  out.put(checkpoint.step);
  out.put(checkpoint.time);
  out.put(checkpoint.state_hash);
  put_vector(checkpoint.state, out);
}

bool decode(ByteReader& in, Checkpoint& checkpoint) {
  checkpoint.step = in.get<std::uint64_t>();
  checkpoint.time = in.get<double>();
  checkpoint.state_hash = in.get<std::uint64_t>();
  checkpoint.state = in.get_vector<std::byte>();
  return in.ok() && in.left() == 0;
}

void encode(const RunEnd& end, ByteWriter& out) {
  out.put(end.status);
  out.put_text(end.reason);
  out.put(end.wall_seconds);
}

bool decode(ByteReader& in, RunEnd& end) {
  end.status = in.get<RunStatus>();
  end.reason = in.get_text();
  end.wall_seconds = in.get<double>();
  return in.ok() && end.status <= RunStatus::failed;
}

void encode(const BodyChanges& changes, ByteWriter& out) {
  out.put(changes.step);
  put_vector(changes.left, out);
  put_vector(changes.ids, out);
  for (const std::string& name : changes.names) out.put_text(name);
  put_vector(changes.masses, out);
  put_vector(changes.radii, out);
  put_vector(changes.materials, out);
  put_vector(changes.solids, out);
  out.put_text(changes.solids_json);
}

bool decode(ByteReader& in, const RecordingHeader& header, BodyChanges& changes) {
  changes.step = in.get<std::uint64_t>();
  changes.left = in.get_vector<std::uint64_t>();
  changes.ids = in.get_vector<std::uint64_t>();
  const std::size_t count = changes.ids.size();
  changes.names.clear();
  for (std::size_t k = 0; k < count && in.ok(); ++k) changes.names.push_back(in.get_text());
  changes.masses = in.get_vector<double>();
  changes.radii = in.get_vector<double>();
  changes.materials = in.get_vector<std::uint32_t>();
  changes.solids = in.get_vector<std::uint32_t>();
  changes.solids_json = in.get_text();
  const bool left_are_known =
      std::all_of(changes.left.begin(), changes.left.end(),
                  [&](std::uint64_t body) { return body < header.body_count(); });
  return in.ok() && left_are_known && changes.masses.size() == count &&
         changes.radii.size() == count && changes.materials.size() == count &&
         changes.solids.size() == count;
}

void encode(const ShapePlaces& places, ByteWriter& out) {
  out.put(places.time);
  put_vector(places.offsets, out);
}

bool decode(ByteReader& in, ShapePlaces& places) {
  places.time = in.get<double>();
  places.offsets = in.get_vector<std::array<double, 3>>();
  return in.ok() && in.left() == 0;
}

void encode(const Continuation& continuation, ByteWriter& out) {
  out.put(continuation.header_hash);
  out.put(continuation.step);
}

bool decode(ByteReader& in, Continuation& continuation) {
  continuation.header_hash = in.get<std::uint64_t>();
  continuation.step = in.get<std::uint64_t>();
  return in.ok();
}

void encode(const Extension& extension, ByteWriter& out) {
  out.put<std::uint64_t>(extension.drops_frame ? 1 : 0);
  out.put(extension.dropped_frame);
  encode(extension.header, out);
}

bool decode(ByteReader& in, Extension& extension) {
  extension.drops_frame = in.get<std::uint64_t>() != 0;
  extension.dropped_frame = in.get<std::uint64_t>();
  return decode(in, extension.header);
}

std::uint64_t header_hash(const RecordingHeader& header) {
  ByteWriter bytes;
  encode(header, bytes);
  Hash64 hash;
  hash.add(bytes.bytes());
  return hash.value();
}

}  // namespace carom::detail
