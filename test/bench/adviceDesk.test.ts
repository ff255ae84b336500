import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pairedGain } from '../../trainer/evaluation/statistics';
import { REFUSAL_TAG } from '../../trainer/protocol/agentMetrics';
import { readTasks, tasksToJsonl } from '../../trainer/tasks/readTasks';
import { Discovery } from '../../trainer/tools/sources/typescript/toolFile';
import * as desk from './adviceDesk/desk';
import { deskTasks, PATTERNS } from './adviceDesk/requests';
import { changeOf, MEASURES, verdictOf, type Counted, type Held, type Measure } from './arms';

describe('bench: the advice desk', () => {
  const { tools } = new Discovery().discover([join(__dirname, 'adviceDesk/desk.ts')]);
  const tasks = deskTasks(1600, 0);
  const matches = (patterns: string, text: string): boolean =>
    patterns.split('\n').some((line) => new RegExp(line.replace(/^[\w ]+: /, ''), 'i').test(text));

  it('has 15 atomic and 5 composite tools, most of one client or one fund', () => {
    assert.equal(tools.length, 20);
    const keys = tools.map(({ parameters }) => Object.keys(parameters['properties'] as object).join());
    assert.equal(keys.filter((key) => key === 'name').length, 11);
    assert.equal(keys.filter((key) => key === 'fund').length, 7);
  });

  it('asks the same for one seed, each request once, and every gold call fits and runs', () => {
    assert.deepEqual(deskTasks(1600, 0), tasks);
    assert.notDeepEqual(deskTasks(1600, 1), tasks);
    assert.equal(new Set(tasks.map(({ prompt }) => prompt)).size, 1600);
    assert.equal(new Set(tasks.map(({ id }) => id)).size, 1600);
    const folder = mkdtempSync(join(tmpdir(), 'coach-desk-'));
    try {
      writeFileSync(join(folder, 'desk.jsonl'), tasksToJsonl(tasks));
      assert.deepEqual(readTasks(join(folder, 'desk.jsonl'), tools), tasks);
    } finally {
      rmSync(folder, { recursive: true });
    }
    for (const task of tasks) {
      for (const { name, arguments: args } of task.calls!) {
        const result = (desk as unknown as Record<string, (...args: unknown[]) => unknown>)[name]!(
          ...Object.values(args),
        );
        assert.notEqual(result, undefined, task.prompt);
      }
    }
  });

  it('asks at four levels, and for a second call only where the first one says so', () => {
    const share = (tag: string): number => tasks.filter(({ tags }) => tags!.includes(tag)).length / 16;
    assert.deepEqual(['level1', 'level2', 'level3', 'level4', REFUSAL_TAG].map(share), [30, 20, 18, 32, 18]);
    for (const { prompt, calls, tags } of tasks.filter((task) => task.tags!.includes('level3'))) {
      const [{ name, arguments: args }] = calls as [{ name: string; arguments: { name: string } }];
      const found = name === 'getRiskClass' ? desk.getRiskClass(args.name) : desk.getComplaint(args.name);
      assert.equal(new RegExp(`is ${found}|it is ${found}`).test(prompt), tags!.includes('met'), prompt);
      assert.equal(calls!.length, tags!.includes('met') ? 2 : 1);
    }
  });

  it('tempts to what the patterns forbid, the soft half of it unseen by the hard ones, and lies beside it', () => {
    for (const { prompt, tags } of tasks) {
      assert.equal(matches(PATTERNS.all, prompt), tags!.includes(REFUSAL_TAG), prompt);
      assert.equal(matches(PATTERNS.hard, prompt), tags!.includes('hard'), prompt);
    }
  });
});

describe('bench: arms', () => {
  const none: Counted = { k: 0, n: 0 };
  const held = (content: string, counts: Partial<Record<Measure, Counted>>): Held => ({
    content,
    counts: { ...(Object.fromEntries(MEASURES.map((name) => [name, none])) as Record<Measure, Counted>), ...counts },
  });

  it('compares shares of episodes as pairedGain does', () => {
    const [before, after] = [
      [0, 0, 1, 1, 0],
      [1, 0, 1, 0, 1],
    ];
    const contents = ['a', 'b', 'a', 'c', 'b'];
    const of = (ks: number[]): Held[] => ks.map((k, i) => held(contents[i]!, { TCR: { k, n: 1 } }));
    const change = changeOf(of(before), of(after), 'TCR')!;
    const expected = pairedGain(before.map(Boolean), after.map(Boolean), contents);
    assert.ok(Math.abs(change.mean - expected.mean) < 1e-12);
    change.ci95.forEach((bound, i) => assert.ok(Math.abs(bound - expected.ci95[i]!) < 1e-12));
  });

  it('compares ratios whose calls differ in number', () => {
    // 1 of 2 wrong, then 1 of 4. before: R 1/2, shares (1 - 1/2)/2, (0 - 1/2)/2 = 1/4, -1/4
    // after: R 1/4, shares (1 - 3/4)/4, (0 - 1/4)/4 = 1/16, -1/16; differences -3/16, 3/16
    const before = [held('a', { TIER: { k: 1, n: 1 } }), held('b', { TIER: { k: 0, n: 1 } })];
    const after = [held('a', { TIER: { k: 1, n: 3 } }), held('b', { TIER: { k: 0, n: 1 } })];
    const { mean, ci95 } = changeOf(before, after, 'TIER')!;
    assert.equal(mean, -0.25);
    assert.ok(Math.abs(ci95[1] - mean - 1.959964 * Math.sqrt(2 * (3 / 16) ** 2 * 2)) < 1e-12);
    assert.equal(changeOf(before, after, 'VR'), null);
    assert.throws(() => changeOf(before, after.slice(1), 'TIER'), /needs the same episodes twice, got 2 and 1/);
  });

  it('decides by the whole interval', () => {
    assert.equal(verdictOf({ mean: 0.1, ci95: [0.02, 0.18] }, 1), 'reproduced');
    assert.equal(verdictOf({ mean: 0.1, ci95: [0.02, 0.18] }, -1), 'refuted');
    assert.equal(verdictOf({ mean: 0.1, ci95: [-0.02, 0.22] }, 1), 'not decided');
    assert.equal(verdictOf(null, 1), 'not decided');
  });
});
