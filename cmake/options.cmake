# Compiler flags, carried by one interface target so that nothing leaks to embedding projects.

add_library(carom_options INTERFACE)
target_compile_features(carom_options INTERFACE cxx_std_20)

# Same build, same input, same bits: no fused multiply-add behind our back.
target_compile_options(carom_options INTERFACE -ffp-contract=off)

target_compile_options(
  carom_options
  INTERFACE -Wall
            -Wextra
            -Wpedantic
            -Wshadow
            -Wconversion
            -Wsign-conversion
            -Wold-style-cast
            -Wnon-virtual-dtor
            -Woverloaded-virtual
            $<$<BOOL:${CAROM_WERROR}>:-Werror>)

# Sizes and differences of places have 32 bits there, as the memory that they count.
if(EMSCRIPTEN)
  target_compile_options(carom_options INTERFACE -Wno-shorten-64-to-32 -Wno-sign-conversion)
endif()

# GCC 12 sees overlapping copies in std::string's operator+ (GCC bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(carom_options INTERFACE -Wno-restrict)
  if(CAROM_SANITIZE)  # and, under sanitizers, uninitialised members inside std::regex
    target_compile_options(carom_options INTERFACE -Wno-maybe-uninitialized)
  endif()
endif()

if(CMAKE_CXX_FLAGS MATCHES "-ffast-math|-Ofast|-funsafe-math-optimizations")
  message(FATAL_ERROR "Carom relies on IEEE arithmetic: remove -ffast-math and its relatives")
endif()

# Sanitizers must cover everything that is linked, hence directory scope.
if(CAROM_SANITIZE)
  add_compile_options(-fsanitize=${CAROM_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${CAROM_SANITIZE})
endif()
