#pragma once

/// Before a function: two variants of it, for processors with wide registers and for any, chosen
/// when the program starts. Both compute the same bits: no sums are reordered, none are fused.
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define CAROM_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define CAROM_WIDE
#endif
