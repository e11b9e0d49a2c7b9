// SHA-1, the name by which Redis knows a script. Not for security.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace holdfast::sim::redis {

std::array<std::uint8_t, 20> sha1(std::string_view bytes);

// 40 lower-case hexadecimal digits, as SCRIPT LOAD answers.
std::string sha1_hex(std::string_view bytes);

}  // namespace holdfast::sim::redis
