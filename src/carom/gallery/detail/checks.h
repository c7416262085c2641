#pragma once

#include "carom/gallery/gallery.h"

// The registered checks; gallery.cpp names them. Each file check_*.cpp holds one or a few, with the
// derivation of what it asserts.
namespace carom::detail {

CheckOutcome check_anti_locking(const CheckInput& input);
CheckOutcome check_wedge(const CheckInput& input);
CheckOutcome check_inelastic_collapse(const CheckInput& input);
CheckOutcome check_sorting(const CheckInput& input);
CheckOutcome check_necessity(const CheckInput& input);
CheckOutcome check_desiderata(const CheckInput& input);
CheckOutcome check_box_rotates(const CheckInput& input);
CheckOutcome check_spring_chain(const CheckInput& input);
CheckOutcome check_collapse_threshold(const CheckInput& input);
CheckOutcome check_three_ball_chain(const CheckInput& input);
CheckOutcome check_disturbed_cradle(const CheckInput& input);
CheckOutcome check_galperin(const CheckInput& input);

// Of scenes.
CheckOutcome check_rebound(const CheckInput& input);
CheckOutcome check_energy_run(const CheckInput& input);
CheckOutcome check_same_traces(const CheckInput& input);
CheckOutcome check_anti_locking_run(const CheckInput& input);
CheckOutcome check_similar_runs(const CheckInput& input);
CheckOutcome check_propagated_cost(const CheckInput& input);

// Of grains.
CheckOutcome check_maxwell_demon(const CheckInput& input);
CheckOutcome check_haff(const CheckInput& input);
CheckOutcome check_pattern(const CheckInput& input);
CheckOutcome check_single_shake(const CheckInput& input);

// Of bodies that turn.
CheckOutcome check_keeps_its_axis(const CheckInput& input);
CheckOutcome check_separation(const CheckInput& input);
CheckOutcome check_tennis_racket(const CheckInput& input);
CheckOutcome check_comes_to_rest(const CheckInput& input);
CheckOutcome check_momenta(const CheckInput& input);
CheckOutcome check_bowling(const CheckInput& input);
CheckOutcome check_rolling_circle(const CheckInput& input);
CheckOutcome check_card_house(const CheckInput& input);
CheckOutcome check_chain_reaction(const CheckInput& input);
CheckOutcome check_restitution_order(const CheckInput& input);

// Of scenes under "events".
CheckOutcome check_collision_rate(const CheckInput& input);
CheckOutcome check_galperin_run(const CheckInput& input);
CheckOutcome check_gas_pressure(const CheckInput& input);
CheckOutcome check_dish(const CheckInput& input);
CheckOutcome check_steps_converge(const CheckInput& input);

// Of scenes under "asynchronous".
CheckOutcome check_points_keep_energy(const CheckInput& input);
CheckOutcome check_points_in_order(const CheckInput& input);
CheckOutcome check_points_cluster(const CheckInput& input);
CheckOutcome check_bounded_energy(const CheckInput& input);
CheckOutcome check_spring_on_plane(const CheckInput& input);
CheckOutcome check_ledger_closes(const CheckInput& input);
CheckOutcome check_shell_impact(const CheckInput& input);
CheckOutcome check_flow_by_friction(const CheckInput& input);
CheckOutcome check_knot(const CheckInput& input);
CheckOutcome check_stretch_limit(const CheckInput& input);

// Of the scenes that users of other engines try first.
CheckOutcome check_bounce_table(const CheckInput& input);
CheckOutcome check_two_balls(const CheckInput& input);
CheckOutcome check_superball(const CheckInput& input);
CheckOutcome check_ball_on_ball(const CheckInput& input);
CheckOutcome check_line_cradle(const CheckInput& input);
CheckOutcome check_pendulum_cradle(const CheckInput& input);
CheckOutcome check_ring_symmetry(const CheckInput& input);
CheckOutcome check_gas_energy(const CheckInput& input);
CheckOutcome check_rotated_copies(const CheckInput& input);

}  // namespace carom::detail
