#include "codecs/pg/sql.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace codecs::pg {
namespace {

std::vector<std::string> statements(std::string_view text) {
  statement_cursor cursor(text);
  std::vector<std::string> all;
  for (std::string_view each; cursor.next(each);) all.emplace_back(each);
  return all;
}

using list = std::vector<std::string>;

TEST(PgSql, CutsAtSemicolons) {
  EXPECT_EQ(statements("SELECT 1"), (list{"SELECT 1"}));
  EXPECT_EQ(statements("  SELECT 1 ; "), (list{"SELECT 1"}));
  EXPECT_EQ(statements("BEGIN;SELECT 1;;COMMIT"), (list{"BEGIN", "SELECT 1", "COMMIT"}));
}

TEST(PgSql, FindsNothingWhereNothingIs) {
  for (const auto* text : {"", ";", " ; ;\n", "-- ping", "/* a /* nested */ comment */", "/* open", "--"}) {
    EXPECT_EQ(statements(text), list{}) << text;
  }
}

TEST(PgSql, QuotesHideSemicolons) {
  EXPECT_EQ(statements("SELECT ';'';';b"), (list{"SELECT ';'';'", "b"}));
  EXPECT_EQ(statements("SELECT E'\\';';b"), (list{"SELECT E'\\';'", "b"}));
  EXPECT_EQ(statements("SELECT '\\';b"), (list{"SELECT '\\'", "b"}));  // no escapes in a plain string
  EXPECT_EQ(statements("SELECT \"a;b\";c"), (list{"SELECT \"a;b\"", "c"}));
  EXPECT_EQ(statements("DO $$a;b$$;c"), (list{"DO $$a;b$$", "c"}));
  EXPECT_EQ(statements("DO $x$a;$$;$x$;c"), (list{"DO $x$a;$$;$x$", "c"}));
  EXPECT_EQ(statements("a$b;c$d"), (list{"a$b", "c$d"}));  // dollars inside words
  EXPECT_EQ(statements("a -- x;y\n;b /* ; */;c"), (list{"a", "b", "c"}));
}

TEST(PgSql, WhatDoesNotEndReachesToTheEnd) {
  for (const auto* text : {"a '", "a 'x\\", "a E'\\", "a \"x", "a $$x", "a $x$ $", "a $", "$"}) {
    EXPECT_EQ(statements(text).size(), 1u) << text;
  }
}

TEST(PgSql, FindsTheHighestParameter) {
  EXPECT_EQ(parameter_count("SELECT 1"), 0u);
  EXPECT_EQ(parameter_count("SELECT $1::int4"), 1u);
  EXPECT_EQ(parameter_count("VALUES ($2,$11,$3)"), 11u);
  EXPECT_EQ(parameter_count("SELECT '$3', $$ $4 $$, a$5 -- $6"), 0u);
  EXPECT_EQ(parameter_count("SELECT $65535"), 65'535u);
  EXPECT_EQ(parameter_count("SELECT $99999999999999999999"), 65'536u);
}

TEST(PgSql, ComparesWordsInAnyCaseAndSpacing) {
  EXPECT_TRUE(begins_with("Start \n Transaction READ ONLY", "start transaction"));
  EXPECT_TRUE(begins_with("SET x", "set"));
  EXPECT_FALSE(begins_with("SETTING", "set"));
  EXPECT_FALSE(begins_with("starttransaction", "start transaction"));
  EXPECT_FALSE(begins_with("STAR", "start"));
}

}  // namespace
}  // namespace codecs::pg
