// ./dev bench drop: a grid of touching balls falls into a drum; the columns of Smith2012, Table 2.

#include "scaling/table.h"

int main(int argc, char** argv) {
  return carom::bench::scaling_main(argc, argv, {.scene = "drop", .steps = 1000});
}
