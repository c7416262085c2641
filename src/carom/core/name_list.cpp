// Names that count on are kept as the first of them and how many there are.
#include "carom/core/name_list.h"

#include <algorithm>
#include <charconv>

#include "carom/core/assert.h"
#include "carom/core/hash.h"

namespace carom {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// A number as std::to_string writes it.
std::optional<std::uint64_t> counted(std::string_view digits) {
  constexpr std::size_t kMostDigits = 18;
  if (digits.empty() || digits.size() > kMostDigits) return std::nullopt;
  if (digits.size() > 1 && digits.front() == '0') return std::nullopt;
  std::uint64_t number = 0;
  const char* const end = digits.data() + digits.size();
  const auto [at, error] = std::from_chars(digits.data(), end, number);
  if (error != std::errc() || at != end) return std::nullopt;
  return number;
}

std::uint64_t hash_of(std::string_view name) {
  Hash64 hash;
  hash.add(name);
  return hash.value();
}

}  // namespace

NameList::NameList(std::initializer_list<std::string> names) {
  for (const std::string& name : names) push_back(name);
}

NameList::NameList(const std::vector<std::string>& names) {
  for (const std::string& name : names) push_back(name);
}

std::string NameList::text_of(const Run& run, std::uint64_t further) {
  return run.counts ? run.before + std::to_string(run.number + further) + run.behind : run.before;
}

std::size_t NameList::length_of(std::size_t run) const {
  return (run + 1 < runs_.size() ? runs_[run + 1].first : size_) - runs_[run].first;
}

std::string NameList::given(std::size_t number) const {
  const auto later =
      std::upper_bound(runs_.begin(), runs_.end(), number,
                       [](std::size_t sought, const Run& run) { return sought < run.first; });
  const Run& run = *std::prev(later);
  return text_of(run, number - run.first);
}

std::string NameList::operator[](std::size_t number) const {
  return given(order_.empty() ? number : order_[number]);
}

std::string NameList::at(std::size_t number) const {
  CAROM_DEMAND(number < size_);
  return (*this)[number];
}

// Whether the last run goes on with this name; one that begins learns what counts.
bool NameList::continues(std::string_view name) {
  if (runs_.empty()) return false;
  Run& run = runs_.back();
  const std::size_t length = size_ - run.first;
  if (run.counts) {
    return name.size() > run.before.size() + run.behind.size() && name.starts_with(run.before) &&
           name.ends_with(run.behind) &&
           counted(name.substr(run.before.size(), name.size() - run.before.size() -
                                                      run.behind.size())) == run.number + length;
  }
  // The digits around what the two names do not share.
  const std::string_view last = run.before;
  const std::size_t shorter = std::min(last.size(), name.size());
  std::size_t begin = 0;
  while (begin < shorter && last[begin] == name[begin]) ++begin;
  std::size_t behind = 0;
  while (behind < shorter - begin &&
         last[last.size() - 1 - behind] == name[name.size() - 1 - behind]) {
    ++behind;
  }
  while (begin > 0 && is_digit(last[begin - 1])) --begin;
  while (behind > 0 && is_digit(last[last.size() - behind])) --behind;
  if (last.size() < begin + behind || name.size() < begin + behind) return false;
  const auto first = counted(last.substr(begin, last.size() - begin - behind));
  const auto second = counted(name.substr(begin, name.size() - begin - behind));
  if (!first || !second || *second != *first + 1) return false;
  run.behind = std::string(last.substr(last.size() - behind));
  run.before.resize(begin);
  run.number = *first;
  run.counts = true;
  return true;
}

void NameList::push_back(std::string_view name) {
  if (!continues(name)) runs_.push_back({size_, std::string(name), 0, {}, false});
  if (!order_.empty()) order_.push_back(static_cast<std::uint32_t>(size_));
  ++size_;
}

void NameList::erase(std::size_t number) {
  std::vector<std::string> names = texts();
  names.erase(names.begin() + static_cast<std::ptrdiff_t>(number));
  *this = NameList(names);
}

void NameList::set(std::size_t number, std::string_view name) {
  std::vector<std::string> names = texts();
  names.at(number) = name;
  *this = NameList(names);
}

void NameList::rearrange(const std::vector<std::uint32_t>& order) {
  CAROM_DEMAND(order.size() == size_);
  std::vector<std::uint32_t> now = order;
  if (!order_.empty()) {
    for (std::uint32_t& number : now) number = order_[number];
  }
  order_ = std::move(now);
}

std::optional<std::size_t> NameList::first_repeated() const {
  // Of equal hashes the names themselves are looked at.
  std::vector<std::uint64_t> hashes;
  hashes.reserve(size_);
  for (const std::string& name : *this) hashes.push_back(hash_of(name));
  std::vector<std::uint64_t> sorted = hashes;
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::uint64_t> twice;
  for (std::size_t k = 1; k < sorted.size(); ++k) {
    if (sorted[k] == sorted[k - 1]) twice.push_back(sorted[k]);
  }
  if (twice.empty()) return std::nullopt;
  std::vector<std::string> seen;
  for (std::size_t k = 0; k < size_; ++k) {
    if (!std::binary_search(twice.begin(), twice.end(), hashes[k])) continue;
    std::string name = (*this)[k];
    if (std::find(seen.begin(), seen.end(), name) != seen.end()) return k;
    seen.push_back(std::move(name));
  }
  return std::nullopt;
}

std::optional<std::size_t> NameList::find(std::string_view name) const {
  if (!order_.empty()) {
    for (std::size_t k = 0; k < size_; ++k) {
      if ((*this)[k] == name) return k;
    }
    return std::nullopt;
  }
  for (std::size_t k = 0; k < runs_.size(); ++k) {
    const Run& run = runs_[k];
    if (!run.counts) {
      if (run.before == name) return run.first;
      continue;
    }
    if (name.size() <= run.before.size() + run.behind.size() || !name.starts_with(run.before) ||
        !name.ends_with(run.behind)) {
      continue;
    }
    const auto number = counted(
        name.substr(run.before.size(), name.size() - run.before.size() - run.behind.size()));
    if (number && *number >= run.number && *number - run.number < length_of(k)) {
      return run.first + (*number - run.number);
    }
  }
  return std::nullopt;
}

bool NameList::operator==(const NameList& other) const {
  if (size_ != other.size_) return false;
  for (std::size_t k = 0; k < size_; ++k) {
    if ((*this)[k] != other[k]) return false;
  }
  return true;
}

}  // namespace carom
