#include "tests/conformance/fuzz_script.h"

#include <array>
#include <string_view>
#include <vector>

#include "tests/conformance/fuzz_libraries.h"
#include "tests/conformance/fuzz_words.h"

namespace holdfast::conformance {
namespace {

using namespace std::string_view_literals;

// Expressions whose values show how Lua and Redis see each other's types.
constexpr std::array kExpressions{"1.9"sv,
                                  "-1.9"sv,
                                  "true"sv,
                                  "false"sv,
                                  "'text'"sv,
                                  "{1, 2, 'x'}"sv,
                                  "{}"sv,
                                  "{ok = 'FINE'}"sv,
                                  "{err = 'MY error'}"sv,
                                  "{{1, {2, 'deep'}}, false, 3}"sv,
                                  "1e15"sv,
                                  "1e20"sv,
                                  "-0"sv,
                                  "2 ^ 53"sv,
                                  "tostring(2 ^ 53)"sv,
                                  "tostring(0.1)"sv,
                                  "tostring(-1)"sv,
                                  "#KEYS"sv,
                                  "#ARGV"sv,
                                  "KEYS[1]"sv,
                                  "ARGV[1]"sv,
                                  "ARGV[2]"sv,
                                  "KEYS[9]"sv,
                                  "tonumber(ARGV[1])"sv,
                                  "tonumber('0x10')"sv,
                                  "tonumber('1e2')"sv,
                                  "tostring(tonumber(ARGV[1]))"sv,
                                  "redis.sha1hex('a')"sv,
                                  "redis.status_reply('FINE')"sv,
                                  "redis.error_reply('My error')"sv,
                                  "redis.error_reply('single')"sv,
                                  "string.rep('ab', 3)"sv,
                                  "('abc'):upper()"sv,
                                  "string.format('%d-%s-%5.2f', 3, 'x', 2.5)"sv,
                                  "string.format('%q', 'a b')"sv,
                                  "('a,b,c'):find(',', 1, true)"sv,
                                  "('key:1'):match('%d+')"sv,
                                  "('aXb'):gsub('X', '-')"sv,
                                  "string.byte('A')"sv,
                                  "string.char(72, 105)"sv,
                                  "('x'):len()"sv,
                                  "('abc'):sub(2, -1)"sv,
                                  "table.concat({1, 2, 3}, ',')"sv,
                                  "select('#', 1, 2)"sv,
                                  "type(redis.call)"sv,
                                  "unpack({1, 2})"sv,
                                  "math.floor(2.7)"sv,
                                  "math.max(1, 2)"sv,
                                  "7 % 3"sv,
                                  "-7 % 3"sv,
                                  "10 / 4"sv,
                                  "'10' + 5"sv,
                                  "1 .. ''"sv,
                                  "1.5 .. ''"sv,
                                  "bit.band(6, 3)"sv,
                                  "bit.bor(6, 3)"sv,
                                  "bit.bxor(6, 3)"sv,
                                  "bit.lshift(1, 31)"sv,
                                  "bit.tohex(255)"sv,
                                  "not nil"sv,
                                  "1 == '1'"sv,
                                  "redis.call('time')[1]"sv,
                                  "redis.REPL_ALL"sv,
                                  "{double = 3.25}"sv,
                                  "{map = {a = 1}}"sv,
                                  "{set = {a = true}}"sv,
                                  "{big_number = '123'}"sv,
                                  "{verbatim_string = {string = 'v', format = 'txt'}}"sv,
                                  "{verbatim_string = {string = 'v'}}"sv,
                                  "redis.acl_check_cmd('get', 'a')"sv,
                                  "type(redis.breakpoint())"sv,
                                  "redis.REDIS_VERSION"sv,
                                  "redis.REDIS_VERSION_NUM"sv,
                                  "redis.LOG_WARNING"sv};

// Statements that end the script with an error.
constexpr std::array kFailures{"error('boom')"sv,
                               "error({err = 'MY boom'})"sv,
                               "error({err = 'MYBOOM'})"sv,
                               "local x = nil .. 'a'"sv,
                               "local x = nil; x.y = 1"sv,
                               "undefined_function()"sv,
                               "undefined = 1"sv,
                               "return undefined"sv,
                               "local x = 1 + {}"sv,
                               "local x = {} < 1"sv,
                               "redis.call()"sv,
                               "redis.call('nosuch')"sv,
                               "redis.call('get')"sv,
                               "redis.call('get', {})"sv,
                               "redis.call('multi')"sv,
                               "redis.call('eval', 'return 1', '0')"sv,
                               "redis.call('get', true)"sv,
                               "string.rep()"sv,
                               "error()"sv,
                               "error(nil)"sv,
                               "error(12)"sv,
                               "redis.error_reply()"sv,
                               "return redis.error_reply('X y')"sv,
                               "redis.status_reply(1)"sv,
                               "tonumber()"sv,

                               "syntax error here"sv,
                               "return return"sv,
                               "assert(false)"sv,
                               "assert(nil, 'why')"sv,
                               "redis.sha1hex()"sv,
                               "redis.setresp(4)"sv,
                               "redis.setresp()"sv,
                               "redis.set_repl(4)"sv,
                               "redis.set_repl()"sv,
                               "redis.log(1)"sv,
                               "redis.log(9, 'x')"sv,
                               "redis.log('x', 'x')"sv,
                               "redis.acl_check_cmd('nosuch')"sv,
                               "redis.acl_check_cmd()"sv,
                               "cjson.encode = 1"sv,
                               "rawset(cjson, 'x', 1)"sv,
                               "bit.band()"sv,
                               "redis.call('set', KEYS[1])"sv,
                               "for i = 1, 'x' do end"sv,
                               "goto x"sv,
                               "local t = {} t[nil] = 1"sv};

// First lines that say how a script is to be run, some of them wrong.
constexpr std::array kHeads{"#!lua\n"sv,
                            "#!lua flags=no-writes\n"sv,
                            "#!lua flags=allow-oom,allow-stale\n"sv,
                            "#!lua flags=no-cluster,allow-cross-slot-keys\n"sv,
                            "#!lua flags=no-writes,nosuch\n"sv,
                            "#!lua flags=\n"sv,
                            "#!lua name=x\n"sv,
                            "#!python\n"sv,
                            "#!\n"sv,
                            "#!lua"sv};

// What changes how the script goes on.
constexpr std::array kModes{"redis.setresp(3)"sv,
                            "redis.setresp(3)"sv,
                            "redis.setresp(2)"sv,
                            "redis.set_repl(redis.REPL_ALL)"sv,
                            "redis.set_repl(redis.REPL_NONE)"sv,
                            "redis.set_repl(redis.REPL_AOF)"sv,
                            "redis.set_repl(redis.REPL_REPLICA)"sv,
                            "redis.replicate_commands()"sv,
                            "redis.log(redis.LOG_DEBUG, 'said')"sv};

class ScriptWriter {
 public:
  explicit ScriptWriter(sim::Random& random) : random_(random), words_(random) {}

  std::string body() {
    std::string text = random_.chance(100'000) ? one_of(kHeads) : "";
    text += "local r = {}";
    if (random_.chance(150'000)) text += separator() + one_of(kModes);
    const std::uint64_t statements = 1 + random_.below(5);
    for (std::uint64_t i = 0; i < statements; ++i) text += separator() + statement(2);
    return text + separator() + ending();
  }

 private:
  std::string separator() { return random_.chance(200'000) ? "\n" : " "; }

  std::string statement(int depth) {
    switch (random_.below(depth > 0 ? 11 : 6)) {
      case 0:
        return "r[#r + 1] = " + expression();
      case 10:
        return random_.chance(300'000) ? one_of(kModes) : "r[#r + 1] = " + library_call(random_);
      case 1:
        return "r[#r + 1] = type(" + call("call") + ")";
      case 2:
        return "local v = " + call("pcall") +
               " r[#r + 1] = type(v) == 'table' and (v.err or v.ok or #v) or tostring(v)";
      case 3:
        return call("call");
      case 4:
      case 5:
        return "r[#r + 1] = " + call(random_.chance(300'000) ? "pcall" : "call");
      case 6:
        return "if redis.call('get', KEYS[1]) == ARGV[1] then " + statement(depth - 1) + " else " +
               statement(depth - 1) + " end";
      case 7:
        return "for i = 1, 3 do " + statement(depth - 1) + " end";
      case 8:
        return "if redis.call('exists', KEYS[1]) == 1 then " + statement(depth - 1) + " end";
      default:
        return random_.chance(300'000) ? "do " + one_of(kFailures) + " end" : statement(depth - 1);
    }
  }

  std::string ending() {
    switch (random_.below(6)) {
      case 0:
        return "return " + expression();
      case 1:
        return "return " + call(random_.chance(500'000) ? "call" : "pcall");
      case 2:
        return random_.chance(500'000) ? one_of(kFailures) : "return #r";
      default:
        return "return r";
    }
  }

  std::string one_of(std::span<const std::string_view> texts) {
    return std::string(texts[random_.below(texts.size())]);
  }
  std::string expression() {
    return random_.chance(250'000) ? library_call(random_) : one_of(kExpressions);
  }

  std::string call(std::string_view how) {
    Command command = words_.expand(callable());
    if (random_.chance(40'000)) words_.spoil(command);
    std::string text = "redis." + std::string(how) + "(";
    for (std::size_t i = 0; i < command.size(); ++i) {
      if (i > 0) text += ", ";
      text += argument(command[i]);
    }
    return text + ")";
  }

  // Numbers are sometimes handed over as Lua's, which format them themselves (FID-L8).
  std::string argument(std::string_view word) {
    const bool plain = !word.empty() && word.size() < 10 && word.front() != '0' &&
                       word.find_first_not_of("0123456789") == std::string_view::npos;
    if (plain && random_.chance(400'000)) return std::string(word);
    if (random_.chance(20'000)) return random_.chance(500'000) ? "0.1" : "1e17";
    if (random_.chance(60'000)) return "KEYS[1]";
    if (random_.chance(60'000)) return "ARGV[1]";
    return lua_literal(word);
  }

  std::string_view callable() {
    while (true) {
      const auto commands = known_commands();
      const CommandTemplate& one = commands[random_.below(commands.size())];
      const std::string_view name = one.words.substr(0, one.words.find(' '));
      const bool ordinary = one.family < Family::scripts || name == "publish" || name == "ping";
      if (ordinary && !answers_in_no_order(name) && name != "select") return one.words;
    }
  }

  sim::Random& random_;
  Words words_;
};

}  // namespace

Command random_script(sim::Random& random) {
  Words words(random);
  Command command{random.chance(100'000) ? "eval_ro" : "eval"};
  command.add(ScriptWriter(random).body());
  const std::uint64_t keys = random.below(3);
  command.add(std::to_string(keys));
  for (std::uint64_t i = 0; i < keys; ++i) command.add(words.key());
  const std::uint64_t arguments = random.below(3);
  for (std::uint64_t i = 0; i < arguments; ++i) command.add(words.value("V"));
  return command;
}

}  // namespace holdfast::conformance
