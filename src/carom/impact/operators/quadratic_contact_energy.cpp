// The operator `qce`: violated rows load together, then unload by energy.
#include "carom/impact/operators/quadratic_contact_energy.h"

#include <algorithm>
#include <queue>
#include <vector>

#include "carom/impact/detail/loading_contact.h"
#include "carom/impact/detail/operator_options.h"
#include "carom/impact/parts.h"

namespace carom {
namespace {

using Contact = detail::LoadingContact;

class QuadraticContactEnergy final : public ImpactOperator {
 public:
  [[nodiscard]] const OperatorInfo& info() const override {
    return quadratic_contact_energy_info();
  }

  ApplicationStatus apply(const Application& application, Impulses& impulses) override {
    if (position_.size() < application.rows->row_count()) {
      position_.assign(application.rows->row_count(), kNone);
    }
    splitter_.split(*application.rows, application.violated->members());
    for (std::size_t k = 0; k < splitter_.part_count(); ++k) {
      const ApplicationStatus status = apply_part(application, splitter_.part(k), impulses);
      if (status != ApplicationStatus::applied) return status;
    }
    return ApplicationStatus::applied;
  }

 private:
  using End = detail::ContactEnd;
  using Heap = std::priority_queue<End, std::vector<End>, std::greater<>>;

  ApplicationStatus apply_part(const Application& application, std::span<const Index> part,
                               Impulses& impulses) {
    bool elastic = true;
    for (const Index row : part) elastic = elastic && application.response[row] == 1.0;
    lambda_.assign(part.size(), 0.0);
    if (part.size() == 1) {
      lambda_[0] = -(1.0 + application.response[part[0]]) * application.b[part[0]] /
                   application.rows->diagonal(part[0]);
    } else {
      load(application, part);
      const bool ended = unload_all(application, part);
      for (const Index row : part) position_[row] = kNone;
      if (!ended) return ApplicationStatus::locked;
      for (std::size_t i = 0; i < part.size(); ++i) {
        lambda_[i] = contacts_[i].impulse / application.scale[part[i]];
      }
      if (elastic && application.exact_energy) scaler_.scale(application, part, lambda_);
    }
    impulses.rows.insert(impulses.rows.end(), part.begin(), part.end());
    impulses.values.insert(impulses.values.end(), lambda_.begin(), lambda_.end());
    return ApplicationStatus::applied;
  }

  // A_ij of the given rows: the scaled rows' product, scaling undone.
  static double product(const Application& application, Index i, Index j) {
    return application.rows->product(i, j) / (application.scale[i] * application.scale[j]);
  }

  // Calls f(position) for every loading contact of the part that shares a body with `row`, itself
  // included; each once.
  template <typename F>
  void for_neighbours(const Application& application, Index row, const F& f) {
    neighbours_.clear();
    for (const solvers::BlockRows::Entry& entry : application.rows->entries(row)) {
      for (const Index other : application.rows->rows_of(entry.block)) {
        if (position_[other] != kNone && contacts_[position_[other]].loading) {
          neighbours_.push_back(other);
        }
      }
    }
    std::sort(neighbours_.begin(), neighbours_.end());
    neighbours_.erase(std::unique(neighbours_.begin(), neighbours_.end()), neighbours_.end());
    for (const Index other : neighbours_) f(position_[other]);
  }

  void load(const Application& application, std::span<const Index> part) {
    contacts_.assign(part.size(), Contact{});
    for (std::size_t i = 0; i < part.size(); ++i) {
      position_[part[i]] = static_cast<Index>(i);
      Contact& contact = contacts_[i];
      contact.speed = application.b[part[i]] / application.scale[part[i]];
      contact.load = -contact.speed;
      contact.inelastic = application.response[part[i]] == 0.0;
    }
    for (std::size_t i = 0; i < part.size(); ++i) {
      for_neighbours(application, part[i], [&](Index j) {
        contacts_[i].slope += product(application, part[i], part[j]) * contacts_[j].load;  // (2)
      });
    }
    heap_ = Heap();
    for (std::size_t i = 0; i < part.size(); ++i) schedule(static_cast<Index>(i));
  }

  void schedule(Index i) {
    contacts_[i].end = detail::end_of(contacts_[i]);
    if (contacts_[i].end < kInfinity) heap_.push({contacts_[i].end, i});
  }

  // False when contacts are left that never end.
  bool unload_all(const Application& application, std::span<const Index> part) {
    std::size_t left = part.size();
    while (!heap_.empty()) {
      const End next = heap_.top();
      heap_.pop();
      Contact& contact = contacts_[next.contact];
      if (!contact.loading || contact.end != next.s) continue;  // rescheduled since
      contact.loading = false;
      contact.impulse = contact.load * next.s;  // (1)
      --left;
      for_neighbours(application, part[next.contact], [&](Index j) {
        Contact& neighbour = contacts_[j];
        detail::bring_to(neighbour, next.s);
        neighbour.slope -= product(application, part[j], part[next.contact]) * contact.load;
        schedule(j);
      });
    }
    return left == 0;
  }

  PartSplitter splitter_;
  EnergyScaler scaler_;
  std::vector<Index> position_;  // row -> position in its part, kNone outside
  std::vector<Contact> contacts_;
  std::vector<double> lambda_;
  std::vector<Index> neighbours_;
  Heap heap_;
};

}  // namespace

const OperatorInfo& quadratic_contact_energy_info() {
  static const OperatorInfo info = [] {
    OperatorInfo i;
    i.name = "qce";
    i.summary = "Quadratic Contact Energy: closing contacts load and unload together, as a wave";
    i.set_promises(
        {Law::one, Law::mom, Law::kin, Law::sym, Law::brk, Law::feas, Law::fin, Law::imp});
    i.promises[static_cast<std::size_t>(Law::wav)] = Promise::approximately;
    i.fractional_response = false;
    i.least_impulse = 1.0;
    i.point_form = PointForm::unloading;
    return i;
  }();
  return info;
}

std::unique_ptr<ImpactOperator> make_quadratic_contact_energy(std::string_view options) {
  static_cast<void>(OperatorOptions(quadratic_contact_energy_info(), options));
  return std::make_unique<QuadraticContactEnergy>();
}

}  // namespace carom
