import assert from 'node:assert/strict';
import type { Task } from '../../trainer/protocol/task';
import type { Trace } from '../../trainer/protocol/trace';
import { openScoring, type Scoring } from '../../trainer/recipes/steps/scoring';
import type { Session } from '../../trainer/recipes/steps/session';
import type { JudgeGroup } from '../../trainer/rewards/judge/judge';
import { sampleTrace } from '../store/runs/sample';

const tasks: Task[] = ['g0', 'g1', 'g2'].map((id) => ({ id, prompt: `do ${id}`, calls: [] }));
const episode = (group: number, i: number): Trace =>
  sampleTrace(`g${group}-${i}`, { groupId: `s1-g${group}`, taskId: `g${group}`, indexInGroup: i });

function open(judge: JudgeGroup | null, stop = new AbortController()): Scoring {
  const context = {
    config: { rewards: judge ? 'judge' : 'format', groupSize: 2 },
    tools: [],
    hosts: { rewards: [] },
    signal: stop.signal,
    judge: judge ? { judge } : null,
  };
  return openScoring(
    { context } as unknown as Session,
    tasks.map((task, g) => ({ id: `s1-g${g}`, task })),
  );
}

describe("a step's groups and their judge", () => {
  it('a group is judged as soon as its last rollout ends, in the order of its rollouts, while others go on', async () => {
    const asked: string[][] = [];
    const scoring = open(async (group) => {
      asked.push(group.map(({ trace }) => trace.id));
      return group.map((_, i) => ({ score: i }));
    });
    const all = tasks.flatMap((_, g) => [episode(g, 0), episode(g, 1)]);
    scoring.ended(all[3]);
    scoring.ended(all[4]);
    assert.deepEqual(asked, []);
    scoring.ended(all[2]);
    assert.deepEqual(asked, [['g1-0', 'g1-1']]);
    [all[5], all[0], all[1]].forEach(scoring.ended);
    assert.deepEqual(asked, [
      ['g1-0', 'g1-1'],
      ['g2-0', 'g2-1'],
      ['g0-0', 'g0-1'],
    ]);
    const scored = await scoring.scores(all);
    assert.deepEqual(
      scored.map((t) => [t.id, t.reward]),
      [
        ['g0-0', 0],
        ['g0-1', 1],
        ['g1-0', 0],
        ['g1-1', 1],
        ['g2-0', 0],
        ['g2-1', 1],
      ],
    );
    assert.equal(asked.length, 3, 'and once');
  });

  it('a stop asks nothing more and gives the traces back as they are', async () => {
    const stop = new AbortController();
    let asked = 0;
    const scoring = open(async () => {
      asked++;
      throw new Error('cut off');
    }, stop);
    const all = tasks.flatMap((_, g) => [episode(g, 0), episode(g, 1)]);
    scoring.ended(all[0]);
    scoring.ended(all[1]);
    stop.abort();
    all.slice(2).forEach(scoring.ended);
    assert.deepEqual(
      (await scoring.scores(all)).map((t) => t.id),
      all.map((t) => t.id),
    );
    assert.equal(asked, 1);
  });

  it('without a judge they are scored once all have ended; a reward that breaks stops the step', async () => {
    const all = tasks.flatMap((_, g) => [episode(g, 0), episode(g, 1)]);
    const scoring = open(null);
    all.forEach(scoring.ended);
    assert.equal(
      (await scoring.scores(all)).every((t) => t.rewards.length === 1),
      true,
    );
    await assert.rejects(
      open(async () => {
        throw new Error('broken');
      }).scores(all),
      /broken/,
    );
  });
});
