// The files that we ship: the catalogue, the protocols, the benchmark's workloads, the starter.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "scenarios/format/catalogue_files.h"
#include "scenarios/format/file_text.h"
#include "scenarios/format/starter.h"
#include "tests/format/format_testing.h"

namespace holdfast::scenario {
namespace {

const std::string kCatalogue = HOLDFAST_SOURCE_DIR "/scenarios/catalogue";
const std::string kWorkloads = HOLDFAST_SOURCE_DIR "/tests/bench/workloads";

Scenario read(const std::string& file, const std::map<std::string, std::string>& set = {}) {
  ParseResult result = parse_file(file, set);
  if (const auto* errors = std::get_if<std::vector<ParseError>>(&result)) {
    for (const ParseError& error : *errors) ADD_FAILURE() << error.text();
    return {};
  }
  return std::get<Scenario>(std::move(result));
}

std::vector<std::string> all_files() {
  std::vector<std::string> files = catalogue_files(kCatalogue);
  const auto workloads = catalogue_files(kWorkloads);
  files.insert(files.end(), workloads.begin(), workloads.end());
  return files;
}

TEST(Catalogue, FilesAreListedInTheOrderOfTheirBytes) {
  const auto files = catalogue_files(kCatalogue);
  EXPECT_TRUE(std::is_sorted(files.begin(), files.end()));
  EXPECT_TRUE(std::any_of(files.begin(), files.end(),
                          [](const auto& file) { return file.ends_with("/gc-pause.json"); }));
  EXPECT_TRUE(catalogue_files("no/such/folder").empty());
}

TEST(Catalogue, FilesAndTheirBrokenFormsParse) {
  for (const std::string& file : all_files()) {
    const Scenario scenario = read(file);
    EXPECT_EQ(scenario.name, stem(file)) << file;
    EXPECT_FALSE(scenario.source.empty()) << file << " does not say where it comes from";
    EXPECT_FALSE(scenario.requires_facts.empty()) << file << " requires nothing";
    EXPECT_FALSE(scenario.kills.empty()) << file << " names no broken form";
    for (const Kill& kill : scenario.kills) {
      read(file, kill.set);
      EXPECT_FALSE(kill.violates.empty()) << file << ": " << kill.name;
    }
  }
}

TEST(Catalogue, FilesSayWhatOneMustNotGuess) {
  for (const std::string& file : all_files()) {
    const std::string text = read_text_file(file).value();
    for (const char* key :
         {"\"node_deadline\"", "\"repair\"", "\"worlds\"", "\"expect\"", "\"until\""}) {
      EXPECT_NE(text.find(key), std::string::npos) << file << " lacks " << key;
    }
    const bool says = text.find("\"watchdog\"") != std::string::npos ||
                      text.find("\"protocol\"") != std::string::npos;
    EXPECT_TRUE(says) << file << " does not say whether there is a watchdog";
  }
}

TEST(Catalogue, AsWrittenABrokenFormViolatesWhatIsExpected) {
  for (const std::string& file : all_files()) {
    const Scenario scenario = read(file);
    for (const Kill& kill : scenario.kills) {
      if (!kill.set.empty() || !kill.mutant.empty()) continue;
      Texts expected;
      for (const auto& [invariant, expectation] : scenario.expect) {
        if (expectation == Expectation::violated) expected.push_back(invariant);
      }
      EXPECT_THAT(kill.violates, testing::UnorderedElementsAreArray(expected)) << file;
    }
  }
}

TEST(Starter, IsAScenarioThatAlsoRunsLive) {
  const std::string text = starter_scenario("my-lock");
  const Scenario scenario = scenario_of(text);
  EXPECT_EQ(scenario.name, "my-lock");
  EXPECT_TRUE(scenario.sim);
  EXPECT_TRUE(scenario.live);
  EXPECT_EQ(scenario.expect.size(), 2U);
  EXPECT_GT(std::count(text.begin(), text.end(), '\n'), 40) << "it is commented";
}

TEST(TextFiles, AreReadWholeOrNotAtAll) {
  const auto path = std::filesystem::temp_directory_path() / "holdfast-format-text-test.json";
  std::ofstream(path, std::ios::binary) << "a\0b\n";
  EXPECT_EQ(read_text_file(path.string()), "a");
  std::filesystem::remove(path);
  EXPECT_EQ(read_text_file(path.string()), std::nullopt);
  EXPECT_EQ(read_text_file(std::filesystem::temp_directory_path().string()), std::nullopt);
  EXPECT_EQ(folder_of("a/b.json"), "a/");
  EXPECT_EQ(folder_of("b.json"), "");
  EXPECT_EQ(stem("a/b.json"), "b");
}

}  // namespace
}  // namespace holdfast::scenario
