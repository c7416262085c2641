#pragma once

#include <optional>
#include <vector>

#include "carom/asynchronous/detail/ledger_sums.h"
#include "carom/asynchronous/detail/topology.h"
#include "carom/asynchronous/reference/detail/agenda.h"
#include "carom/asynchronous/reference/detail/box_tree.h"
#include "carom/asynchronous/reference/detail/contacts.h"
#include "carom/asynchronous/reference/detail/force_events.h"
#include "carom/asynchronous/reference/detail/pair_maker.h"
#include "carom/asynchronous/reference/detail/separation_list.h"
#include "carom/asynchronous/reference/detail/trajectories.h"
#include "carom/asynchronous/reference/reference_engine.h"

namespace carom::asynchronous::reference {

/// What a reference engine is made of, and its loop: Algorithm 1 of [Harmon2009].
struct ReferenceEngine::Parts {
  Parts(const Problem& given, const Settings& chosen, const Mechanisms& switches,
        const PlantedFaults& faults = {});
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;
  ~Parts() = default;

  /// The next event.
  void handle(const Agenda::Next& next);
  [[nodiscard]] AdvanceReport report(AdvanceStatus status, double reached) const;
  [[nodiscard]] EventCounts counts() const;
  void count_work();
  /// Whether the last million events brought less than settings.least_progress.
  [[nodiscard]] bool is_too_slow();
  void forget_work();

  const Problem problem;
  const Settings settings;
  const Mechanisms mechanisms;
  const detail::Topology topology;
  Trajectories trajectories;
  Agenda agenda;
  ForceEvents forces;
  PairMaker maker;
  Contacts contacts;
  BoxTree tree;
  SeparationList separation;
  detail::LedgerSums sums;

  double time = 0.0;              ///< s; reached by advance()
  std::optional<PairName> stuck;  ///< no progress beyond this moment
  WorkCounts work;
  std::uint64_t judged_events = 0;  ///< when least progress was judged last
  double judged_time = 0.0;
  bool records_corners = false;
  std::vector<PathCorner> corners;

 private:
  void start();
  void add_pairs();
  void follow_up(double now);
  void follow(Index i, double now);
  void reschedule(double now);
  void stop(Index pair) { stuck = contacts.name(pair); }

  std::vector<Index> broken_;  ///< vertices that certificates counted on in vain
  std::vector<std::uint64_t> seen_;
  std::uint64_t round_ = 0;
  std::vector<double> cornered_;  ///< when a vertex last left a corner
};

}  // namespace carom::asynchronous::reference
