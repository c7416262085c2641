// Eigen asks for the header of MMX where there is SSE2. Emscripten has the others (they become the
// module's own vectors) and nothing uses this one; clang's own would refuse to be included.
//
// It also is where Eigen can be told, before it needs it, that there is no assembler for x86-64
// here: its barrier against fast-math is such a line (Carom is built without, so that it has
// nothing to hold back), and so is its way round a fault of GCC 4, which clang claims to be.
#undef EIGEN_OPTIMIZATION_BARRIER
#define EIGEN_OPTIMIZATION_BARRIER(X)
#undef EIGEN_COMP_GNUC
#define EIGEN_COMP_GNUC 0
