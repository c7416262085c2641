#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "carom/core/error.h"

namespace carom::detail {

/// As much of XML as scene files of other programs use: elements and attributes, each of which
/// knows its place.
struct XmlAttribute {
  std::string name;
  std::string value;
  InputPlace place;
};

struct XmlElement {
  std::string name;
  InputPlace place;  ///< its key is the name
  std::vector<XmlAttribute> attributes;
  std::vector<XmlElement> children;

  /// Null where there is none.
  [[nodiscard]] const XmlAttribute* attribute(std::string_view wanted) const;
  [[nodiscard]] const XmlElement* child(std::string_view wanted) const;
};

/// The root element. Any text is safe; throws InputError on what is not well formed, and on
/// document types, CDATA and text between elements, which no such file has.
[[nodiscard]] XmlElement parse_xml(std::string_view text, const std::string& file);

}  // namespace carom::detail
