"""What SciPy makes of the questions in a JSON file: prints one line of JSON with the answers, in order."""
import json
import sys

from scipy import stats


def mann_whitney(ask):
    method = "exact" if ask["exact"] else "asymptotic"
    answer = stats.mannwhitneyu(ask["b"], ask["a"], method=method)  # counts the pairs with a below b
    return [answer.statistic, answer.pvalue]


def quantile_ranks(ask):
    """Ranks of the interval of a quantile: the values are their own ranks. nan where there is no such rank."""
    values = range(1, ask["n"] + 1)
    answer = stats.quantile_test(list(values), q=0, p=ask["p"]).confidence_interval(ask["level"])
    return [float(answer.low), float(answer.high)]


def spearman(ask):
    return stats.spearmanr(ask["a"], ask["b"]).statistic


def half_width(ask):
    """Of the difference of two means at 95 %, by the pooled t-test."""
    interval = stats.ttest_ind(ask["b"], ask["a"]).confidence_interval(0.95)
    return (interval.high - interval.low) / 2


with open(sys.argv[1], encoding="utf-8") as file:
    questions = json.load(file)
answers = [globals()[question["of"]](question) for question in questions]
print(json.dumps(answers).replace("NaN", "null"))
