#pragma once
// A doubt about a result. Each names a figure, its cause and what to do about it: a warning without a remedy
// is ignored (measurement method, part 15).

#include <string>
#include <vector>

namespace bench {

struct warning {
  std::string code;    ///< "W-STEAL": stable, for scripts
  std::string number;  ///< the figure that gave rise to it, with its unit: "3.1 % of 412 rounds"
  std::string cause;   ///< one clause
  std::string remedy;  ///< one clause, something to try
  std::string op;      ///< the op that it is about; empty when it is about the whole run
  std::string flag;    ///< "--budget 40": an option that may help; empty when there is none
};

/// Takes back every flag that the command line has already: whoever gave it needs another remedy.
void drop_given_flags(std::vector<warning>& warnings, const std::vector<std::string>& command_line);

}  // namespace bench
