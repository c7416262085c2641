// ./dev bench gas: balls with random velocities in a drum; the columns of Smith2012, Table 2.

#include "scaling/table.h"

int main(int argc, char** argv) {
  return carom::bench::scaling_main(argc, argv, {.scene = "gas", .steps = 200});
}
