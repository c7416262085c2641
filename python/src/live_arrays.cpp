// A state as numpy arrays, contacts as rows.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "carom/core/error.h"
#include "carom/core/names.h"

#include "live.h"

namespace carom::python {
namespace {

std::int64_t number_or_minus_one(Index i) { return i == kNone ? -1 : static_cast<std::int64_t>(i); }

/// Bytes of one quantity of a state.
std::span<double> numbers_of(State& state, Quantity quantity) {
  const auto span_of = [](auto& values) -> std::span<double> {
    // Vec3 and Quaternion are three and four doubles without gaps.
    return {reinterpret_cast<double*>(values.data()),
            values.size() * sizeof(values[0]) / sizeof(double)};
  };
  switch (quantity) {
    case Quantity::position:
      return span_of(state.position);
    case Quantity::velocity:
      return span_of(state.velocity);
    case Quantity::orientation:
      return span_of(state.orientation);
    case Quantity::angular_velocity:
      return span_of(state.angular_velocity);
  }
  return {};
}
static_assert(sizeof(Vec3) == 3 * sizeof(double) && sizeof(Quaternion) == 4 * sizeof(double));

}  // namespace

py::array_t<ContactRow> rows_of(std::span<const ContactImpulse> contacts) {
  py::array_t<ContactRow> rows(static_cast<py::ssize_t>(contacts.size()));
  ContactRow* row = rows.mutable_data();
  for (const ContactImpulse& c : contacts) {
    const Vec3& n = c.contact.normal;
    *row++ = {c.time,
              number_or_minus_one(c.contact.body_a),
              number_or_minus_one(c.contact.body_b),
              number_or_minus_one(c.contact.shape),
              {n.x, n.y, n.z},
              c.normal,
              {c.tangential.x, c.tangential.y, c.tangential.z},
              {c.point.x, c.point.y, c.point.z}};
  }
  return rows;
}

BodyId id_of(const py::object& body, const Simulation& simulation, const std::vector<BodyId>& ids) {
  if (PyLong_Check(body.ptr()) || PyIndex_Check(body.ptr())) return body.cast<BodyId>();
  if (!py::isinstance<py::str>(body)) {
    throw InputError({}, "a body is an id or a name, found " + py::repr(body).cast<std::string>());
  }
  const auto name = body.cast<std::string>();
  const NameList& names = simulation.world.bodies.name;
  const std::optional<std::size_t> number = names.find(name);
  if (!number) throw InputError({}, unknown_name_message("body", name, names.texts()));
  return ids[*number];
}

py::array Arrays::get(const State& state, Quantity quantity, int dimension, bool writable) {
  py::object& shown = shown_[static_cast<std::size_t>(quantity)];
  py::object& whole = whole_[static_cast<std::size_t>(quantity)];
  const std::span<double> numbers = numbers_of(const_cast<State&>(state), quantity);
  const py::ssize_t width = quantity == Quantity::orientation ? 4 : 3;
  const auto count = static_cast<py::ssize_t>(numbers.size()) / width;
  if (shown && py::reinterpret_borrow<py::array>(whole).shape(0) == count) {
    return py::reinterpret_borrow<py::array>(shown);
  }
  py::array_t<double> made({count, width});
  std::copy(numbers.begin(), numbers.end(), made.mutable_data());
  whole = made;
  const bool is_flat = dimension == 2 && width == 3 && quantity != Quantity::angular_velocity;
  shown = made[py::make_tuple(py::ellipsis(), py::slice(0, is_flat ? 2 : width, 1))];
  shown.attr("flags").attr("writeable") = writable;
  return py::reinterpret_borrow<py::array>(shown);
}

void Arrays::refresh(const State& state) {
  for (std::size_t k = 0; k < kQuantities; ++k) {
    if (!whole_[k]) continue;
    auto array = py::reinterpret_borrow<py::array_t<double>>(whole_[k]);
    const auto numbers = numbers_of(const_cast<State&>(state), static_cast<Quantity>(k));
    if (static_cast<std::size_t>(array.size()) == numbers.size()) {
      std::copy(numbers.begin(), numbers.end(), array.mutable_data());
    } else {
      forget(k);
    }
  }
}

void Arrays::give_back(State& state) {
  for (std::size_t k = 0; k < kQuantities; ++k) {
    if (!whole_[k]) continue;
    const auto array = py::reinterpret_borrow<py::array_t<double>>(whole_[k]);
    const std::span<double> numbers = numbers_of(state, static_cast<Quantity>(k));
    std::copy(array.data(), array.data() + numbers.size(), numbers.begin());
    shown_[k].attr("flags").attr("writeable") = false;
    forget(k);
  }
}

void Arrays::lock() {
  for (std::size_t k = 0; k < kQuantities; ++k) {
    if (!whole_[k]) continue;
    shown_[k].attr("flags").attr("writeable") = false;
    forget(k);
  }
}

void Arrays::forget(std::size_t k) {
  whole_[k] = py::object();
  shown_[k] = py::object();
}

}  // namespace carom::python
