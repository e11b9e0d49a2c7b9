#include "sim/redis/scripting.h"

#include <algorithm>
#include <lua.hpp>

#include "sim/redis/instance.h"
#include "sim/redis/letter_case.h"
#include "sim/redis/lua_conversion.h"
#include "sim/redis/lua_library.h"
#include "sim/redis/lua_memory.h"
#include "sim/redis/sha1.h"

namespace holdfast::sim::redis {

namespace {

constexpr int kInstructionsAStep = 100'000;
constexpr std::uint64_t kInstructionSteps = 200;  // 20 million instructions: some 0.2 s

void count_hook(lua_State* lua, lua_Debug*) {
  if (engine_of(lua).count_instructions()) return;
  lua_sethook(lua, count_hook, LUA_MASKCOUNT, 1);  // nor does a pcall around it go on
  luaL_error(lua, "Script exceeded the simulated server's bound of instructions");
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

bool ScriptEngine::count_instructions() { return ++instructions_ < kInstructionSteps; }

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
    if (luaL_loadbuffer(lua_, body.data(), body.size(), "@user_script") != 0) {
      error = lua_tostring(lua_, -1);
      lua_settop(lua_, kBottom);
      return nullptr;
    }
    const int function = luaL_ref(lua_, LUA_REGISTRYINDEX);
    scripts_.push_back(
        std::make_unique<Script>(Script{sha1_hex(body), std::string(body), function, 0}));
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
  read_only_ = read_only;
  instructions_ = 0;
  lua_sethook(lua_, count_hook, LUA_MASKCOUNT, kInstructionsAStep);
  lua_pushvalue(lua_, kKeysName);
  push_list(command, 3, 3 + keys);
  lua_rawset(lua_, kGlobals);
  lua_pushvalue(lua_, kArgvName);
  push_list(command, 3 + keys, command.size());
  lua_rawset(lua_, kGlobals);
  lua_rawgeti(lua_, LUA_REGISTRYINDEX, script.function);
  if (lua_pcall(lua_, 0, 1, kErrorHandler) == 0) {
    make_reply(lua_, reply);
  } else {
    answer_error(script, reply);
  }
  lua_settop(lua_, kBottom);
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
