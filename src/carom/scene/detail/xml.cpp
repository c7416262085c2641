#include "carom/scene/detail/xml.h"

#include <algorithm>
#include <array>
#include <utility>

#include "carom/scene/detail/table_reader.h"

namespace carom::detail {
namespace {

constexpr std::size_t kMostDepth = 50;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || c == '.' || c == ':';
}

struct Entity {
  std::string_view text;
  char character;
};
constexpr std::array<Entity, 5> kEntities = {
    {{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}}};

class XmlParser {
 public:
  XmlParser(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {}

  XmlElement parse() {
    if (take("\xef\xbb\xbf")) column_ = 1;  // a byte order mark
    skip_between();
    if (at_end() || !starts_with("<")) refuse("expected an element, found " + here());
    XmlElement root = element(0);
    skip_between();
    if (!at_end()) refuse("expected the end of the file, found " + here());
    return root;
  }

 private:
  [[nodiscard]] bool at_end() const { return at_ >= text_.size(); }
  [[nodiscard]] bool starts_with(std::string_view what) const {
    return text_.substr(at_, what.size()) == what;
  }
  [[nodiscard]] InputPlace place(std::string key = "") const {
    return {file_, line_, column_, std::move(key)};
  }
  [[noreturn]] void refuse(const std::string& message) const {
    throw InputError(place(), "not valid XML: " + message);
  }
  [[nodiscard]] std::string here() const {
    return at_end() ? "the end of the file" : in_quotes(text_.substr(at_, 1));
  }

  void advance(std::size_t count) {
    for (const char c : text_.substr(at_, count)) {
      const bool continues = (static_cast<unsigned char>(c) & 0xc0U) == 0x80U;
      if (c == '\n') {
        ++line_;
        column_ = 1;
      } else if (!continues) {
        ++column_;
      }
    }
    at_ = std::min(at_ + count, text_.size());
  }
  bool take(std::string_view what) {
    if (!starts_with(what)) return false;
    advance(what.size());
    return true;
  }
  void expect(std::string_view what) {
    if (!take(what)) refuse("expected '" + std::string(what) + "', found " + here());
  }
  void skip_blanks() {
    while (!at_end() && is_blank(text_[at_])) advance(1);
  }
  void skip_until(std::string_view end) {
    const std::size_t found = text_.find(end, at_);
    if (found == std::string_view::npos) refuse("expected '" + std::string(end) + "' after this");
    advance(found + end.size() - at_);
  }

  // Blanks, comments and processing instructions.
  void skip_between() {
    for (;;) {
      skip_blanks();
      if (starts_with("<!--")) {
        skip_until("-->");
      } else if (starts_with("<?")) {
        skip_until("?>");
      } else {
        return;
      }
    }
  }

  std::string name() {
    std::size_t length = 0;
    while (at_ + length < text_.size() && is_name_character(text_[at_ + length])) ++length;
    if (length == 0) refuse("expected a name, found " + here());
    std::string result(text_.substr(at_, length));
    advance(length);
    return result;
  }

  char entity() {
    for (const Entity& known : kEntities) {
      if (take(known.text)) return known.character;
    }
    refuse("unknown entity; known: &lt; &gt; &amp; &quot; &apos;");
  }

  XmlAttribute attribute() {
    XmlAttribute result;
    result.place = place();
    result.name = name();
    skip_blanks();
    expect("=");
    skip_blanks();
    if (!starts_with("\"") && !starts_with("'")) refuse("expected a quote, found " + here());
    const char mark = text_[at_];
    advance(1);
    while (!at_end() && text_[at_] != mark) {
      if (text_[at_] == '<') refuse("'<' inside the value of " + result.name);
      if (text_[at_] == '&') {
        result.value += entity();
      } else {
        result.value += text_[at_];
        advance(1);
      }
    }
    if (at_end()) refuse("the value of " + result.name + " has no closing quote");
    advance(1);
    return result;
  }

  XmlElement element(std::size_t depth) {
    if (depth > kMostDepth) refuse("nested too deeply");
    XmlElement result;
    result.place = place();
    if (starts_with("<!")) refuse("document types and CDATA are not read");
    expect("<");
    result.name = name();
    result.place.key = result.name;
    for (;;) {
      skip_blanks();
      if (take("/>")) return result;
      if (take(">")) break;
      XmlAttribute next = attribute();
      next.place.key = result.name + "." + next.name;
      if (result.attribute(next.name) != nullptr) {
        throw InputError(next.place, "is given twice");
      }
      result.attributes.push_back(std::move(next));
    }
    for (;;) {
      skip_between();
      if (take("</")) break;
      if (at_end() || !starts_with("<")) {
        refuse("expected an element or </" + result.name + ">, found " + here());
      }
      result.children.push_back(element(depth + 1));
    }
    const std::string closing = name();
    if (closing != result.name) {
      refuse("expected </" + result.name + ">, found </" + printable(closing) + ">");
    }
    skip_blanks();
    expect(">");
    return result;
  }

  std::string_view text_;
  std::string file_;
  std::size_t at_ = 0;
  int line_ = 1;
  int column_ = 1;
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
  return XmlParser(text, file).parse();
}

}  // namespace carom::detail
