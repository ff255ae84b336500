import type { GoldCall, ToolSchema } from '../protocol/task';
import { equalJson, schemaOf, withoutDefaults, type Arguments } from '../protocol/arguments';

/**
 * Call correctness, ToolRL's fine-grained rule (Qian et al. 2025, arXiv:2504.13958; verl/utils/reward_score/rlla.py):
 *
 *   S = J(tool names) + sum over matched gold calls of [ J(parameter names) + number of gold parameters with an equal
 *   value ]
 *   S_max = 1 + sum over gold calls of [ 1 + number of gold parameters ];  result S / S_max in [0, 1]
 *
 * J = multiset Jaccard |a and b| / (|a| + |b| - |a and b|), 1 where both are empty. Deviations: the result is S / S_max
 * and not 6 S / S_max - 3;
 * a task without gold calls is scored by the same formula (1 without a call, else 0) and not left at 0; gold and made
 * calls of one name are
 * matched in order so that the sum is greatest, not greedily, since the calls run one after another and a solved task
 * has them in order;
 * arguments that equal their schema default count as left out on both sides.
 *
 * @param made every call of the episode, failed ones too
 * @returns in [0, 1]; 1 exactly when the same calls were made in the same order
 */
export function callCorrectness(
  gold: readonly GoldCall[],
  made: readonly GoldCall[],
  tools: readonly ToolSchema[],
): number {
  const goldCalls = canonicalGold(gold, tools);
  const madeCalls = made.map((call) => canonical(call, tools));
  // best[j]: the greatest sum for the gold calls so far and the first j made calls
  let best = new Array<number>(madeCalls.length + 1).fill(0);
  for (const wanted of goldCalls) {
    const next = [0];
    madeCalls.forEach((call, j) => next.push(Math.max(next[j]!, best[j + 1]!, best[j]! + pairScore(wanted, call))));
    best = next;
  }
  const names = jaccard(
    goldCalls.map((call) => call.name),
    madeCalls.map((call) => call.name),
  );
  const most = 1 + goldCalls.reduce((sum, call) => sum + 1 + Object.keys(call.arguments).length, 0);
  return (names + best[madeCalls.length]!) / most;
}

/** Multiset Jaccard similarity in [0, 1]; 1 where both are empty. */
export function jaccard(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 && b.length === 0) return 1;
  const rest = [...b];
  let common = 0;
  for (const item of a) {
    const index = rest.indexOf(item);
    if (index < 0) continue;
    rest.splice(index, 1);
    common++;
  }
  return common / (a.length + b.length - common);
}

interface Call {
  name: string;
  arguments: Arguments;
}

const canonical = (call: GoldCall, tools: readonly ToolSchema[]): Call => ({
  name: call.name,
  arguments: withoutDefaults(call.arguments, schemaOf(tools, call.name)),
});

/** The gold calls of a task are asked for once per rollout. */
const goldMemory = new WeakMap<readonly GoldCall[], { tools: readonly ToolSchema[]; calls: Call[] }>();

function canonicalGold(gold: readonly GoldCall[], tools: readonly ToolSchema[]): Call[] {
  const known = goldMemory.get(gold);
  if (known?.tools === tools) return known.calls;
  const calls = gold.map((call) => canonical(call, tools));
  goldMemory.set(gold, { tools, calls });
  return calls;
}

/** 0 for another tool; else the parameter names' likeness plus the values that are equal. */
function pairScore(gold: Call, made: Call): number {
  if (gold.name !== made.name) return 0;
  const keys = Object.keys(gold.arguments);
  return (
    jaccard(keys, Object.keys(made.arguments)) +
    keys.filter((key) => key in made.arguments && equalJson(gold.arguments[key], made.arguments[key])).length
  );
}
