"""Verdicts of bfcl-eval's own decoder and AST checker on right and wrong answers to its own questions.

Usage: bfcl.py FOLDER ENTRIES. Writes FOLDER/bfcl.jsonl, lines of {functions, ground_truth, category, calls | text}, and FOLDER/bfcl.verdicts.jsonl with
{what, underscores, valid, reason} for each: reason is bfcl-eval's error_type, "raises" where it raises. At most ENTRIES questions of each category.
Prints the package's data folder.
"""

import copy
import json
import os
import random
import sys
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import MagicMock

folder, limit = Path(sys.argv[1]), int(sys.argv[2])
os.environ["BFCL_PROJECT_ROOT"] = str(folder)
# The table of all vendors' SDKs is imported only to read one flag; the parsers of Java and JavaScript, retries and locks are not used here.
for name in ["tenacity", "filelock", "bfcl_eval.model_handler.parser.java_parser", "bfcl_eval.model_handler.parser.js_parser"]:
    sys.modules[name] = MagicMock()
sys.modules["bfcl_eval.constants.model_config"] = SimpleNamespace(
    MODEL_CONFIG_MAPPING={"plain": SimpleNamespace(underscore_to_dot=False), "underscored": SimpleNamespace(underscore_to_dot=True)}
)

import bfcl_eval
from bfcl_eval.constants.enums import Language
from bfcl_eval.eval_checker.ast_eval.ast_checker import ast_checker
from bfcl_eval.model_handler.utils import default_decode_ast_prompting
from bfcl_eval.utils import is_function_calling_format_output

DATA = Path(bfcl_eval.__file__).parent / "data"
CATEGORIES = ["simple_python", "multiple", "parallel", "parallel_multiple", "live_simple", "live_multiple", "live_parallel", "live_parallel_multiple"]


def verdict(line, model):
    try:
        calls = default_decode_ast_prompting(line["text"]) if "text" in line else line["calls"]
    except Exception:
        return False, "ast_decoder:decoder_failed"
    if not is_function_calling_format_output(calls):
        return False, "ast_decoder:decoder_wrong_output_format"
    try:
        result = ast_checker(line["functions"], calls, line["ground_truth"], Language.PYTHON, line["category"], model)
    except Exception:
        return None, "raises"
    return result["valid"], None if result["valid"] else result["error_type"]


# --- right answers


def pick(draw, accepted):
    """One of the accepted values, with one of the accepted values for each key below it."""
    value = draw.choice([a for a in accepted if a != ""] or [""])
    inner = lambda v: {k: pick(draw, vs) for k, vs in v.items() if "" not in vs or draw.random() < 0.5} if isinstance(v, dict) and all(isinstance(vs, list) for vs in v.values()) else v
    return [inner(v) for v in value] if isinstance(value, list) else inner(value)


def right(draw, ground_truth):
    return [{name: {p: pick(draw, vs) for p, vs in args.items() if "" not in vs or draw.random() < 0.5 and any(v != "" for v in vs)} for name, args in call.items()} for call in ground_truth]


# --- wrong ones, or right ones in other words: each takes calls and returns others, or None where it does not apply


def on_value(change):
    """Changes one value of one call."""

    def mutate(draw, calls, entry):
        places = [(c, n, p) for c, call in enumerate(calls) for n, args in call.items() for p in args]
        draw.shuffle(places)
        for c, n, p in places:
            changed = change(calls[c][n][p], draw)
            if changed is not NotImplemented:
                calls[c][n][p] = changed
                return calls
        return None

    return mutate


def of(kind, change):
    return on_value(lambda v, draw: change(v, draw) if type(v) is kind else NotImplemented)


def on_args(change):
    def mutate(draw, calls, entry):
        if not calls:
            return None
        call = draw.choice(calls)
        name = next(iter(call))
        return calls if change(call[name], name, draw, entry) is not False else None

    return mutate


def drop(required):
    def change(args, name, draw, entry):
        f = next(f for f in entry["function"] if f["name"] == name)
        names = [p for p in args if (p in f["parameters"]["required"]) == required]
        if not names:
            return False
        del args[draw.choice(names)]

    return on_args(change)


def add_known(args, name, draw, entry):
    f = next(f for f in entry["function"] if f["name"] == name)
    free = [p for p in f["parameters"]["properties"] if p not in args]
    if not free:
        return False
    args[draw.choice(free)] = draw.choice([1, "x", True, [], {}, None, 2.5])


def rename(change):
    def mutate(draw, calls, entry):
        if not calls:
            return None
        i = draw.randrange(len(calls))
        ((name, args),) = calls[i].items()
        if change(name, draw, entry) == name:
            return None
        calls[i] = {change(name, draw, entry): args}
        return calls

    return mutate


def other_name(name, draw, entry):
    return next((f["name"] for f in entry["function"] if f["name"] != name), name + "_")


def first_value(change):
    return lambda d, draw: {k: (change(v) if i == 0 else v) for i, (k, v) in enumerate(d.items())} if d else NotImplemented


MUTATIONS = {
    "right": lambda draw, calls, entry: calls,
    "another right one": lambda draw, calls, entry: right(draw, entry["ground_truth"]),
    "no call": lambda draw, calls, entry: [],
    "a call dropped": lambda draw, calls, entry: calls[:-1],
    "a call twice": lambda draw, calls, entry: calls + calls[:1],
    "the other order": lambda draw, calls, entry: calls[::-1] if len(calls) > 1 else None,
    "the first call for all": lambda draw, calls, entry: calls[:1] * len(calls) if len(calls) > 1 else None,
    "required missing": drop(True),
    "optional missing": drop(False),
    "unknown argument": on_args(lambda args, *_: args.update({"surprise": 1})),
    "known argument more": on_args(add_known),
    "arguments in the other order": on_args(lambda args, *_: [args.update({k: args.pop(k)}) for k in list(args)[::-1]] and None),
    "another function": rename(other_name),
    "dots as underscores": rename(lambda name, *_: name.replace(".", "_")),
    "int as float": of(int, lambda v, _: float(v)),
    "int as text": of(int, lambda v, _: str(v)),
    "int + 1": of(int, lambda v, _: v + 1),
    "int as true": of(int, lambda v, _: True),
    "float as int": of(float, lambda v, _: int(v)),
    "float + 0.5": of(float, lambda v, _: v + 0.5),
    "float as text": of(float, lambda v, _: str(v)),
    "bool as int": of(bool, lambda v, _: int(v)),
    "bool as float": of(bool, lambda v, _: float(v)),
    "bool as text": of(bool, lambda v, _: str(v)),
    "the other bool": of(bool, lambda v, _: not v),
    "None": on_value(lambda v, _: None),
    "in a list": on_value(lambda v, _: [v]),
    "in a dict": on_value(lambda v, _: {"value": v}),
    "text in capitals": of(str, lambda v, _: v.upper()),
    "text with marks": of(str, lambda v, _: f" {v.replace(' ', '_')}.-*^/,"),
    "text with quotes": of(str, lambda v, _: f"'{v}'"),
    "quotes changed": of(str, lambda v, _: v.replace("'", '"') if "'" in v else v.replace('"', "'") if '"' in v else NotImplemented),
    "text with a colon": of(str, lambda v, _: v + ":"),
    "no text": of(str, lambda v, _: ""),
    "letters beyond ASCII": of(str, lambda v, _: v + "\u00c9\u0130\u03a3 \U0001f642"),
    "text as a number": of(str, lambda v, _: 7),
    "list reversed": of(list, lambda v, _: v[::-1] if v[::-1] != v else NotImplemented),
    "list of capitals": of(list, lambda v, _: [x.upper() for x in v] if v and all(type(x) is str for x in v) else NotImplemented),
    "list of texts": of(list, lambda v, _: [str(x) for x in v]),
    "list of floats": of(list, lambda v, _: [float(x) for x in v] if v and all(type(x) in (int, bool) for x in v) else NotImplemented),
    "list of ints": of(list, lambda v, _: [int(x) for x in v] if v and all(type(x) is float for x in v) else NotImplemented),
    "one item of another type": of(list, lambda v, _: v[:-1] + [None] if v else NotImplemented),
    "empty list": of(list, lambda v, _: []),
    "list shorter": of(list, lambda v, _: v[:-1] if v else NotImplemented),
    "first of the list": of(list, lambda v, _: v[0] if v else NotImplemented),
    "tuple": of(list, lambda v, _: tuple(v)),
    "tuples inside": of(list, lambda v, _: [tuple(x) if type(x) is list else x for x in v] if any(type(x) is list for x in v) else NotImplemented),
    "capitals inside a list's list": of(list, lambda v, _: [[str(y).upper() for y in x] for x in v] if v and all(type(x) is list for x in v) else NotImplemented),
    "empty dict": of(dict, lambda v, _: {}),
    "a key dropped": of(dict, lambda v, _: dict(list(v.items())[1:]) if v else NotImplemented),
    "a key more": of(dict, lambda v, _: {**v, "surprise": 1}),
    "dict value changed": of(dict, first_value(lambda v: v + 1 if type(v) in (int, float) else "else")),
    "dict value in capitals": of(dict, first_value(lambda v: v.upper() if type(v) is str else v)),
    "dict as list": of(dict, lambda v, _: list(v.items())),
    "dict as text": of(dict, lambda v, _: json.dumps(v)),
    "dicts with a key more": of(list, lambda v, _: [{**x, "surprise": 1} for x in v] if v and all(type(x) is dict for x in v) else NotImplemented),
    "dicts with a key less": of(list, lambda v, _: [dict(list(x.items())[:-1]) for x in v] if v and all(type(x) is dict for x in v) else NotImplemented),
    "dicts changed": of(list, lambda v, draw: [first_value(lambda y: "else")(x, draw) for x in v] if v and all(type(x) is dict and x for x in v) else NotImplemented),
}


class Code:
    """A value that is written as it stands."""

    def __init__(self, text):
        self.text = text

    def __repr__(self):
        return self.text


CODES = {
    "a variable": "some_name", "an attribute": "a.b", "a call": "now()", "a call with arguments": 'load( "x",1 ,[2,3])', "a call by name": "make(a=1, b='x')", "indexing": "data[ 'key' ]", "two indices": "data[0][i,1]",
    "a sum": "2+3", "a quotient": "10/2", "a floor": "-7//2", "a remainder": "-7 % 3", "a power": "2**3", "a mix": "(1+2)*3-4", "texts added": "'a' 'b' + 'c'", "a text repeated": "'ab'*2", "a sum with a name": "x+1",
    "minus": "-5", "plus": "+5", "minus minus": "-(-5)", "inverse": "~5", "minus true": "-True", "minus a text": "-'a'", "hex": "0x1F", "underscores": "1_000", "exponent": "1e3", "point": ".5", "point behind": "5.", "old octal": "017", "imaginary": "2j",
    "f-string": "f'a{1}'", "bytes": "b'ab'", "raw": "r'a\\nb'", "escapes": "'a\\n\\x41\\u00e9\\101\\q'", "triple": "'''a\nb'''", "lambda": "lambda: 1", "comparison": "1 < 2", "condition": "1 if x else 2", "comprehension": "[x for x in y]", "set": "{1, 2}",
    "tuple": "(1, 2)", "one": "(1,)", "brackets": "((5))", "empty tuple": "()", "keys that are numbers": "{1: 2}", "trailing comma": "[1, 2,]", "dots": "...", "null": "null", "true": "true", "None": "None", "JSON list": "[true, null]", "unclosed": "[1, 2",
    "comment": "5 # five\n", "line break": "\n5\n", "keyword": "from", "division by zero": "1/0", "big": "12345678901234567890123", "huge": "1e400", "list sum": "[1] + [2]", "bits": "5 | 2 ^ 1 & 3 << 2",
}

TEXTS = {
    "fence": lambda t: f"```\n{t}\n```", "fence with a name": lambda t: f"```python\n{t}\n```", "prose before": lambda t: f"Sure! {t}", "prose behind": lambda t: f"{t} That is it.", "no brackets": lambda t: t[1:-1], "one bracket": lambda t: t[1:],
    "the other bracket": lambda t: t[:-1], "in quotes": lambda t: f"'{t}'", "blanks": lambda t: f"  \n{t}\n ", "trailing comma": lambda t: t[:-1] + ",]", "a positional argument": lambda t: t.replace("(", "(1, ", 1), "positional behind": lambda t: t.replace(")]", ", 1)]"),
    "twice": lambda t: f"{t}, {t}", "a line each": lambda t: t[1:-1].replace("), ", ")\n"), "breaks inside": lambda t: t.replace(", ", ",\n  "), "a comment": lambda t: t[:-1] + " # done\n]", "nothing": lambda t: "", "prose": lambda t: "I can't help with that.", "brackets alone": lambda t: "[]",
    "a dotted call": lambda t: "[a.b.c" + t[t.index("("):] if "(" in t else t, "called twice": lambda t: t.replace("(", "()(", 1), "an argument twice": lambda t: t.replace(")]", ", z=1, z=2)]"), "a keyword as name": lambda t: t.replace("(", "(from=1, ", 1), "stars": lambda t: t.replace("(", "(**{'a': 1}, ", 1), "equals": lambda t: t.replace("=", " = ", 1),
}


def written(calls):
    return "[" + ", ".join(f"{name}({', '.join(f'{p}={v!r}' for p, v in args.items())})" for call in calls for name, args in call.items()) + "]"


def cases(entry, draw):
    for what, mutate in MUTATIONS.items():
        calls = mutate(draw, right(draw, entry["ground_truth"]), entry)
        if calls is None:
            continue
        yield what, {"calls": json.loads(json.dumps(calls))}
        yield f"{what}, written", {"text": written(calls)}
    for what in draw.sample(sorted(CODES), 12):
        calls = on_value(lambda v, _: Code(CODES[what]))(draw, right(draw, entry["ground_truth"]), entry)
        if calls is not None:
            yield f"value: {what}", {"text": written(calls)}
    for what in draw.sample(sorted(TEXTS), 8):
        yield f"text: {what}", {"text": TEXTS[what](written(right(draw, entry["ground_truth"])))}


def broken(entry, draw):
    """Questions that the checker itself can't judge."""
    calls = right(draw, entry["ground_truth"])
    name = next(iter(calls[0]))
    used = next(iter(calls[0][name]), None)
    if used is None:
        return
    for what, change in {
        "an unknown type": lambda p: p.update(type="number"),
        "no type of the items": lambda p: p.update(type="array", items={}) if "type" in p else None,
    }.items():
        functions = copy.deepcopy(entry["function"])
        change(next(f for f in functions if f["name"] == name)["parameters"]["properties"][used])
        yield what, {"functions": functions, "calls": calls}
    yield "no function of the answer's name", {"functions": [{**f, "name": f["name"] + "_"} for f in entry["function"]], "calls": calls}


def read(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line.strip()]


lines, verdicts = (folder / "bfcl.jsonl").open("w", encoding="utf-8"), (folder / "bfcl.verdicts.jsonl").open("w", encoding="utf-8")
for category in CATEGORIES:
    answers = {answer["id"]: answer["ground_truth"] for answer in read(DATA / "possible_answer" / f"BFCL_v4_{category}.json")}
    draw = random.Random(category)
    entries = read(DATA / f"BFCL_v4_{category}.json")
    for entry in draw.sample(entries, min(limit, len(entries))):
        entry["ground_truth"] = answers[entry["id"]]
        for what, made in [*cases(entry, draw), *broken(entry, draw)]:
            line = {"functions": entry["function"], "ground_truth": entry["ground_truth"], "category": category, **made}
            underscores = what.startswith("dots")
            for model in ["plain", "underscored"] if underscores else ["plain"]:
                valid, reason = verdict(line, model)
                lines.write(json.dumps(line) + "\n")
                verdicts.write(json.dumps({"what": f"{category}, {entry['id']}: {what}", "underscores": model == "underscored", "valid": valid, "reason": reason}) + "\n")
lines.close()
verdicts.close()
print(json.dumps({"data": str(DATA)}))
