#include "sim/redis/scripting.h"

#include <algorithm>
#include <lua.hpp>

#include "sim/redis/instance.h"
#include "sim/redis/letter_case.h"
#include "sim/redis/lua_conversion.h"
#include "sim/redis/lua_library.h"
#include "sim/redis/lua_memory.h"
#include "sim/redis/scripting_flags.h"
#include "sim/redis/sha1.h"

namespace holdfast::sim::redis {

namespace {

void count_hook(lua_State* lua, lua_Debug*) { engine_of(lua).count_instructions(lua, kScriptStep); }

// Without one of these words in it a script is over when each of its instructions has run once.
bool repeats(std::string_view body) {
  constexpr std::string_view kWords[] = {"while", "for", "repeat", "function", "load"};
  return std::any_of(std::begin(kWords), std::end(kWords), [body](std::string_view word) {
    return body.find(word) != std::string_view::npos;
  });
}

}  // namespace

ScriptEngine::ScriptEngine(Instance& server) : server_(server) {}

ScriptEngine::~ScriptEngine() {
  if (lua_ != nullptr) lua_close(lua_);
}

void ScriptEngine::open_state() {
  memory_ = std::make_unique<LuaMemory>(*this);
  lua_ = lua_newstate(&LuaMemory::allocate, memory_.get());
  open_script_library(lua_);
}

void ScriptEngine::reset() {
  forget_scripts();
  numbers_ = 0;
  random_state_ = 0x1234abcd330e;  // where rand.c begins (FID-L9)
}

void ScriptEngine::forget_scripts() { ++generation_; }

void ScriptEngine::count_instructions(lua_State* lua, int count) {
  instructions_ += count;
  if (instructions_ >= kScriptStep && ending_ == Ending::none) {
    instructions_ = 0;
    server_.let_time_pass(++steps_);
  }
  if (ending_ == Ending::none) return;
  for (lua_State* const state : {lua, lua_}) {  // a pcall around it does not go on either
    lua_sethook(state, count_hook, LUA_MASKCOUNT, 1);
  }
  push_error(lua, "Script killed by user with SCRIPT KILL...", false);
  lua_error(lua);
}

bool ScriptEngine::may_last(const Command& command) {
  const std::string_view word = command[1];
  if (same_word(command[0].substr(0, 7), "evalsha")) {
    const Script* script = find_known(word);
    return script != nullptr && script->may_last;
  }
  return repeats(word);
}

Script* ScriptEngine::find_known(std::string_view sha) {
  for (const auto& script : scripts_) {  // a handful
    if (sha == script->sha || same_word(sha, script->sha)) return script.get();
  }
  return nullptr;
}

Script* ScriptEngine::find(std::string_view sha) {
  Script* script = find_known(sha);
  return script != nullptr && script->visible_in == generation_ ? script : nullptr;
}

Script* ScriptEngine::load(std::string_view body, std::string& error) {
  const auto known = std::find_if(scripts_.begin(), scripts_.end(),
                                  [body](const auto& script) { return script->body == body; });
  Script* script = known == scripts_.end() ? nullptr : known->get();
  if (script == nullptr) {
    if (lua_ == nullptr) open_state();
    const ScriptHead head = read_head(body);
    if (!head.error.empty()) {
      error = head.error;
      return nullptr;
    }
    const std::string_view code = body.substr(head.length);
    if (luaL_loadbuffer(lua_, code.data(), code.size(), "@user_script") != 0) {
      error = "ERR Error compiling script (new function): ";
      error += lua_tostring(lua_, -1);
      lua_settop(lua_, kBottom);
      return nullptr;
    }
    const int function = luaL_ref(lua_, LUA_REGISTRYINDEX);
    scripts_.push_back(std::make_unique<Script>(
        Script{sha1_hex(body), std::string(body), function, head.flags, repeats(body), 0}));
    script = scripts_.back().get();
  }
  script->visible_in = generation_;
  return script;
}

void ScriptEngine::push_list(const Command& command, std::size_t first, std::size_t end) {
  lua_createtable(lua_, static_cast<int>(end - first), 0);
  for (std::size_t i = first; i < end; ++i) {
    const std::string_view argument = command[i];
    lua_pushlstring(lua_, argument.data(), argument.size());
    lua_rawseti(lua_, -2, static_cast<int>(i - first + 1));
  }
}

void ScriptEngine::run(const Script& script, const Command& command, std::size_t keys,
                       bool read_only, Reply& reply) {
  if (const std::string_view error = refusal(script.flags, read_only); !error.empty()) {
    reply = Reply::error(error);
    return;
  }
  begin(script, read_only);
  lua_pushvalue(lua_, kKeysName);
  push_list(command, 3, 3 + keys);
  lua_rawset(lua_, kGlobals);
  lua_pushvalue(lua_, kArgvName);
  push_list(command, 3 + keys, command.size());
  lua_rawset(lua_, kGlobals);
  lua_rawgeti(lua_, LUA_REGISTRYINDEX, script.function);
  const int status = lua_pcall(lua_, 0, 1, kErrorHandler);
  if (ending_ == Ending::abandoned) {
    lua_settop(lua_, kBottom);
    throw ScriptAbandoned();
  }
  if (status == 0) {
    make_reply(lua_, reply);
  } else {
    answer_error(script, reply);
  }
  lua_settop(lua_, kBottom);
  server_.propagation().set_targets(kToEverybody);
}

void ScriptEngine::begin(const Script& script, bool read_only) {
  Memory& memory = server_.memory();
  const bool may_grow = (script.flags & (kNoWrites | kAllowsOom)) != 0;
  flags_ = script.flags;
  read_only_ = read_only || (script.flags & kNoWrites) != 0;
  refuses_growth_ = !may_grow && memory.limited() && memory.is_full();
  resp3_ = false;
  has_written_ = false;
  instructions_ = 0;
  steps_ = 0;
  ending_ = Ending::none;
  lua_sethook(lua_, count_hook, LUA_MASKCOUNT, kScriptStep);
}

void ScriptEngine::answer_error(const Script& script, Reply& reply) {
  std::string text = "ERR unknown error";
  if (lua_istable(lua_, -1)) {
    lua_getfield(lua_, -1, "err");
    if (const char* message = lua_tostring(lua_, -1)) text = message;
    lua_getfield(lua_, -2, "source");
    lua_getfield(lua_, -3, "line");
    const char* source = lua_tostring(lua_, -2);
    const char* line = lua_tostring(lua_, -1);
    if (source != nullptr && line != nullptr) {
      text.append(" script: ").append(script.sha).append(", on ").append(source);
      text.append(":").append(line).append(".");
    }
  } else if (const char* message = lua_tostring(lua_, -1)) {
    text = "ERR Error running script " + script.sha + ", " + message;
  }
  reply = Reply::error(text);
}

}  // namespace holdfast::sim::redis
