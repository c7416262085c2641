// Elements and attributes of an XML file, with their places.
#include "carom/scene/detail/xml.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <new>
#include <pugixml.hpp>
#include <utility>

#include "carom/scene/detail/table_reader.h"

namespace carom::detail {
namespace {

constexpr std::size_t kMostDepth = 50;
// What would be skipped by default is kept where it has to be refused.
constexpr unsigned int kParts = pugi::parse_escapes | pugi::parse_eol | pugi::parse_cdata |
                                pugi::parse_doctype | pugi::parse_fragment;

std::string described(const pugi::xml_parse_result& result) {
  switch (result.status) {
    case pugi::status_unrecognized_tag:
      return "a tag without a name";
    case pugi::status_bad_start_element:
      return "a tag that does not end with '>' or '/>'";
    case pugi::status_bad_attribute:
      return "an attribute that is not of the form name=\"value\"";
    case pugi::status_end_element_mismatch:
      return "an element that is not closed by its own end tag";
    case pugi::status_bad_comment:
      return "a comment that does not end with '-->'";
    default:
      return result.description();
  }
}

/// Turns pugixml's tree into ours. Names stay where they are in the buffer that pugixml parses in
/// place, so that their addresses are their places in the text.
class XmlReader {
 public:
  XmlReader(std::string_view text, std::string file)
      : text_(text), file_(std::move(file)), buffer_(text) {
    for (std::size_t at = text.find('\n'); at != std::string_view::npos;
         at = text.find('\n', at + 1)) {
      line_starts_.push_back(at + 1);
    }
  }

  XmlElement read() {
    if (const std::size_t zero = text_.find('\0'); zero != std::string_view::npos) {
      refuse(zero, "it holds a zero byte");
    }
    pugi::xml_document document;
    const pugi::xml_parse_result result =
        document.load_buffer_inplace(buffer_.data(), buffer_.size(), kParts, pugi::encoding_utf8);
    if (result.status == pugi::status_out_of_memory) throw std::bad_alloc();
    if (!result) refuse(static_cast<std::size_t>(result.offset), described(result));
    return convert(the_only_child(document), 0);
  }

 private:
  [[nodiscard]] InputPlace place(std::size_t offset, std::string key = "") const {
    const auto line = std::prev(std::upper_bound(line_starts_.begin(), line_starts_.end(), offset));
    std::string_view before = text_.substr(*line, offset - *line);
    if (*line == 0 && before.starts_with("\xef\xbb\xbf")) before.remove_prefix(3);
    const auto starts_character = [](char c) {
      return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U;
    };
    return {file_, 1 + static_cast<int>(line - line_starts_.begin()),
            1 + static_cast<int>(std::count_if(before.begin(), before.end(), starts_character)),
            std::move(key)};
  }
  [[noreturn]] void refuse(std::size_t offset, const std::string& message) const {
    throw InputError(place(offset), "not valid XML: " + message);
  }
  [[nodiscard]] std::size_t offset_of(const char* in_buffer) const {
    return static_cast<std::size_t>(in_buffer - buffer_.data());
  }
  /// Of the '<' of an element, and of the first character of what is none.
  [[nodiscard]] std::size_t offset_of(const pugi::xml_node& node) const {
    if (node.type() == pugi::node_element) return offset_of(node.name()) - 1;
    return node.value()[0] == '\0' ? 0 : offset_of(node.value());
  }

  void demand_element(const pugi::xml_node& node) const {
    if (node.type() == pugi::node_element) return;
    if (node.type() == pugi::node_pcdata) refuse(offset_of(node), "text between elements");
    refuse(offset_of(node), "document types and CDATA are not read");
  }

  [[nodiscard]] pugi::xml_node the_only_child(const pugi::xml_document& document) const {
    pugi::xml_node root;
    for (const pugi::xml_node& node : document) {
      demand_element(node);
      if (!root.empty()) refuse(offset_of(node), "a second root element");
      root = node;
    }
    if (root.empty()) refuse(0, "no element");
    return root;
  }

  XmlElement convert(const pugi::xml_node& node, std::size_t depth) const {
    if (depth > kMostDepth) refuse(offset_of(node), "nested too deeply");
    XmlElement result;
    result.name = node.name();
    result.place = place(offset_of(node), result.name);
    for (const pugi::xml_attribute& attribute : node.attributes()) {
      XmlAttribute next{attribute.name(), attribute.value(), {}};
      next.place = place(offset_of(attribute.name()), result.name + "." + next.name);
      if (result.attribute(next.name) != nullptr) throw InputError(next.place, "is given twice");
      result.attributes.push_back(std::move(next));
    }
    for (const pugi::xml_node& child : node) {
      demand_element(child);
      result.children.push_back(convert(child, depth + 1));
    }
    return result;
  }

  std::string_view text_;
  std::string file_;
  std::string buffer_;
  std::vector<std::size_t> line_starts_ = {0};
};

}  // namespace

const XmlAttribute* XmlElement::attribute(std::string_view wanted) const {
  for (const XmlAttribute& candidate : attributes) {
    if (candidate.name == wanted) return &candidate;
  }
  return nullptr;
}

const XmlElement* XmlElement::child(std::string_view wanted) const {
  for (const XmlElement& candidate : children) {
    if (candidate.name == wanted) return &candidate;
  }
  return nullptr;
}

XmlElement parse_xml(std::string_view text, const std::string& file) {
  return XmlReader(text, file).read();
}

}  // namespace carom::detail
