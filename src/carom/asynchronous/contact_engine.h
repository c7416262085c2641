#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "carom/asynchronous/engine.h"
#include "carom/asynchronous/problem.h"
#include "carom/stepping/simulation.h"

namespace carom::asynchronous {

/// The engine that a scene chooses: the fast one (engine.h) or the papers' (reference_engine.h).
/// What they say of each function holds here.
class ContactEngine {
 public:
  ContactEngine() = default;
  ContactEngine(const ContactEngine&) = delete;
  ContactEngine& operator=(const ContactEngine&) = delete;
  virtual ~ContactEngine() = default;

  virtual AdvanceReport advance(double time, const Observer& observer) = 0;
  [[nodiscard]] virtual Configuration configuration() const = 0;
  [[nodiscard]] virtual Ledger ledger() const = 0;
  [[nodiscard]] virtual VertexActivity activity() const = 0;
  virtual void record_corners(bool on) = 0;
  [[nodiscard]] virtual std::span<const PathCorner> corners() const = 0;
  virtual void forget_corners() = 0;
  [[nodiscard]] virtual std::string save() const = 0;
  virtual void load(std::string_view bytes) = 0;
};

/// By the simulation's settings. Throws InputError as the engine does.
[[nodiscard]] std::unique_ptr<ContactEngine> make_contact_engine(const Problem& problem,
                                                                 const Simulation& simulation);
/// Throws InputError on settings that the chosen engine does not have or cannot run.
void check_engine(const Problem& problem, const Simulation& simulation);

}  // namespace carom::asynchronous
