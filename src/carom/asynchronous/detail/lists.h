#pragma once

#include <array>
#include <utility>
#include <vector>

#include "carom/asynchronous/detail/certificates.h"
#include "carom/asynchronous/detail/flights.h"
#include "carom/asynchronous/detail/pair_finder.h"
#include "carom/asynchronous/detail/pairs.h"
#include "carom/asynchronous/detail/team.h"
#include "carom/asynchronous/detail/topology.h"
#include "carom/asynchronous/problem.h"

namespace carom::asynchronous::detail {

/// All pairs of boxes that meet, each once: a tree over the boxes along a Morton curve, against
/// itself.
class BoxPairs {
 public:
  /// The pairs lie in parts(), which depend on the boxes only.
  void find(const std::vector<Box>& boxes, Team& team);
  using Met = std::vector<std::pair<Index, Index>>;
  struct alignas(kApart) Part {
    Met pairs;
  };
  [[nodiscard]] const std::vector<Part>& parts() const { return met_; }

 private:
  struct Visit {
    std::size_t node_a, node_b;
    Index begin_a, end_a, begin_b, end_b;
  };
  [[nodiscard]] const Box& build(std::size_t node, Index begin, Index end,
                                 const std::vector<Box>& boxes);
  void divide();
  void look(const Visit& v, std::vector<Visit>& visits, Met& met) const;

  std::vector<Index> order_;
  std::vector<std::pair<std::uint64_t, Index>> codes_;
  std::vector<Box> nodes_;
  struct alignas(kApart) Work {
    std::vector<Visit> left;
  };
  std::vector<Work> visits_;  ///< of each part
  std::vector<Part> met_;
};

/// Makes the lists of pairs: ranges for all vertices over a horizon, the primitives whose boxes
/// around these ranges meet, and of their pairs those that the ranges do not prove to be apart
/// throughout.
class Lists {
 public:
  Lists(const Problem& problem, const Settings& settings, const Topology& topology, double unit,
        Team& team);

  /// For the moment `now`; all pairs of the store are replaced, what they remember is kept. Of
  /// pairs that are far, the certificate is scheduled; the others are to be looked at by the
  /// caller.
  void make(Tick now, Flights& flights, PairStore& pairs, Certificates& certificates);

  Tick horizon = period(kBaseLevel);    ///< units; how long the next lists are to hold. State
  Tick made = 0;                        ///< when the present lists were made. State
  double skin = 0.0;                    ///< radius of the next ranges. State
  std::uint64_t certificates_then = 0;  ///< when the present lists were made. State
  std::uint64_t found_then = 0;         ///< pairs looked at for them. State
  double rate_then = kInfinity;         ///< work a second with the lists before. State
  double skin_factor = 0.8;             ///< from one skin to the next. State
  /// Memories of pairs that are no longer in the lists.
  std::vector<Index> forgotten;

 private:
  void adapt_skin(Tick now, std::uint64_t certificates);
  void adapt_horizon(Tick now, const Flights& flights);
  void make_boxes(Tick now, Tick end, const Flights& flights);
  void find_pairs(const Flights& flights);
  void gather();
  void set_clock(ContactPair& pair, const Flights& flights) const;
  void forget(const ContactPair& pair);
  void keep(Tick now, Flights& flights, PairStore& pairs, Certificates& certificates);

  const Problem& problem_;
  const Topology& topology_;
  Team& team_;
  double contact_step_;
  const std::vector<double> limit_steps_;
  double unit_;
  double reach_ = 0.0;  ///< the largest eta_1
  PairSearch search_;
  std::vector<PairFinder> finders_;  ///< of each part of the boxes' pairs, and of walls and limits
  std::vector<ContactPair> kept_;
  struct Place {
    std::uint64_t key;
    const ContactPair* pair;
  };
  std::vector<Place> places_;
  BoxPairs box_pairs_;
};

/// The shortest step of a first layer that any pair of the problem can have, s: at least
/// c sqrt(m / (2 r_1)) with the smallest mass of a free vertex and the largest r_1; or the shortest
/// that a length limit has.
[[nodiscard]] double shortest_first_step(const Problem& problem, const Settings& settings);

}  // namespace carom::asynchronous::detail
