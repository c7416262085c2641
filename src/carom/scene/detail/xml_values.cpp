// Numbers, vectors and words of XML attributes.
#include "carom/scene/detail/xml_values.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "carom/core/decimal.h"
#include "carom/core/names.h"
#include "carom/scene/detail/table_reader.h"

namespace carom::detail::xml {
namespace {

std::string_view trimmed(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

std::optional<double> parse_number(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with("+") && !text.starts_with("+-")) text.remove_prefix(1);
  double value = 0.0;
  const auto [rest, error] = read_decimal(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && rest == text.data() + text.size();
  if (!whole || !std::isfinite(value)) return std::nullopt;
  return value;
}

}  // namespace

void refuse(const InputPlace& place, const std::string& message) {
  throw InputError(place, message);
}

const XmlAttribute& required(const XmlElement& element, std::string_view name) {
  const XmlAttribute* attribute = element.attribute(name);
  if (attribute == nullptr) {
    InputPlace place = element.place;
    place.key += "." + std::string(name);
    refuse(place, "is missing");
  }
  return *attribute;
}

double number(const XmlElement& element, std::string_view name) {
  const XmlAttribute& attribute = required(element, name);
  const std::optional<double> value = parse_number(attribute.value);
  if (!value) refuse(attribute.place, "expected a number, found " + in_quotes(attribute.value));
  return *value;
}

double positive(const XmlElement& element, std::string_view name) {
  const double value = number(element, name);
  if (!(value > 0.0)) {
    refuse(required(element, name).place, "must be positive, found " + number_text(value));
  }
  return value;
}

double fraction(const XmlElement& element, std::string_view name) {
  const XmlAttribute& attribute = required(element, name);
  const std::string_view text = attribute.value;
  const std::size_t slash = text.find('/');
  std::optional<double> value = parse_number(text.substr(0, slash));
  if (slash != std::string_view::npos) {
    const std::optional<double> divisor = parse_number(text.substr(slash + 1));
    value = value && divisor && *divisor != 0.0 ? std::optional(*value / *divisor) : std::nullopt;
  }
  if (!value || !(*value > 0.0) || !std::isfinite(*value)) {
    refuse(attribute.place,
           "expected a positive number such as 0.01 or 1/100, found " + in_quotes(attribute.value));
  }
  return *value;
}

bool flag(const XmlElement& element, std::string_view name) {
  const XmlAttribute& attribute = required(element, name);
  const std::string_view text = trimmed(attribute.value);
  if (text == "0" || text == "false") return false;
  if (text == "1" || text == "true") return true;
  refuse(attribute.place, "expected 0 or 1, found " + in_quotes(attribute.value));
}

Vec3 vector(const XmlElement& element, std::string_view name, int dimension) {
  const XmlAttribute& attribute = required(element, name);
  std::string_view text = trimmed(attribute.value);
  std::array<double, 3> numbers{};
  const auto count = static_cast<std::size_t>(dimension);
  std::size_t found = 0;
  while (!text.empty() && found <= count) {
    const std::size_t space = text.find_first_of(" \t\r\n");
    const std::optional<double> number = parse_number(text.substr(0, space));
    if (!number || found == count) {
      found = count + 1;
      break;
    }
    numbers[found++] = *number;
    text = space == std::string_view::npos ? std::string_view() : trimmed(text.substr(space));
  }
  if (found != count) {
    refuse(attribute.place, std::string("expected ") + (dimension == 2 ? "two" : "three") +
                                " numbers with a space between them, found " +
                                in_quotes(attribute.value));
  }
  return {numbers[0], numbers[1], numbers[2]};
}

void demand_known(const XmlElement& element, const std::vector<std::string>& attributes,
                  const std::vector<std::string>& children) {
  const auto has = [](const std::vector<std::string>& list, const std::string& name) {
    return std::find(list.begin(), list.end(), name) != list.end();
  };
  for (const XmlAttribute& attribute : element.attributes) {
    if (has(attributes, attribute.name)) continue;
    refuse(attribute.place,
           unknown_name_message("attribute", printable(attribute.name), attributes));
  }
  for (const XmlElement& child : element.children) {
    if (has(children, child.name)) continue;
    refuse(child.place, children.empty()
                            ? element.name + " holds no further elements"
                            : unknown_name_message("element", printable(child.name), children));
  }
}

}  // namespace carom::detail::xml
