#pragma once

#include <chrono>
#include <vector>

#include "carom/asynchronous/detail/certificates.h"
#include "carom/asynchronous/detail/contact_kicks.h"
#include "carom/asynchronous/detail/flights.h"
#include "carom/asynchronous/detail/force_clocks.h"
#include "carom/asynchronous/detail/leads.h"
#include "carom/asynchronous/detail/ledger_sums.h"
#include "carom/asynchronous/detail/lists.h"
#include "carom/asynchronous/detail/pairs.h"
#include "carom/asynchronous/detail/team.h"
#include "carom/asynchronous/detail/topology.h"
#include "carom/asynchronous/detail/vertex_parts.h"
#include "carom/asynchronous/engine.h"
#include "carom/core/assert.h"

namespace carom::asynchronous {

/// What an engine is made of, and the order in which its parts act at a moment.
struct Engine::Parts {
  Parts(const Problem& given, const Settings& chosen);
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;
  ~Parts() = default;

  void start();
  [[nodiscard]] detail::Tick next_moment() const;
  void step(detail::Tick moment);
  [[nodiscard]] AdvanceReport report(AdvanceStatus status, double reached) const;
  [[nodiscard]] EventCounts counts() const;
  /// Whether the last million events brought less than settings.least_progress.
  [[nodiscard]] bool is_too_slow(std::uint64_t events);
  /// What is kept beside the state; it does not fit a state that was loaded.
  void forget_work();

  const Problem problem;
  const Settings settings;
  detail::Team team;
  const detail::VertexParts parts;
  const detail::Topology topology;
  detail::Flights flights;
  detail::Leads leads;
  detail::ForceClocks forces;
  detail::PairStore pairs;
  detail::Certificates certificates;
  detail::Lists lists;
  detail::ContactKicks kicks;
  detail::LedgerSums sums;

  detail::Tick now = 0;
  double time = 0.0;         ///< s; reached by advance()
  Index stuck_pair = kNone;  ///< no progress beyond this moment
  std::uint64_t moments = 0;
  std::uint64_t list_count = 0;
  struct Pace {
    std::uint64_t events = 0;
    double time = 0.0;
  };
  Pace pace;  ///< where the present million of events began
  bool measures_work = false;
  WorkSeconds work;  ///< while measured
  bool records_corners = false;
  std::vector<PathCorner> corners;

 private:
  /// Time since the last call goes to a kind of work.
  void spent_on(double WorkSeconds::*kind);
  void add_corner(Index vertex);
  /// What kicks have done to the vertices of one part.
  struct alignas(detail::kApart) Checked {
    std::vector<Index> seen;     ///< kicked, each once
    std::vector<Index> leaving;  ///< that will leave their plans
  };
  void follow_up();
  void check_plans();
  void settle();
  void make_lists();
  void refuse_stuck_start() const;

  std::chrono::steady_clock::time_point work_began_;
  std::vector<Index> due_;
  std::vector<Index> turned_;
  std::vector<Checked> checked_ = std::vector<Checked>(parts.count);  ///< by part
  std::vector<detail::Tick> looked_at_ = std::vector<detail::Tick>(problem.mass.size(), 0);
};

}  // namespace carom::asynchronous
