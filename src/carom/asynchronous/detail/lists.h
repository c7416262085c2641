#pragma once

#include <array>
#include <utility>
#include <vector>

#include "carom/asynchronous/detail/certificates.h"
#include "carom/asynchronous/detail/flights.h"
#include "carom/asynchronous/detail/pairs.h"
#include "carom/asynchronous/detail/topology.h"
#include "carom/asynchronous/problem.h"

namespace carom::asynchronous::detail {

struct Box {
  Vec3 low = {kInfinity, kInfinity, kInfinity};
  Vec3 high = {-kInfinity, -kInfinity, -kInfinity};

  void add(const Vec3& p) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  void add(const Box& other) {
    add(other.low);
    add(other.high);
  }
  [[nodiscard]] bool meets(const Box& other) const {
    return low.x <= other.high.x && other.low.x <= high.x && low.y <= other.high.y &&
           other.low.y <= high.y && low.z <= other.high.z && other.low.z <= high.z;
  }
};

/// All pairs of boxes that meet, each once, in an order that depends on the boxes only: a tree over
/// the boxes along a Morton curve, against itself.
class BoxPairs {
 public:
  void find(const std::vector<Box>& boxes, std::vector<std::pair<Index, Index>>& pairs);

 private:
  [[nodiscard]] const Box& build(std::size_t node, Index begin, Index end,
                                 const std::vector<Box>& boxes);

  struct Visit {
    std::size_t node_a, node_b;
    Index begin_a, end_a, begin_b, end_b;
  };
  std::vector<Index> order_;
  std::vector<std::pair<std::uint64_t, Index>> codes_;
  std::vector<Box> nodes_;
  std::vector<Visit> visits_;
};

/// Makes the lists of pairs: ranges for all vertices over a horizon, the primitives whose boxes
/// around these ranges meet, and of their pairs those that the ranges do not prove to be apart
/// throughout.
class Lists {
 public:
  Lists(const Problem& problem, const Settings& settings, const Topology& topology, double unit);

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
  void offer_leaves(const Leaf& a, const Leaf& b);
  void offer(PairKind kind, std::uint64_t key, const std::array<Index, 4>& vertices);
  void offer_wall(Index vertex, Index wall);
  void offer_edges(Index a, Index b);
  void offer_limit(Index limit);
  void set_thickness(ContactPair& pair) const;
  void set_clock(ContactPair& pair, const Flights& flights) const;
  void forget(const ContactPair& pair);
  [[nodiscard]] bool shares_vertex(const ContactPair& pair) const;
  void keep(Tick now, Flights& flights, PairStore& pairs, Certificates& certificates);

  const Problem& problem_;
  const Topology& topology_;
  double contact_step_;
  const std::vector<double> limit_steps_;
  double unit_;
  double reach_ = 0.0;  ///< the largest eta_1
  Index materials_ = 1;
  std::vector<char> held_;
  std::vector<Box> vertex_box_;
  std::vector<Box> leaf_box_;
  std::vector<std::pair<Index, Index>> met_;
  std::vector<ContactPair> found_;
  std::vector<ContactPair> kept_;
  BoxPairs box_pairs_;
};

/// The shortest step of a first layer that any pair of the problem can have, s: at least
/// c sqrt(m / (2 r_1)) with the smallest mass of a free vertex and the largest r_1; or the shortest
/// that a length limit has.
[[nodiscard]] double shortest_first_step(const Problem& problem, const Settings& settings);

}  // namespace carom::asynchronous::detail
