import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Episode } from '../../trainer/rewards/episode';
import {
  combinedCompat,
  exactMatchCompat,
  noShellCompat,
  searchFirstCompat,
  stepEfficiencyCompat,
  toolBrainTurns,
  toolSuccessCompat,
  type ToolBrainTurn,
} from '../../trainer/rewards/toolBrainTurns';
import { task } from '../tasks/fixtures';
import { trace } from './fixtures';

interface Case {
  id: string;
  turns: ToolBrainTurn[];
  gold?: string;
  maxTurns: number;
  expected: Record<string, number>;
}
const { cases } = JSON.parse(readFileSync(join(__dirname, 'toolBrain.cases.json'), 'utf8')) as { cases: Case[] };

describe("ToolBrain's rewards with compat", () => {
  it("give the original's values, faults included", () => {
    assert.ok(cases.length >= 100);
    for (const { id, turns, gold, maxTurns, expected } of cases) {
      const given = {
        exactMatch: exactMatchCompat(turns, gold),
        toolSuccess: toolSuccessCompat(turns),
        stepEfficiency: stepEfficiencyCompat(turns, maxTurns),
        searchFirst: searchFirstCompat(turns),
        noShell: noShellCompat(turns),
        combined: combinedCompat(turns, gold, { exact: 0.7, tools: 0.2, steps: 0.1 }, maxTurns),
      };
      assert.deepEqual(given, expected, id);
    }
  });

  it('read a trace of ours as its adapter would', () => {
    const episode = new Episode(
      task('t'),
      trace([
        {
          text: 'I look.',
          calls: [
            ['search', { q: 'rent' }, 'ok', '[7]'],
            ['now', {}, null],
          ],
        },
        { text: 'It is 7.' },
      ]),
      [],
    );
    assert.deepEqual(toolBrainTurns(episode), [
      {
        model_completion: 'I look.',
        final_answer: null,
        tool_code: 'search({"q":"rent"})\nnow({})',
        tool_output: '[7]',
        action_output: '[7]',
      },
      { model_completion: 'It is 7.', final_answer: 'It is 7.', tool_code: '', tool_output: null, action_output: null },
    ]);
  });
});
