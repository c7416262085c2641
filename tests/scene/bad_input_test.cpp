// Malformed instants: each must be refused at its place with a message of its own.

#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "carom/core/error.h"
#include "carom/scene/instant.h"
#include "carom/scene/settings.h"

namespace carom {
namespace {

struct BadFile {
  const char* name;
  const char* text;
  int line;
  int column;
  const char* key;
  const char* message;  // a piece of it
};

// The text begins on line 1; "kind" is left to each case, because some are about it.
const std::vector<BadFile>& syntax_cases() {
  static const std::vector<BadFile> cases = {
      {"empty_file", "", 1, 1, "kind", "is missing; expected kind = \"instant\""},
      {"not_toml", "kind = \n", 1, 8, "", "not valid TOML"},
      {"unterminated_string", "kind = \"instant\n", 1, 16, "", "not valid TOML"},
      {"duplicate_key", "kind = \"instant\"\nkind = \"instant\"\n", 2, 8, "", "not valid TOML"},
      {"binary", "\x01\x02\x03", 1, 1, "", "not valid TOML"},
      {"wrong_kind", "kind = \"instnat\"\n", 1, 8, "kind", "unknown kind 'instnat'"},
      {"foreign_kind", "kind = \"film\"\n", 1, 8, "kind",
       "unknown kind 'film'; known: instant, scene"},
      {"kind_of_wrong_type", "kind = 3\n", 1, 8, "kind", "expected a string, found the number 3"},
      {"unknown_top_level_key", "kind = \"instant\"\ntitl = \"x\"\n[[body]]\nvelocity = 1\n", 2, 1,
       "", "unknown key 'titl'; did you mean 'title'?"},
      {"no_bodies", "kind = \"instant\"\n", 1, 1, "body", "at least one [[body]]"},
      {"body_is_a_number", "kind = \"instant\"\nbody = 3\n", 2, 8, "body",
       "expected tables, each headed by [[body]], found the number 3"},
      {"body_is_one_table", "kind = \"instant\"\n[body]\nvelocity = 1\n", 2, 1, "body",
       "expected tables, each headed by [[body]], found a table"},
      {"body_is_a_list_of_numbers", "kind = \"instant\"\nbody = [1, 2]\n", 2, 9, "body[0]",
       "found the number 1"},
  };
  return cases;
}

const std::vector<BadFile>& body_cases() {
  static const std::vector<BadFile> cases = {
      {"velocity_missing", "kind = \"instant\"\n[[body]]\nname = \"a\"\n", 2, 1, "body[0].velocity",
       "is missing"},
      {"velocity_is_text", "kind = \"instant\"\n[[body]]\nvelocity = \"fast\"\n", 3, 12,
       "body[0].velocity", "unknown name 'fast'"},
      {"velocity_is_boolean", "kind = \"instant\"\n[[body]]\nvelocity = true\n", 3, 12,
       "body[0].velocity", "expected a number, found true"},
      {"velocity_is_date", "kind = \"instant\"\n[[body]]\nvelocity = 2001-01-01\n", 3, 12,
       "body[0].velocity", "found a date or time"},
      {"velocity_not_finite", "kind = \"instant\"\n[[body]]\nvelocity = [1.0, nan]\n", 3, 18,
       "body[0].velocity[1]", "must be finite"},
      {"velocity_infinite", "kind = \"instant\"\n[[body]]\nvelocity = -inf\n", 3, 12,
       "body[0].velocity", "must be finite"},
      {"velocity_too_long", "kind = \"instant\"\n[[body]]\nvelocity = [1, 2, 3, 4, 5, 6, 7]\n", 3,
       12, "body[0].velocity", "expected at most 6 numbers, found 7"},
      {"ball_with_four_numbers", "kind = \"instant\"\n[[body]]\nvelocity = [1, 2, 3, 4]\n", 3, 12,
       "body[0].velocity", "expected 1, 2 or 3 numbers for a ball, found 4"},
      {"empty_velocity", "kind = \"instant\"\n[[body]]\nvelocity = []\n", 3, 12, "body[0].velocity",
       "found 0"},
      {"division_by_zero", "kind = \"instant\"\n[[body]]\nvelocity = \"1/0\"\n", 3, 12,
       "body[0].velocity", "division by zero"},
      {"negative_mass", "kind = \"instant\"\n[[body]]\nvelocity = 1\nmass = -2\n", 4, 8,
       "body[0].mass", "must be positive"},
      {"zero_mass", "kind = \"instant\"\n[[body]]\nvelocity = 1\nmass = 0\n", 4, 8, "body[0].mass",
       "must be positive"},
      {"unknown_body_kind", "kind = \"instant\"\n[[body]]\nkind = \"bal\"\nvelocity = 1\n", 3, 8,
       "body[0].kind", "did you mean 'ball'?"},
      {"unknown_body_key", "kind = \"instant\"\n[[body]]\nvelocity = 1\nmas = 2\n", 4, 1, "body[0]",
       "unknown key 'mas'; did you mean 'mass'?"},
      {"duplicate_body_name",
       "kind = \"instant\"\n[[body]]\nname = \"a\"\nvelocity = 1\n[[body]]\nname = \"a\"\nvelocity "
       "= 1\n",
       6, 8, "body[1].name", "is the name of an earlier body"},
      {"empty_body_name", "kind = \"instant\"\n[[body]]\nname = \"\"\nvelocity = 1\n", 3, 8,
       "body[0].name", "must not be empty"},
      {"inertia_missing",
       "kind = \"instant\"\n[[body]]\nkind = \"rigid_2d\"\nvelocity = [0, 0, 0]\n", 2, 1,
       "body[0].inertia", "one number for a rigid_2d body"},
      {"inertia_of_a_ball", "kind = \"instant\"\n[[body]]\nvelocity = 1\ninertia = 2\n", 4, 11,
       "body[0].inertia", "a ball has none"},
      {"inertia_not_symmetric",
       "kind = \"instant\"\n[[body]]\nkind = \"rigid_3d\"\nvelocity = [0, 0, 0, 0, 0, 0]\n"
       "inertia = [1, 5, 0, 0, 1, 0, 0, 0, 1]\n",
       5, 11, "body[0].inertia", "must be symmetric"},
      {"inertia_not_positive",
       "kind = \"instant\"\n[[body]]\nkind = \"rigid_3d\"\nvelocity = [0, 0, 0, 0, 0, 0]\n"
       "inertia = [1, -1, 1]\n",
       5, 11, "body[0].inertia", "positive definite"},
      {"inertia_of_wrong_size",
       "kind = \"instant\"\n[[body]]\nkind = \"rigid_3d\"\nvelocity = [0, 0, 0, 0, 0, 0]\n"
       "inertia = [1, 1]\n",
       5, 11, "body[0].inertia", "expected 9 numbers, found 2"},
      {"mass_and_matrix",
       "kind = \"instant\"\n[[body]]\nvelocity = 1\nmass = 2\nmass_matrix = [1]\n", 4, 8,
       "body[0].mass", "give mass or mass_matrix, not both"},
      {"matrix_of_wrong_size",
       "kind = \"instant\"\n[[body]]\nvelocity = [1, 2]\nmass_matrix = [1, 2]\n", 4, 15,
       "body[0].mass_matrix", "expected 4 numbers"},
      {"position_of_wrong_size",
       "kind = \"instant\"\n[[body]]\nvelocity = [1, 2]\nposition = [1, 2, 3]\n", 4, 12,
       "body[0].position", "expected 2 numbers for a ball, found 3"},
      {"fixed_and_scripted",
       "kind = \"instant\"\n[[body]]\nfixed = true\nscripted = true\nvelocity = 0\n", 4, 12,
       "body[0].scripted", "give fixed or scripted, not both"},
      {"fixed_that_moves", "kind = \"instant\"\n[[body]]\nfixed = true\nvelocity = [0, 1]\n", 4, 12,
       "body[0].velocity", "use scripted = true"},
      {"fixed_with_a_mass", "kind = \"instant\"\n[[body]]\nfixed = true\nvelocity = 0\nmass = 1\n",
       5, 8, "body[0].mass", "a body that is fixed has none"},
      {"fixed_without_dimension", "kind = \"instant\"\n[[body]]\nfixed = true\n", 2, 1,
       "body[0].position", "to know the dimension"},
      {"scripted_without_velocity", "kind = \"instant\"\n[[body]]\nscripted = true\n", 2, 1,
       "body[0].velocity", "the velocity of the scripted body"},
      {"fixed_is_text", "kind = \"instant\"\n[[body]]\nvelocity = 1\nfixed = \"yes\"\n", 4, 9,
       "body[0].fixed", "expected true or false, found the string \"yes\""},
  };
  return cases;
}

// Two balls "left" and "right" on lines 2 to 7; the contact begins on line 8.
#define CAROM_TWO_BALLS                                                                            \
  "kind = \"instant\"\n[[body]]\nname = \"left\"\nvelocity = [1, 0]\n[[body]]\nname = \"right\"\n" \
  "velocity = [0, 0]\n"

const std::vector<BadFile>& row_cases() {
  static const std::vector<BadFile> cases = {
      {"contact_without_bodies", CAROM_TWO_BALLS "[[contact]]\nnormal = [1, 0]\n", 8, 1,
       "contact[0].bodies", "one or two names of bodies"},
      {"contact_of_three",
       CAROM_TWO_BALLS "[[contact]]\nbodies = [\"left\", \"right\", \"left\"]\n", 9, 10,
       "contact[0].bodies", "found 3"},
      {"unknown_body_name",
       CAROM_TWO_BALLS "[[contact]]\nbodies = [\"rihgt\", \"left\"]\nnormal = [1, 0]\n", 9, 10,
       "contact[0].bodies", "unknown body 'rihgt'; did you mean 'right'? Known: left, right"},
      {"body_name_nearly_right",
       CAROM_TWO_BALLS "[[contact]]\nbodies = [\"righ\", \"left\"]\nnormal = [1, 0]\n", 9, 10,
       "contact[0].bodies", "did you mean 'right'?"},
      {"touches_itself",
       CAROM_TWO_BALLS "[[contact]]\nbodies = [\"left\", \"left\"]\nnormal = [1, 0]\n", 9, 10,
       "contact[0].bodies", "a body cannot touch itself"},
      {"normal_missing", CAROM_TWO_BALLS "[[contact]]\nbodies = [\"right\", \"left\"]\n", 8, 1,
       "contact[0].normal", "from the second body to the first"},
      {"normal_zero", CAROM_TWO_BALLS "[[contact]]\nbodies = [\"left\"]\nnormal = [0, 0]\n", 10, 10,
       "contact[0].normal", "has no length"},
      {"normal_of_wrong_size", CAROM_TWO_BALLS "[[contact]]\nbodies = [\"left\"]\nnormal = [1]\n",
       10, 10, "contact[0].normal", "expected 2 numbers, found 1"},
      {"coinciding_positions",
       "kind = \"instant\"\n[[body]]\nname = \"a\"\nvelocity = 1\nposition = 2\n[[body]]\n"
       "name = \"b\"\nvelocity = 0\nposition = 2\n[[contact]]\nbodies = [\"a\", \"b\"]\n",
       11, 10, "contact[0].bodies", "the two positions coincide"},
      {"restitution_above_one",
       CAROM_TWO_BALLS "[[contact]]\nbodies = [\"left\"]\nnormal = [1, 0]\nrestitution = 1.5\n", 11,
       15, "contact[0].restitution", "must be between 0 and 1"},
      {"friction_negative",
       CAROM_TWO_BALLS "[[contact]]\nbodies = [\"left\"]\nnormal = [1, 0]\nfriction = -0.5\n", 11,
       12, "contact[0].friction", "must not be negative"},
      {"stiffness_zero",
       CAROM_TWO_BALLS "[[contact]]\nbodies = [\"left\"]\nnormal = [1, 0]\nstiffness = 0\n", 11, 13,
       "contact[0].stiffness", "must be positive"},
      {"friction_on_a_line",
       "kind = \"instant\"\n[[body]]\nname = \"a\"\nvelocity = 1\n[[contact]]\nbodies = [\"a\"]\n"
       "normal = 1\nfriction = 0.5\n",
       8, 12, "contact[0].friction", "no tangent in 1D"},
      {"unknown_contact_key",
       CAROM_TWO_BALLS "[[contact]]\nbodies = [\"left\"]\nnormal = [1, 0]\nrestition = 1\n", 11, 1,
       "contact[0]", "did you mean 'restitution'?"},
      {"duplicate_contact_name",
       CAROM_TWO_BALLS "[[contact]]\nname = \"c\"\nbodies = [\"left\"]\nnormal = [1, 0]\n"
                       "[[contact]]\nname = \"c\"\nbodies = [\"right\"]\nnormal = [1, 0]\n",
       13, 8, "contact[1].name", "is the name of an earlier contact or row"},
      {"rigid_contact_without_point",
       "kind = \"instant\"\n[[body]]\nname = \"p\"\nkind = \"rigid_2d\"\nvelocity = [0, 0, 0]\n"
       "inertia = 1\nposition = [0, 0]\n[[contact]]\nbodies = [\"p\"]\nnormal = [0, 1]\n",
       8, 1, "contact[0]", "is rigid"},
      {"two_dimensions",
       "kind = \"instant\"\n[[body]]\nname = \"a\"\nvelocity = 1\n[[body]]\nname = \"b\"\n"
       "velocity = [0, 0]\n[[contact]]\nbodies = [\"a\", \"b\"]\nnormal = 1\n",
       8, 1, "contact[0]", "lives in 2D"},
      {"row_without_gradient", CAROM_TWO_BALLS "[[row]]\nbodies = [\"left\"]\n", 8, 1,
       "row[0].gradient", "a list of numbers per body"},
      {"gradient_of_one_side",
       CAROM_TWO_BALLS "[[row]]\nbodies = [\"left\", \"right\"]\ngradient = [[1, 0]]\n", 10, 12,
       "row[0].gradient", "expected 2 lists, one per body, found 1"},
      {"gradient_is_flat", CAROM_TWO_BALLS "[[row]]\nbodies = [\"left\"]\ngradient = [1, 0]\n", 10,
       13, "row[0].gradient[0]", "expected a list of numbers, found the number 1"},
      {"gradient_zero", CAROM_TWO_BALLS "[[row]]\nbodies = [\"left\"]\ngradient = [[0, 0]]\n", 10,
       12, "row[0].gradient", "is zero"},
      {"tangent_offsets_too_many",
       CAROM_TWO_BALLS "[[row]]\nbodies = [\"left\"]\ngradient = [[1, 0]]\n"
                       "tangent_offsets = [1]\n",
       11, 19, "row[0].tangent_offsets", "one number per tangent"},
      {"friction_without_tangent",
       CAROM_TWO_BALLS "[[row]]\nbodies = [\"left\"]\ngradient = [[1, 0]]\nfriction = 1\n", 8, 1,
       "row[0]", "friction needs at least one tangent"},
      {"default_restitution_out_of_range", "kind = \"instant\"\n[defaults]\nrestitution = 2\n", 3,
       15, "defaults.restitution", "must be between 0 and 1"},
      {"unknown_default", "kind = \"instant\"\n[defaults]\nmass = 2\n", 3, 1, "defaults",
       "unknown key 'mass'; known: restitution, friction, stiffness"},
  };
  return cases;
}

const std::vector<BadFile>& setting_and_expectation_cases() {
  static const std::vector<BadFile> cases = {
      {"unknown_operator", "kind = \"instant\"\n[impact]\noperator = \"gs\"\n", 3, 12,
       "impact.operator", "unknown impact operator 'gs'"},
      {"unknown_operator_option",
       "kind = \"instant\"\n[impact]\noperator = \"gauss_seidel:ordre=worst\"\n", 3, 12,
       "impact.operator", "ordre"},
      {"operator_and_operators",
       "kind = \"instant\"\n[impact]\noperator = \"gr\"\noperators = [\"lcp\"]\n", 4, 13,
       "impact.operators", "give operator or operators, not both"},
      {"no_operators", "kind = \"instant\"\n[impact]\noperators = []\n", 3, 13, "impact.operators",
       "expected at least one name"},
      {"operator_twice", "kind = \"instant\"\n[impact]\noperators = [\"gr\", \"gr\"]\n", 3, 13,
       "impact.operators", "is given twice"},
      {"operators_of_numbers", "kind = \"instant\"\n[impact]\noperators = [1]\n", 3, 14,
       "impact.operators[0]", "expected a string, found the number 1"},
      {"unknown_model", "kind = \"instant\"\n[impact]\nrestitution_model = \"interpolate\"\n", 3,
       21, "impact.restitution_model", "did you mean 'interpolated'?"},
      {"unknown_setting", "kind = \"instant\"\n[impact]\ntolerence = 1e-8\n", 3, 1, "impact",
       "did you mean 'tolerance'?"},
      {"tolerance_zero", "kind = \"instant\"\n[impact]\ntolerance = 0\n", 3, 13, "impact.tolerance",
       "must be between 1e-14 and 0.01, found 0"},
      {"tolerance_not_finite", "kind = \"instant\"\n[impact]\ntolerance = nan\n", 3, 13,
       "impact.tolerance", "must be finite"},
      {"budget_negative", "kind = \"instant\"\n[impact]\nmax_applications = -1\n", 3, 20,
       "impact.max_applications", "a whole number that is not negative, found -1"},
      {"budget_fraction", "kind = \"instant\"\n[impact]\nmax_applications = 1.5\n", 3, 20,
       "impact.max_applications", "a whole number that is not negative, found 1.5"},
      {"certificate_is_number", "kind = \"instant\"\n[impact]\ncertificate = 1\n", 3, 15,
       "impact.certificate", "expected true or false, found 1"},
      {"expect_unknown_status", CAROM_TWO_BALLS "[expect]\nstatus = \"resovled\"\n", 9, 10,
       "expect.status", "did you mean 'resolved'?"},
      {"expect_unknown_law", CAROM_TWO_BALLS "[expect]\nlaws = [\"SYM\"]\n", 9, 8, "expect.laws",
       "unknown law 'SYM'; known: ONE, MOM, KIN, FEAS, FIN"},
      {"expect_unknown_body", CAROM_TWO_BALLS "[expect.velocity]\nlefr = [0, 0]\n", 9, 8,
       "expect.velocity.lefr", "did you mean 'left'?"},
      {"expect_wrong_size", CAROM_TWO_BALLS "[expect.velocity]\nleft = 0\n", 9, 8,
       "expect.velocity.left", "expected 2 numbers, as the body has, found 1"},
      {"expect_unknown_row", CAROM_TWO_BALLS "[expect.impulse]\nfloor = 0\n", 9, 9,
       "expect.impulse.floor", "unknown name of a contact or row 'floor'"},
      {"expect_of_another_operator", CAROM_TWO_BALLS "[expect.lcp]\napplications = 1\n", 8, 9,
       "expect", "unknown key 'lcp'"},
      {"expect_energy_reversed", CAROM_TWO_BALLS "[expect]\nenergy = [1, 0]\n", 9, 10,
       "expect.energy", "the least is larger than the most"},
      {"expect_tolerance_negative", CAROM_TWO_BALLS "[expect]\ntolerance = -1\n", 9, 13,
       "expect.tolerance", "must be positive"},
      {"check_without_name", "kind = \"instant\"\n[check]\nsize = 3\n", 2, 1, "check.name",
       "is missing"},
      {"check_is_text", "kind = \"instant\"\ncheck = \"wedge\"\n", 2, 9, "check",
       "expected a table, found the string \"wedge\""},
  };
  return cases;
}

std::vector<BadFile> all_cases() {
  std::vector<BadFile> all;
  for (const auto* list :
       {&syntax_cases(), &body_cases(), &row_cases(), &setting_and_expectation_cases()}) {
    all.insert(all.end(), list->begin(), list->end());
  }
  return all;
}

class BadInput : public testing::TestWithParam<BadFile> {};

TEST_P(BadInput, IsRefusedAtItsPlace) {
  const BadFile& bad = GetParam();
  try {
    static_cast<void>(read_instant(bad.text, "bad.toml"));
    FAIL() << "was accepted:\n" << bad.text;
  } catch (const InputError& error) {
    EXPECT_EQ(error.place().file, "bad.toml");
    EXPECT_EQ(error.place().line, bad.line) << error.what();
    EXPECT_EQ(error.place().column, bad.column) << error.what();
    EXPECT_EQ(error.place().key, bad.key) << error.what();
    EXPECT_NE(error.message().find(bad.message), std::string::npos) << error.what();
  }
}

INSTANTIATE_TEST_SUITE_P(All, BadInput, testing::ValuesIn(all_cases()),
                         [](const testing::TestParamInfo<BadFile>& test) {
                           return std::string(test.param.name);
                         });

TEST(BadInputMessages, AreAtLeastFortyAndEachItsOwn) {
  std::set<std::string> messages;
  for (const BadFile& bad : all_cases()) {
    try {
      static_cast<void>(read_instant(bad.text, "bad.toml"));
    } catch (const InputError& error) {
      messages.insert(error.place().key + ": " + error.message());
    }
  }
  EXPECT_GE(messages.size(), 40U);
  EXPECT_GE(messages.size() + 1, all_cases().size());  // a mass of 0 and of -2 may read alike
}

TEST(BadInputFiles, ThatCannotBeReadAreNamed) {
  const auto message_of = [](const std::filesystem::path& path) -> std::string {
    try {
      static_cast<void>(read_instant_file(path));
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message_of("no/such/file.toml"),
            "no/such/file.toml: cannot be opened: No such file or directory");
  EXPECT_EQ(message_of("."), ".: is a directory; expected a file");
}

TEST(BadInputSettings, AreRefusedByKey) {
  ImpactSettings settings;
  const auto message_of = [&](const std::string& key, const SettingValue& value) -> std::string {
    try {
      set_impact_setting(settings, key, value);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(message_of("tolerence", 1.0).find("did you mean 'tolerance'"), std::string::npos);
  EXPECT_NE(message_of("tolerance", std::string("tiny")).find("found 'tiny'"), std::string::npos);
  EXPECT_NE(message_of("certificate", std::string("yes")).find("true or false"), std::string::npos);
  EXPECT_NE(message_of("friction_passes", 0.0).find("between 1 and"), std::string::npos);
  EXPECT_NE(message_of("layer_applications", 0.0).find("at least 1"), std::string::npos);
  EXPECT_NE(message_of("restitution_model", 1.0).find("expected a string"), std::string::npos);
  EXPECT_NE(message_of("anti_locking", std::string("lasy")).find("did you mean 'lazy'"),
            std::string::npos);
  EXPECT_EQ(message_of("tolerance", std::string("1e-8")), "");
  EXPECT_EQ(settings.tolerance, 1e-8);
}

TEST(BadInputProblems, AreRefusedByTheApiToo) {
  ImpactProblem problem;
  const auto message_of = [&](const auto& call) -> std::string {
    try {
      call();
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  BodyDefinition body;
  body.velocity = {1.0};
  body.mass = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(message_of([&] { problem.add_body(body); }).find("mass: must be finite"),
            std::string::npos);
  body.mass = 1e-320;
  EXPECT_NE(message_of([&] { problem.add_body(body); }), "");
  body.mass = 1.0;
  problem.add_body(body);
  ContactDefinition contact;
  contact.normal = {1.0};
  EXPECT_NE(message_of([&] { problem.add_contact(contact); }).find("must touch a body"),
            std::string::npos);
  contact.body_a = 7;
  EXPECT_NE(message_of([&] { problem.add_contact(contact); }).find("no body 7"), std::string::npos);
  EXPECT_NE(message_of([&] {
              const std::vector<double> two = {1.0, 2.0};
              problem.set_velocity(0, two);
            }).find("expected 1"),
            std::string::npos);
  EXPECT_EQ(problem.body_count(), 1U);
  EXPECT_EQ(problem.row_count(), 0U);
}

TEST(BadInputBytes, NeverDoMoreThanThrow) {
  const std::vector<std::string> texts = {
      std::string(100000, '['),
      std::string(5000, '\xff'),
      "kind = \"instant\"\nbody = " + std::string(2000, '[') + std::string(2000, ']') + "\n",
      "kind = \"instant\"\n[[body]]\nvelocity = \"" + std::string(3000, '(') + "\"\n",
      std::string("kind = \"instant\"\n\0[[body]]", 26),
  };
  for (const std::string& text : texts) {
    EXPECT_THROW(static_cast<void>(read_instant(text)), InputError);
  }
}

}  // namespace
}  // namespace carom
