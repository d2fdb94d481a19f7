#pragma once
// A doubt about a result. Each names a figure, its cause and what to do about it: a warning without a remedy
// is ignored (measurement method, part 15).

#include <string>

namespace bench {

struct warning {
  std::string code;    ///< "W-STEAL": stable, for scripts
  std::string number;  ///< the figure that gave rise to it, with its unit: "3.1 % of 412 rounds"
  std::string cause;   ///< one clause
  std::string remedy;  ///< one clause, something to try
  std::string op;      ///< the op that it is about; empty when it is about the whole run
};

}  // namespace bench
