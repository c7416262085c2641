#pragma once

#include <charconv>

namespace carom {

// Doubles as decimal text, read and written exactly, as std::from_chars and std::to_chars do. Where
// the standard library has those for floating-point numbers they are what runs; where it has them
// for whole numbers only (libc++ before 20, and so Emscripten) the portable functions below do.

/// The longest decimal that is read is a double rounded to nearest, ties to even. As
/// std::from_chars: no leading blanks, no '+', "inf" and "nan" are read, and a number outside the
/// range of doubles leaves `value` as it was.
std::from_chars_result read_decimal(const char* first, const char* last, double& value);

/// The shortest decimal that reads back as the same bits, the nearest of those, fixed or with an
/// exponent, whichever is shorter. The longest has 24 characters.
std::to_chars_result write_decimal(char* first, char* last, double value);

namespace portable {

/// The same results, from the C library's strtod and snprintf, which glibc and musl round
/// correctly. The program's locale must write numbers with a point (as "C" does).
std::from_chars_result read_decimal(const char* first, const char* last, double& value);
std::to_chars_result write_decimal(char* first, char* last, double value);

}  // namespace portable
}  // namespace carom
