import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { PyError } from '../../trainer/rewards/python';
import { toolRl, TOOLRL_DEFAULTS, type ToolRlOptions, type ToolRlScore } from '../../trainer/rewards/toolrl';

interface Case {
  id: string;
  completion: string;
  answer: string;
  step?: number;
  options?: Partial<ToolRlOptions>;
  expected: ToolRlScore | { raises: string };
}
const { cases } = JSON.parse(readFileSync(join(__dirname, 'toolrl.cases.json'), 'utf8')) as { cases: Case[] };

describe("toolRl: equal to ToolRL's public code", () => {
  it('has at least 150 cases, and some for each option', () => {
    assert.ok(cases.length >= 150, `${cases.length}`);
    for (const option of Object.keys(TOOLRL_DEFAULTS))
      assert.ok(
        cases.some((c) => c.options?.[option as keyof ToolRlOptions] !== undefined),
        option,
      );
  });
  it('gives the same score, format, correctness and length, bit for bit, and raises where it raises', () => {
    const wrong = cases.flatMap(({ id, completion, answer, step, options, expected }) => {
      const given = outcome(() => toolRl(completion, answer, step, { ...TOOLRL_DEFAULTS, ...options }));
      const isSame = 'raises' in expected ? given === 'raises' : isDeepStrictEqual(given, expected);
      return isSame ? [] : [`${id}: ${JSON.stringify(given)}, not ${JSON.stringify(expected)}`];
    });
    assert.deepEqual(wrong, []);
  });
});

function outcome(score: () => ToolRlScore): ToolRlScore | 'raises' {
  try {
    return score();
  } catch (error) {
    assert.ok(error instanceof PyError, String(error));
    return 'raises';
  }
}
