"""
Makes test/webview/kappa.cases.json: Cohen's kappa by scikit-learn, and the standard error by the delta method with a numerical gradient,
an independent way to the closed form of Fleiss, Cohen and Everitt (1969) that webview/derive/agreement.ts uses.

    pip install scikit-learn && python test/webview/kappa.py > test/webview/kappa.cases.json
"""
import json, math, random, sys
import sklearn
from sklearn.metrics import cohen_kappa_score

LABELS = ['first', 'second', 'tie']

def kappa_of(p):
    k = len(LABELS)
    po = sum(p[i * k + i] for i in range(k))
    rows = [sum(p[i * k + j] for j in range(k)) for i in range(k)]
    columns = [sum(p[i * k + j] for i in range(k)) for j in range(k)]
    pe = sum(r * c for r, c in zip(rows, columns)) / sum(p) ** 2
    return (po / sum(p) - pe) / (1 - pe)

def standard_error(a, b):
    n, k, eps = len(a), len(LABELS), 1e-6
    p = [0.0] * (k * k)
    for x, y in zip(a, b):
        p[LABELS.index(x) * k + LABELS.index(y)] += 1 / n
    gradient = []
    for i in range(k * k):
        up, down = p[:], p[:]
        up[i] += eps
        down[i] -= eps
        gradient.append((kappa_of(up) - kappa_of(down)) / (2 * eps))
    mean = sum(g * q for g, q in zip(gradient, p))
    return math.sqrt(max(0.0, sum(q * (g - mean) ** 2 for g, q in zip(gradient, p)) / n))

cases = []
rng = random.Random(20261121)
for name, n, agree in [('chance', 60, 0.0), ('fair', 80, 0.4), ('good', 200, 0.75), ('few', 9, 0.6), ('all agree', 30, 1.0)]:
    people = [rng.choices(LABELS, [0.45, 0.4, 0.15])[0] for _ in range(n)]
    judge = [x if rng.random() < agree else rng.choices(LABELS, [0.6, 0.3, 0.1])[0] for x in people]
    cases.append({'name': name, 'people': people, 'judge': judge})
# always the same side: kappa 0, and undefined where people do so too
cases.append({'name': 'one-sided judge', 'people': ['first', 'second'] * 10, 'judge': ['first'] * 20})
cases.append({'name': 'against', 'people': ['first'] * 10 + ['second'] * 10, 'judge': ['second'] * 10 + ['first'] * 10})
for case in cases:
    case['kappa'] = float(cohen_kappa_score(case['people'], case['judge']))
    case['standardError'] = standard_error(case['people'], case['judge'])
json.dump({'scikit-learn': sklearn.__version__, 'cases': cases}, sys.stdout)
print()
