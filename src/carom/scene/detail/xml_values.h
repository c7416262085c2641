#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "carom/geometry/vec3.h"
#include "carom/scene/detail/xml.h"

/// Values of attributes. All throw InputError at the attribute, or at the element where it is
/// missing.
namespace carom::detail::xml {

[[noreturn]] void refuse(const InputPlace& place, const std::string& message);

[[nodiscard]] const XmlAttribute& required(const XmlElement& element, std::string_view name);
/// A decimal number, in every locale; "+2." is one too.
[[nodiscard]] double number(const XmlElement& element, std::string_view name);
[[nodiscard]] double positive(const XmlElement& element, std::string_view name);
/// "0.01" or "1/100"; positive.
[[nodiscard]] double fraction(const XmlElement& element, std::string_view name);
/// "0" or "1", "false" or "true".
[[nodiscard]] bool flag(const XmlElement& element, std::string_view name);
/// "0 -8": as many numbers as there are dimensions (2 or 3) in one attribute.
[[nodiscard]] Vec3 vector(const XmlElement& element, std::string_view name, int dimension);

/// Refuses attributes and children that are not among these. What is not known might matter: a
/// word that was misspelt, or of a later version.
void demand_known(const XmlElement& element, const std::vector<std::string>& attributes,
                  const std::vector<std::string>& children);

}  // namespace carom::detail::xml
