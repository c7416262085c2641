#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "carom/core/index_set.h"
#include "carom/core/types.h"
#include "carom/solvers/block_rows.h"

namespace carom {

/// The laws of impact (physics: GR section 1, QCE section 1, AWEW section 2).
enum class Law : std::uint8_t {
  one,   ///< impulses push, never pull
  mom,   ///< linear and angular momentum of a free component are kept
  kin,   ///< an elastic impact keeps the energy, any other does not raise it
  sym,   ///< a symmetry of the problem is one of the outcome
  brk,   ///< touching bodies may break away
  feas,  ///< no row is closing afterwards
  fin,   ///< the iteration ends
  wav,   ///< velocities pass through a chain as a wave does
  imp,   ///< impulses explain the velocities: M (v_plus - v) = N lambda
};
inline constexpr std::size_t kLawCount = 9;
[[nodiscard]] std::string_view to_string(Law law);  ///< "ONE", "MOM", ...
[[nodiscard]] std::string_view describe(Law law);   ///< one line

enum class Promise : std::uint8_t { no, yes, approximately };

/// One application: what the operator is shown. Rows are scaled to n' W n = 1 (`scale` says by
/// what: scaled row = scale * given row), closing speeds likewise. Where a row stands for several
/// (RowDefinition::own_diagonal) it is each of those that is scaled so, and n' W n may differ
/// from 1.
struct Application {
  const solvers::BlockRows* rows = nullptr;
  std::span<const double> scale;
  std::span<const Index> active;       ///< every row of the component, ascending
  const IndexSet* violated = nullptr;  ///< rows with b < -epsilon u now
  std::span<const double> b;           ///< closing speed of each row of `rows`
  std::span<const double> response;    ///< per row: 1 elastic .. 0 inelastic, inside the iteration
  std::span<const double> stiffness;   ///< per row, of the given (unscaled) contact
  double threshold = 0.0;              ///< epsilon u, the speed below which nothing is violated
  bool exact_energy = true;            ///< rescale each part's impulse so that W = 0
};

/// Impulses on scaled rows; rows not listed get none.
struct Impulses {
  std::vector<Index> rows;
  std::vector<double> values;
  void clear() {
    rows.clear();
    values.clear();
  }
};

enum class ApplicationStatus : std::uint8_t {
  applied,
  locked,            ///< no finite impulse exists: the rows have lineality
  solver_failed,     ///< a QP stayed above its tolerance; the impulses are its best iterate
  budget_exhausted,  ///< an inner integration used up its steps
};

struct OperatorOption {
  std::string key;
  std::string values;  ///< "lexicographic|random|worst" or "a number >= 1"
  std::string standard;
  std::string help;
};

/// How an operator answers points, which have a path made for size (points.h).
enum class PointForm : std::uint8_t {
  none,        ///< not there: its impacts go the general way
  one_row,     ///< one violated row of each component at a time, the smallest first
  reflection,  ///< connected parts of violated rows are reflected, as GR does
  unloading,   ///< the contacts of a part are unloaded one after the other, as QCE does
  registered,  ///< by the PointOperator that it was registered with
};

struct OperatorInfo {
  std::string name;
  std::string summary;
  std::array<Promise, kLawCount> promises{};
  bool once = false;                ///< one application is all (lcp)
  bool fractional_response = true;  ///< works with a response between 0 and 1, not only with both
  /// One application runs through the whole impact (lzb): lineality is looked for before it.
  bool whole_impact = false;
  /// What one application moves at least, in units of epsilon u: it bounds the applications of
  /// operators that promise KIN and FIN.
  double least_impulse = 2.0;
  PointForm point_form = PointForm::none;
  /// An impact of points may go on from its outcome when more rows join it: nothing remembers the
  /// velocities before, no order of rows matters, and round-off does not grow over the
  /// applications.
  bool may_go_on = false;
  std::vector<OperatorOption> options;
  [[nodiscard]] Promise promise(Law law) const { return promises[static_cast<std::size_t>(law)]; }
  void set_promises(std::initializer_list<Law> laws) {
    for (const Law law : laws) promises[static_cast<std::size_t>(law)] = Promise::yes;
  }
};

/// One way to answer violated rows. An operator is one application; the loop, its budget, its
/// tolerance and its checks stand in resolve_impacts.
class ImpactOperator {
 public:
  ImpactOperator() = default;
  ImpactOperator(const ImpactOperator&) = delete;
  ImpactOperator& operator=(const ImpactOperator&) = delete;
  virtual ~ImpactOperator() = default;

  [[nodiscard]] virtual const OperatorInfo& info() const = 0;
  /// Called before the first application on a component, with its smallest row: resets whatever
  /// an operator carries from one application to the next.
  virtual void start(Index first_row) { static_cast<void>(first_row); }
  virtual ApplicationStatus apply(const Application& application, Impulses& impulses) = 0;
};

class PointOperator;

/// All registered operators, in the order in which they are shown: Carom's own first.
[[nodiscard]] const std::deque<OperatorInfo>& operator_registry();
[[nodiscard]] std::vector<std::string> operator_names();

/// What is registered under the name before the colon of "gauss_seidel:order=worst"; or nothing.
[[nodiscard]] const OperatorInfo* find_operator(std::string_view specification);

/// From "gr" or "gauss_seidel:order=worst,seed=7". Throws InputError on an unknown name, key or
/// value.
[[nodiscard]] std::unique_ptr<ImpactOperator> make_operator(std::string_view specification);

/// An operator as a program registers it. What it is made from are its options, as
/// "order=worst,seed=7"; faults are InputErrors.
struct OperatorRegistration {
  OperatorInfo info;
  std::function<std::unique_ptr<ImpactOperator>(std::string_view options)> make;
  /// Where `info.point_form` is `registered` (point_operator.h), and only there.
  std::function<std::unique_ptr<PointOperator>(std::string_view options)> make_for_points;
};

/// Adds an operator; from then on every file, option and check that names operators knows it. To be
/// called before other threads ask. Throws InputError where the name is taken or is none, or where
/// `make` or `make_for_points` do not fit what `info` says.
void register_operator(OperatorRegistration registration);

}  // namespace carom
