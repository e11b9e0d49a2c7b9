// holdfast report: the files of a finished run's report, rendered again from its record.
#include <cstdio>

#include "reports/read/read_report.h"
#include "reports/render/write.h"
#include "scenarios/main/parse_arguments.h"
#include "scenarios/main/print_report.h"

namespace holdfast::program {

namespace po = boost::program_options;

namespace {

po::options_description report_options_shown() {
  po::options_description options(
      "usage: holdfast report DIR [--out OTHERDIR]\n"
      "Renders the reports of a finished run again: reads DIR/report.json and the histories beside "
      "it,\njudges and explains every violation anew, and writes all files of the report.\n"
      "Expectations are not judged again: it exits with 0 also when the run did not meet them.\n\n"
      "example: holdfast report reports-out --out reports-again\n\noptions");
  auto add = options.add_options();
  add("out", po::value<std::string>()->default_value(""), "write here instead of into DIR");
  add("explain", po::bool_switch(), "print the explanation of each violation");
  add("help", "this text");
  return options;
}

int render_again(const std::string& dir, const std::string& out, bool explain) {
  auto read = report::read_report(dir);
  if (const auto* error = std::get_if<report::ReportError>(&read)) {
    return bad_input("report: " + error->text());
  }
  auto& report = std::get<report::Report>(read);
  const auto problem = report::write_reports(report, out.empty() ? dir : out);
  if (problem) std::fprintf(stderr, "holdfast: %s\n", problem->c_str());
  print_report(report, explain);
  return problem ? kWorldFailed : kOk;
}

}  // namespace

int report_command(const Arguments& arguments) {
  auto parsed = parse_arguments("report", arguments, report_options_shown());
  if (const int* over = std::get_if<int>(&parsed)) return *over;
  const auto& [values, dirs] = std::get<ParsedArguments>(parsed);
  if (dirs.size() != 1) {
    return bad_input("report: expected one folder; holdfast report --help shows an example");
  }
  if (values["out"].as<std::string>().empty() && !values["out"].defaulted()) {
    return bad_input("report: --out: expected a path");
  }
  return render_again(dirs[0], values["out"].as<std::string>(), values["explain"].as<bool>());
}

}  // namespace holdfast::program
