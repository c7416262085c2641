#include <algorithm>
#include <cstdint>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "carom/contact/assemble.h"
#include "carom/contact/detection.h"
#include "carom/contact/point_impact.h"
#include "carom/core/random.h"
#include "carom/core/worker_pool.h"
#include "carom/schemes/registry.h"
#include "carom/stepping/stepper.h"

namespace carom {
namespace {

// A grid with random velocities whose pairs meet in the first steps: thousands of contacts in
// components of all sizes, some of them against walls, one of which moves.
Simulation hot_grid(unsigned threads) {
  constexpr int kSide = 90;
  Simulation s;
  Random random(11);
  for (int j = 0; j < kSide; ++j) {
    for (int i = 0; i < kSide; ++i) {
      s.world.bodies.mass.push_back(random.uniform(1.0, 2.0));
      s.world.bodies.radius.push_back(1.0);
      s.world.bodies.material.push_back(0);
      s.world.bodies.name.push_back("ball-" + std::to_string(j * kSide + i));
      s.start.position.push_back({2.0002 * i, 2.0002 * j, 0.0});
      s.start.velocity.push_back({random.uniform(-1, 1), random.uniform(-1, 1), 0.0});
    }
  }
  const double most = 2.0002 * (kSide - 1) + 1.0005;
  PlacedShape box;
  box.name = "box";
  box.shape = BoxInside{{-1.0005, -1.0005, 0}, {most, most + 1.0, 0}};
  s.world.shapes.push_back(box);
  PlacedShape lid;
  lid.name = "lid";
  lid.shape = HalfPlane{{0, most, 0}, {0, -1, 0}};
  lid.motion = ConstantMotion{{0, -0.05, 0}};
  s.world.shapes.push_back(lid);
  s.detection.redetect = false;
  s.detection.hold = false;
  s.time.step = 0.002;
  s.time.duration = 1.0;
  s.threads = threads;
  return s;
}

struct Outcome {
  std::uint64_t hash = 0;
  std::vector<std::uint64_t> counts;
  std::vector<double> numbers;
  Index most_rows = 0;
  Index redetections = 0;
  Index substeps = 0;
  bool exhausted = false;  ///< some component used up its budget of applications
};

Outcome outcome(const Simulation& simulation, int steps) {
  const auto stepper = make_stepper(simulation);
  Outcome out;
  for (int k = 0; k < steps; ++k) {
    const StepReport report = stepper->step();
    EXPECT_TRUE(report.can_go_on()) << report.message;
    for (const std::uint64_t count :
         {std::uint64_t{report.rows}, std::uint64_t{report.components}, report.applications,
          report.applications_total, std::uint64_t{report.largest_part},
          std::uint64_t{report.impulses}}) {
      out.counts.push_back(count);
    }
    out.numbers.push_back(report.dissipated);
    out.numbers.push_back(report.external_work);
    out.numbers.push_back(report.totals.kinetic);
    out.numbers.push_back(report.totals.angular_momentum.z);
    for (const ContactImpulse& impulse : stepper->impulses()) out.numbers.push_back(impulse.normal);
    out.most_rows = std::max(out.most_rows, report.rows);
    out.redetections += report.redetections;
    out.exhausted = out.exhausted || report.status == ImpactStatus::budget_exhausted;
    if (simulation.detection.redetect) out.substeps += report.substeps;
  }
  out.hash = state_hash(stepper->state());
  return out;
}

struct Meeting {
  explicit Meeting(const Simulation& s) : world(s.world) {
    std::vector<Vec3> end = s.start.position;
    for (std::size_t i = 0; i < end.size(); ++i) end[i] += s.time.step * s.start.velocity[i];
    ContactDetector detector(world, s.detection);
    detector.detect({0.0, s.time.step, s.start.position, end, {}, {}}, contacts);
  }

  const World& world;
  std::vector<Contact> contacts;
};

// An impact of a few contacts among many bodies, then one of all, then the first again.
TEST(PointImpact, RemembersNothingOfTheImpactBefore) {
  const Simulation s = hot_grid(1);
  const Meeting meeting(s);
  const ContactAssembler assembler(s.world);
  const ImpactMoment moment{0.0, s.time.step, s.start.position, s.start.velocity, {},
                            {},  {},          nullptr};
  PointImpact points(impact_scene(s), assembler);
  const auto outcome = [&](std::size_t contacts) {
    std::vector<double> numbers;
    const std::span<const Contact> first = std::span(meeting.contacts).first(contacts);
    points.resolve({first, &moment, &s.impact, {}}, [&](const PointImpact::Group& group) {
      for (const double impulse : group.resolver().impulses()) numbers.push_back(impulse);
      for (const auto& lone : group.lone()) numbers.push_back(lone.response.impulse);
      numbers.push_back(static_cast<double>(group.lone().size()));
    });
    numbers.push_back(points.quiet_components());
    return numbers;
  };
  const std::size_t few = 50;
  const std::size_t all = meeting.contacts.size();
  const std::vector<double> of_few = outcome(few);
  EXPECT_EQ(outcome(few), of_few);
  const std::vector<double> of_all = outcome(all);
  EXPECT_EQ(outcome(few), of_few);
  EXPECT_EQ(outcome(all), of_all);
}

// What the next test is about: there are several groups, and what they did is all that is done.
TEST(Threads, DealComponentsOfManyContactsToGroups) {
  const Simulation s = hot_grid(1);
  const Meeting meeting(s);
  const std::vector<Contact>& contacts = meeting.contacts;
  const ContactAssembler assembler(s.world);
  const ImpactMoment moment{0.0, s.time.step, s.start.position, s.start.velocity, {},
                            {},  {},          nullptr};
  WorkerPool pool(2);
  ImpactSettings settings = s.impact;
  PointImpact points(impact_scene(s), assembler);
  for (WorkerPool* threads : {static_cast<WorkerPool*>(nullptr), &pool}) {
    settings.pool = threads;
    std::mutex counting;
    std::set<Index> groups;
    std::set<Index> seen;
    points.resolve({contacts, &moment, &settings, {}}, [&](const PointImpact::Group& group) {
      const std::lock_guard lock(counting);
      EXPECT_TRUE(groups.insert(group.number()).second);
      for (const Index contact : group.contacts()) EXPECT_TRUE(seen.insert(contact).second);
      for (const auto& lone : group.lone()) EXPECT_TRUE(seen.insert(lone.contact).second);
    });
    const std::size_t shared = contacts.size() / PointImpact::kGroupContacts;
    EXPECT_GT(shared, 1U);
    EXPECT_EQ(groups.size(), threads == nullptr ? 1 : shared);  // the cache of one has room for all
    std::size_t closing = 0;  // each of them is in a component that takes part
    for (Index k = 0; k < contacts.size(); ++k) {
      const Contact& contact = contacts[k];
      Vec3 apart = s.start.velocity[contact.body_a];
      if (contact.body_b != kNone) apart -= s.start.velocity[contact.body_b];
      if (dot(contact.normal, apart) >= 0.0) continue;
      ++closing;
      EXPECT_TRUE(seen.contains(k));
    }
    EXPECT_GT(closing, contacts.size() / 4);
  }
}

struct Case {
  const char* impact_operator = "gr";
  double restitution = 1.0;
  double friction = 0.0;
  bool redetect = false;
  std::uint64_t budget = 0;
};

TEST(Threads, ShareComponentsOfManyContactsToTheSameBits) {
  for (const Case& c :
       {Case{"gr"}, Case{"gr", 0.8}, Case{"qce"}, Case{"gauss_seidel"}, Case{"gr", 0.8, 0.3},
        Case{"gr", 1.0, 0.0, true}, Case{"gr", 0.8, 0.0, false, 3},
        Case{"gauss_seidel", 1.0, 0.0, false, 4}, Case{"gr", 1.0, 0.0, true, 40}}) {
    SCOPED_TRACE(std::string(c.impact_operator) + " " + std::to_string(c.restitution) + " " +
                 std::to_string(c.budget));
    std::vector<Outcome> outcomes;
    for (const unsigned threads : {1U, 2U, 5U}) {
      Simulation s = hot_grid(threads);
      s.impact.impact_operator = c.impact_operator;
      s.impact.max_applications = c.budget;
      s.detection.redetect = c.redetect;
      if (c.friction > 0.0) s.impact.friction_model = "slip";
      s.world.materials.replace(0, {"default", c.restitution, c.friction, 1.0, 0.0});
      outcomes.push_back(outcome(s, c.redetect ? 2 : 4));
    }
    EXPECT_GT(outcomes[0].most_rows, c.redetect ? 2000U : 4096U)
        << "where threads share components";
    EXPECT_EQ(outcomes[0].redetections > 0, c.redetect);
    EXPECT_EQ(outcomes[0].exhausted, c.budget > 0);
    EXPECT_EQ(outcomes[0].substeps > 2, c.redetect) << "the grid closes within a part of a step";
    for (const std::size_t k : {1U, 2U}) {
      EXPECT_EQ(outcomes[k].hash, outcomes[0].hash);
      EXPECT_EQ(outcomes[k].counts, outcomes[0].counts);
      EXPECT_EQ(outcomes[k].numbers, outcomes[0].numbers);
    }
  }
}

}  // namespace
}  // namespace carom
