#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "carom/asynchronous/reference/detail/agenda.h"
#include "carom/asynchronous/reference/detail/box_tree.h"
#include "carom/asynchronous/reference/detail/contacts.h"
#include "carom/asynchronous/reference/detail/pair_maker.h"

namespace carom::asynchronous::reference {

/// Where the descent through pairs of nodes of the tree ends [Harmon2009, 5.5]: every two leaves
/// are either below two nodes with a certificate that these are apart, or are there themselves,
/// with their pairs of primitives. Two nodes a and b are apart until the last of the times at which
///   low_b(t) - high_a(t) > reach  or  low_a(t) - high_b(t) > reach                           (1)
/// ends along one of the axes, each going on where the ones before end; reach is the largest
/// thickness.
class SeparationList {
 public:
  struct Setup {
    const Problem& problem;
    const Mechanisms& mechanisms;
    const PlantedFaults& faults;
    const PairMaker& maker;
    BoxTree& tree;
    Contacts& contacts;
    Agenda& agenda;
  };
  /// `span`: shorter certificates are not worth having, s.
  SeparationList(const Setup& setup, double span);

  /// All pairs at time 0. False: a pair is stuck; see Contacts::last_added().
  bool start();
  /// An entry's time has come. False: stuck.
  bool look(Index number, double time);
  /// What rests on a vertex that goes on otherwise.
  void reschedule(const std::vector<Index>& vertices, double time);
  void reschedule_all(double time);

  std::uint64_t certificates = 0;
  std::uint64_t reschedules = 0;
  std::uint64_t axis_looks = 0;

  template <class Archive>
  void transfer_state(Archive& archive) {
    detail::transfer_all(archive, entries_, free_, apart_of_, draws_, certificates, reschedules,
                         axis_looks);
  }

 private:
  enum class State : std::uint8_t {
    unused,
    apart,     ///< with a certificate
    expanded,  ///< looked at through its children
    leaves,    ///< two leaves, with pairs of primitives
  };
  struct Entry {
    Index a = kNone;
    Index b = kNone;
    State state = State::unused;
    Index event = kNone;
    double since = 0.0;                           ///< in this state
    std::array<std::uint8_t, kMostAxes> order{};  ///< of the axes, the most useful first
    unsigned used = 0;                            ///< bits: axes that the certificate rests on
    std::array<Index, 2> place{};                 ///< in the lists of a and b, while apart
    std::vector<Index> below;                     ///< children, or pairs of primitives
  };
  template <class Archive>
  friend void transfer(Archive& archive, Entry& entry) {
    detail::transfer_all(archive, entry.a, entry.b, entry.state, entry.event, entry.since,
                         entry.order, entry.used, entry.place, entry.below);
  }
  /// While (1) holds along an axis, from a time on that is now or later.
  struct Interval {
    double begin = kInfinity;
    double end = -kInfinity;
  };

  Index add(Index a, Index b);
  [[nodiscard]] Interval apart_along(const Entry& entry, std::size_t axis, double time);
  [[nodiscard]] Interval apart_in_envelopes(const Entry& entry, std::size_t axis, double time);
  [[nodiscard]] Interval apart_by_vertices(const Entry& entry, std::size_t axis, double time);
  [[nodiscard]] double apart_until(Entry& entry, double time);
  static bool goes_on(const Interval& interval, double& until);
  void count_on(Entry& entry, unsigned used);
  void keep_apart(Index number, double until, double time);
  void release(Index number);
  bool expand(Index top, double time);
  void drop_below(Entry& top);
  void look_later(Index number, double time);
  void reschedule_one(Index number, double time);

  const Problem& problem_;
  Mechanisms mechanisms_;
  double certain_;  ///< share of a certificate's time that it is given, a little less than 1
  const PairMaker& maker_;
  BoxTree& tree_;
  Contacts& contacts_;
  Agenda& agenda_;
  double span_;
  double reach_ = 0.0;
  std::vector<Entry> entries_;
  std::vector<Index> free_;
  std::vector<std::vector<Index>> apart_of_;  ///< entries with a certificate, by node
  std::uint64_t draws_ = 0;                   ///< of random axes
  // Work space.
  std::vector<Index> changed_;
  std::vector<std::uint64_t> seen_;
  std::uint64_t round_ = 0;
};

}  // namespace carom::asynchronous::reference
