// Prints one line a catalogue scenario: its name and the order-free sum of the fingerprints of its
// seeds. The same lines must come out of every compiler, optimisation level and worker count.
//   holdfast_fingerprints SEEDS WORKERS
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "scenarios/format/parse.h"
#include "scenarios/runner/batch.h"

int main(int argc, char** argv) {
  using namespace holdfast;
  const auto seeds = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 100;
  const auto workers = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  std::vector<std::string> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(HOLDFAST_SOURCE_DIR "/scenarios/catalogue")) {
    if (entry.path().extension() == ".json") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  const std::atomic<bool> stop{false};
  for (const auto& file : files) {
    const auto parsed = scenario::parse_file(file);
    const auto* one = std::get_if<scenario::Scenario>(&parsed);
    if (one == nullptr || !one->sim) continue;
    std::vector<runner::Tally> tallies(workers);
    std::vector<std::thread> threads;
    for (std::uint64_t worker = 0; worker < workers; ++worker) {
      const std::uint64_t count = seeds / workers + (worker < seeds % workers ? 1 : 0);
      threads.emplace_back([&, worker, count] {
        tallies[worker] = runner::run_seeds(*one, 1 + worker, count, workers, stop);
      });
    }
    for (auto& thread : threads) thread.join();
    runner::Tally all;
    for (const auto& tally : tallies) all.add(tally);
    std::printf("%s %llu runs %016llx\n", one->name.c_str(),
                static_cast<unsigned long long>(all.runs),
                static_cast<unsigned long long>(all.fingerprints));
  }
  return 0;
}
