// 128-bit integers: the products of times and rates do not fit in 64 bits.
#pragma once

namespace holdfast::sim {

__extension__ typedef __int128 Signed128;
__extension__ typedef unsigned __int128 Unsigned128;

}  // namespace holdfast::sim
