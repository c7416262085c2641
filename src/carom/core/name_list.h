#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace carom {

/// Names, one after the other, of which those that count on are computed: "grain-1", "grain-2", ...
/// take no more memory than one of them, and so do "grid-1-7", "grid-2-7", ... It is read as a
/// std::vector<std::string> is, but that elements are copies.
class NameList {
 public:
  NameList() = default;
  NameList(std::initializer_list<std::string> names);
  NameList(const std::vector<std::string>& names);  // NOLINT(google-explicit-constructor)

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::string operator[](std::size_t number) const;
  [[nodiscard]] std::string at(std::size_t number) const;
  [[nodiscard]] std::string front() const { return (*this)[0]; }
  [[nodiscard]] std::string back() const { return (*this)[size_ - 1]; }
  [[nodiscard]] std::vector<std::string> texts() const { return {begin(), end()}; }

  void push_back(std::string_view name);
  void erase(std::size_t number);
  void set(std::size_t number, std::string_view name);
  void clear() { *this = NameList(); }
  void reserve(std::size_t /*count*/) {}
  /// The same names in another order: number k is the present one's `order`[k].
  void rearrange(const std::vector<std::uint32_t>& order);

  /// The first name that one before it has, too.
  [[nodiscard]] std::optional<std::size_t> first_repeated() const;
  /// The first that is called so. Slow where nothing counts on.
  [[nodiscard]] std::optional<std::size_t> find(std::string_view name) const;

  [[nodiscard]] bool operator==(const NameList& other) const;

  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;  // NOLINT(readability-identifier-naming)
    using value_type = std::string;                     // NOLINT(readability-identifier-naming)
    using difference_type = std::ptrdiff_t;             // NOLINT(readability-identifier-naming)
    using pointer = const std::string*;                 // NOLINT(readability-identifier-naming)
    using reference = std::string;                      // NOLINT(readability-identifier-naming)

    Iterator(const NameList* list, std::size_t number) : list_(list), number_(number) {}
    [[nodiscard]] std::string operator*() const { return (*list_)[number_]; }
    Iterator& operator++() {
      ++number_;
      return *this;
    }
    Iterator operator++(int) { return {list_, number_++}; }
    [[nodiscard]] difference_type operator-(const Iterator& other) const {
      return static_cast<difference_type>(number_) - static_cast<difference_type>(other.number_);
    }
    [[nodiscard]] Iterator operator+(difference_type steps) const {
      return {list_, number_ + static_cast<std::size_t>(steps)};
    }
    [[nodiscard]] bool operator==(const Iterator& other) const { return number_ == other.number_; }

   private:
    const NameList* list_;
    std::size_t number_;
  };
  using value_type = std::string;   // NOLINT(readability-identifier-naming)
  using iterator = Iterator;        // NOLINT(readability-identifier-naming)
  using const_iterator = Iterator;  // NOLINT(readability-identifier-naming)
  [[nodiscard]] Iterator begin() const { return {this, 0}; }
  [[nodiscard]] Iterator end() const { return {this, size_}; }

 private:
  /// Names that differ in one number alone, which counts on; one name: `counts` is not known yet.
  struct Run {
    std::size_t first = 0;  ///< number of its first name
    std::string before;     ///< of a single name all of it
    std::uint64_t number = 0;
    std::string behind;
    bool counts = false;
  };
  [[nodiscard]] std::string given(std::size_t number) const;
  [[nodiscard]] static std::string text_of(const Run& run, std::uint64_t further);
  [[nodiscard]] std::size_t length_of(std::size_t run) const;
  [[nodiscard]] bool continues(std::string_view name);

  std::vector<Run> runs_;
  std::size_t size_ = 0;
  std::vector<std::uint32_t> order_;  ///< empty: as given
};

}  // namespace carom
