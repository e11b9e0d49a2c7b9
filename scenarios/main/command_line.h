// The commands of the program. Each takes its own arguments and returns the exit code: 2 bad usage
// or input (nothing was run); else 3 a wanted world was missing or failed; else 1 an expectation
// was not met; else 0; 130 after Ctrl-C.
#pragma once

#include <atomic>
#include <string>
#include <vector>

namespace holdfast::program {

inline constexpr int kOk = 0;
inline constexpr int kNotMet = 1;
inline constexpr int kBadInput = 2;
inline constexpr int kWorldFailed = 3;
inline constexpr int kInterrupted = 130;

using Arguments = std::vector<std::string>;

int run_command(const Arguments& arguments);
int list_command(const Arguments& arguments);
int new_command(const Arguments& arguments);
int report_command(const Arguments& arguments);
int serve_command(const Arguments& arguments);
int fault_command(const Arguments& arguments);
int live_client_command(const Arguments& arguments);  // started by the live lab alone

// How this program was called: commands that are shown to people start with it.
extern std::string called_as;

// Set by SIGINT and SIGTERM; long work looks at it.
extern std::atomic<bool> interrupted;

// One error on stderr; returns kBadInput.
int bad_input(const std::string& message);

// All scenario files that the paths name: files as they are, folders with all of theirs, sorted.
// Empty `paths`: the catalogue. A path that does not exist is an error in `problem`.
std::vector<std::string> scenario_files(const std::vector<std::string>& paths,
                                        std::string& problem);

}  // namespace holdfast::program
