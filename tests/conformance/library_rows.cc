// FIDELITY L9: the libraries that scripts have beside Lua's own.
#include "tests/conformance/steps.h"
#include "tests/conformance/tables.h"
#include "tests/conformance/topologies.h"

namespace holdfast::conformance {
namespace {

const Row kRows[] = {
    {"L9",
     "CjsonEncodes",
     Label::ci,
     kFrozen,
     {eval("return cjson.encode({1, 2, {a = 1}})", "'[1,2,{\"a\":1}]'"),
      eval("return cjson.encode({})", "'{}'"),
      eval("return cjson.encode({1, nil, 3})", "'[1,null,3]'"),
      eval("return cjson.encode({[1.5] = 1})", "'{\"1.5\":1}'"),
      eval("return cjson.encode('\\\"\\\\/\\b\\n\\1\\127')",
           "'\"\\\"\\\\\\/\\b\\n\\u0001\\u007f\"'"),
      eval("return cjson.encode({0.1, 1e15, 123456789012345, -0, true, cjson.null})",
           "'[0.1,1e+15,1.2345678901234e+14,-0,true,null]'"),
      eval("return cjson.encode(1 / 0)",
           begins("-ERR user_script:1: Cannot serialise number: must not be NaN or Inf script: ")),
      eval("return cjson.encode({[true] = 1})",
           begins("-ERR user_script:1: Cannot serialise boolean: table key must be a number or "
                  "string script: ")),
      eval("return cjson.encode(tostring)",
           begins("-ERR user_script:1: Cannot serialise function: type not supported script: ")),
      eval("local t = {} t[12] = 1 return cjson.encode(t)",
           begins("-ERR user_script:1: Cannot serialise table: excessively sparse array script: ")),
      eval("local t = {} for i = 1, 1001 do t = {t} end return cjson.encode(t)",
           begins("-ERR user_script:1: Cannot serialise, excessive nesting (1001) script: ")),
      eval(
          "return cjson.encode()",
          begins("-ERR user_script:1: bad argument #1 to 'encode' (expected 1 argument) script: ")),
      eval("cjson.encode = 1",
           begins("-ERR user_script:1: Attempt to modify a readonly table script: "))}},

    {"L9",
     "CjsonDecodes",
     Label::ci,
     kFrozen,
     {eval("return cjson.decode('[1,[2.9,{\"a\":1}],true,false,null,\"x\"]')",
           "[:1 [:2 []] :1 nil nil 'x']"),
      eval("return cjson.decode('{\"a\":{\"b\":[7]}}').a.b", "[:7]"),
      eval("return tostring(cjson.decode('null'))", "'userdata: (nil)'"),
      eval("return cjson.decode('\"\\\\u00e9\\\\ud83d\\\\ude00\\\\n\"')",
           "'\303\251\360\237\230\200\n'"),
      eval("return tostring(cjson.decode('0x10')) .. tostring(cjson.decode('-inf'))", "'16-inf'"),
      eval("return cjson.encode(cjson.decode('[null,{},[],\"\"]'))", "'[null,{},{},\"\"]'"),
      eval("return cjson.decode('')",
           begins("-ERR user_script:1: Expected value but found T_END at character 1 script: ")),
      eval("return cjson.decode('nullx')", begins("-ERR user_script:1: Expected the end but found "
                                                  "invalid token at character 5 script: ")),
      eval(
          "return cjson.decode('[1,]')",
          begins("-ERR user_script:1: Expected value but found T_ARR_END at character 4 script: ")),
      eval("return cjson.decode('{\"a\" 1}')",
           begins("-ERR user_script:1: Expected colon but found T_NUMBER at character 6 script: ")),
      eval("return cjson.decode('{\"a\":1')",
           begins("-ERR user_script:1: Expected comma or object end but found T_END at character 7 "
                  "script: ")),
      eval("return cjson.decode('\"abc')",
           begins("-ERR user_script:1: Expected value but found unexpected end of string at "
                  "character 5 script: ")),
      eval("return cjson.decode('\"a\\\\x\"')",
           begins("-ERR user_script:1: Expected value but found invalid escape code at character 3 "
                  "script: ")),
      eval("return cjson.decode('\"\\\\ud83d\"')",
           begins("-ERR user_script:1: Expected value but found invalid unicode escape code at "
                  "character 2 script: ")),
      eval("return cjson.decode('-')", begins("-ERR user_script:1: Expected value but found "
                                              "invalid number at character 1 script: ")),
      eval("return cjson.decode({})", begins("-ERR user_script:1: bad argument #1 to 'decode' "
                                             "(string expected, got table) script: ")),
      eval("return cjson.decode(('['):rep(1001))",
           begins("-ERR user_script:1: Found too many nested data structures (1001) at character "
                  "1001 script: "))}},

    {"L9",
     "CjsonHasSettings",
     Label::ci,
     kFrozen,
     {eval("return {cjson.encode_max_depth(), cjson.decode_max_depth(), "
           "cjson.encode_number_precision()}",
           "[:1000 :1000 :14]"),
      eval("return {cjson.encode_sparse_array()}", "[nil :2 :10]"),
      eval("local j = cjson.new() return {j.encode_number_precision(3), j.encode(3.14159), "
           "cjson.encode(3.14159)}",
           "[:3 '3.14' '3.14159']"),
      eval("local j = cjson.new() return {j.encode_invalid_numbers('null'), j.encode({1 / 0})}",
           "['null' '[null]']"),
      eval("local j = cjson.new() j.decode_invalid_numbers(false) return j.decode('[nan]')",
           begins("-ERR user_script:1: Expected value but found invalid token at character 2 "
                  "script: ")),
      eval("local j = cjson.new() j.decode_max_depth(1) return j.decode('[[]]')",
           begins("-ERR user_script:1: Found too many nested data structures (2) at character 2 "
                  "script: ")),
      eval("local j = cjson.new() j.encode_sparse_array(true) local t = {} t[12] = 1 return "
           "j.encode(t)",
           "'{\"12\":1}'"),
      eval("return cjson.encode_max_depth(0)",
           begins("-ERR user_script:1: bad argument #1 to 'encode_max_depth' (expected integer "
                  "between 1 and 2147483647) script: ")),
      eval("return cjson.encode_invalid_numbers('x')",
           begins("-ERR user_script:1: bad argument #1 to 'encode_invalid_numbers' (invalid option "
                  "'x') script: ")),
      eval("return cjson.encode_max_depth(1, 2)",
           begins("-ERR user_script:1: bad argument #2 to 'encode_max_depth' (found too many "
                  "arguments) script: "))}},

    {"L9",
     "CmsgpackPacksAndUnpacks",
     Label::ci,
     kFrozen,
     {eval("local function hex(x) return (x:gsub('.', function(c) return ('%02x'):format(c:byte()) "
           "end)) end return hex(cmsgpack.pack(1, -33, 256, 70000, -129, 2 ^ 40, 0.5, 0.1))",
           "'01d0dfcd0100ce00011170d1ff7fcf0000010000000000ca3f000000cb3fb999999999999a'"),
      eval("local function hex(x) return (x:gsub('.', function(c) return ('%02x'):format(c:byte()) "
           "end)) end return hex(cmsgpack.pack({1, 'a'}, {a = true}, {}, nil, tostring, "
           "('x'):rep(40)))",
           "'9201a16181a161c390c0c0d928787878787878787878787878787878787878787878787878787878787878"
           "78787878787878787878'"),
      eval("return {cmsgpack.unpack('\\147\\1\\161a\\195')}", "[[:1 'a' :1]]"),
      eval("return {cmsgpack.unpack('\\1\\2\\3')}", "[:1 :2 :3]"),
      eval("return {cmsgpack.unpack_one('\\1\\2\\3', 1)}", "[:2 :2]"),
      eval("return {cmsgpack.unpack_limit('\\1\\2\\3', 2)}", "[:2 :1 :2]"),
      eval("return {cmsgpack.unpack_limit('\\1\\2\\3', 2, 1)}", "[:-1 :2 :3]"),
      eval("return cmsgpack.unpack('\\129\\161a\\7').a", ":7"),
      eval("return tostring(cmsgpack.unpack('\\203\\63\\185\\153\\153\\153\\153\\153\\154'))",
           "'0.1'"),
      eval("local t = {} for i = 1, 20 do t = {t} end local function hex(x) return (x:gsub('.', "
           "function(c) return ('%02x'):format(c:byte()) end)) end return hex(cmsgpack.pack(t))",
           "'91919191919191919191919191919191c0'"),
      eval("return cmsgpack.pack()", begins("-ERR user_script:1: bad argument #0 to 'pack' "
                                            "(MessagePack pack needs input.) script: ")),
      eval("return cmsgpack.unpack('\\147\\1')",
           begins("-ERR user_script:1: Missing bytes in input. script: ")),
      eval("return cmsgpack.unpack('\\193')",
           begins("-ERR user_script:1: Bad data format in input. script: ")),
      eval("return cmsgpack.unpack_one('a', 4)",
           begins("-ERR user_script:1: Start offset 4 greater than input length 1. script: ")),
      eval("return cmsgpack.unpack_one('a', -1)",
           begins("-ERR user_script:1: Invalid request to unpack with offset of -1 and limit of 1. "
                  "script: ")),
      eval("return cmsgpack.unpack(('\\145'):rep(5000))",
           begins("-ERR user_script:1: stack overflow (in function mp_decode_to_lua_array) "
                  "script: "))}},

    {"L9",
     "StructPacksAndUnpacks",
     Label::ci,
     kFrozen,
     {eval("local function hex(x) return (x:gsub('.', function(c) return ('%02x'):format(c:byte()) "
           "end)) end return hex(struct.pack('bBhHlLT', 1, 2, 3, 4, 5, 6, 7))",
           "'010203000400050000000000000006000000000000000700000000000000'"),
      eval("local function hex(x) return (x:gsub('.', function(c) return ('%02x'):format(c:byte()) "
           "end)) end return hex(struct.pack('>i3<i3I8', -2, -2, 2 ^ 63))",
           "'fffffefeffff0000000000000080'"),
      eval("local function hex(x) return (x:gsub('.', function(c) return ('%02x'):format(c:byte()) "
           "end)) end return hex(struct.pack('!bi!2hd', 1, 2, 3, 0.1) .. struct.pack('fsc2xc0', "
           "0.1, 'a', 'xyz', 'end'))",
           "'010000000200000003009a9999999999b93fcdcccc3d6100787900656e64'"),
      eval("return {struct.unpack('bBhx>h', '\\255\\255\\255\\255\\0\\1\\2')}",
           "[:-1 :255 :-1 :258 :8]"),
      eval("return {struct.unpack('Bc0s', '\\2abxyz\\0')}", "['ab' 'xyz' :8]"),
      eval("return {struct.unpack('!bi', '\\1\\0\\0\\0\\2\\0\\0\\0')}", "[:1 :2 :9]"),
      eval("return {struct.unpack('b', 'abc', 2)}", "[:98 :3]"),
      eval("return {struct.size('bhil'), struct.size('!bhil'), struct.size('c3d')}",
           "[:15 :16 :11]"),
      eval(
          "return struct.pack('b')",
          begins(
              "-ERR user_script:1: bad argument #2 to 'pack' (number expected, got nil) script: ")),
      eval("return struct.pack('c5', 'abc')",
           begins("-ERR user_script:1: bad argument #3 to 'pack' (string too short) script: ")),
      eval("return struct.pack('q', 1)", begins("-ERR user_script:1: bad argument #1 to 'pack' "
                                                "(invalid format option 'q') script: ")),
      eval("return struct.pack('i33', 1)",
           begins("-ERR user_script:1: integral size 33 is larger than limit of 32 script: ")),
      eval("return struct.pack('!3i', 1)",
           begins("-ERR user_script:1: alignment 3 is not a power of 2 script: ")),
      eval("return struct.unpack('i', 'abc')",
           begins(
               "-ERR user_script:1: bad argument #2 to 'unpack' (data string too short) script: ")),
      eval("return struct.unpack('c0', 'abc')",
           begins("-ERR user_script:1: format 'c0' needs a previous size script: ")),
      eval("return struct.unpack('s', 'abc')",
           begins("-ERR user_script:1: unfinished string in data script: ")),
      eval("return struct.size('s')", begins("-ERR user_script:1: bad argument #1 to 'size' "
                                             "(option 's' has no fixed size) script: ")),
      eval("return struct.unpack('b', 'abc', 0)",
           begins("-ERR user_script:1: bad argument #3 to 'unpack' (offset must be 1 or greater) "
                  "script: "))}},

    {"L9",
     "BitOperationsRoundTheirNumbers",
     Label::ci,
     kFrozen,
     {eval("return {bit.tobit(1.5), bit.tobit(2.5), bit.tobit(2 ^ 31), bit.tobit(2 ^ 53), "
           "bit.tobit(1e300), bit.tobit(0 / 0)}",
           "[:2 :2 :-2147483648 :0 :-2013235812 :0]"),
      eval("return {bit.tohex(1, -4), bit.tohex(-1), bit.tohex(1, 99), bit.rol(1, 33), "
           "bit.bswap(1)}",
           "['0001' 'ffffffff' '00000001' :2 :16777216]"),
      eval("return bit.band()", begins("-ERR user_script:1: bad argument #1 to 'band' (number "
                                       "expected, got no value) script: ")),
      eval("return bit.lshift(1)", begins("-ERR user_script:1: bad argument #2 to 'lshift' (number "
                                          "expected, got no value) script: "))}},
};

}  // namespace

std::span<const Row> library_rows() { return kRows; }

}  // namespace holdfast::conformance
