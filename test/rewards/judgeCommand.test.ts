import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { coach } from '../app/cli/coach';
import { tempFolder } from '../store/runs/sample';
import { judgeServer, ranking, type JudgeServer } from './judgeServer';

const said = (content: string) => [{ role: 'assistant', content }];
const prompt = [{ role: 'user', content: 'How many?' }];
/** "quality N" in the text, over 9. */
const quality = (text: string): number => Number(/quality (\d)/.exec(text)![1]) / 9;

describe('coach judge --calibrate', function () {
  this.timeout(60_000);
  const { dir, remove } = tempFolder();
  const open: JudgeServer[] = [];
  after(async () => {
    for (const server of open) await server.close();
    remove();
  });
  const serve = async (...args: Parameters<typeof judgeServer>) => {
    const server = await judgeServer(...args);
    open.push(server);
    return server;
  };
  const calibrate = (server: { url: string }, file: string, ...more: string[]) =>
    coach(dir, ['judge', '--calibrate', file, '--url', server.url, '--model', 'm', ...more]);
  const pairs = (name: string, list: readonly (readonly [chosen: string, rejected: string])[]): string => {
    mkdirSync(join(dir, '.git'), { recursive: true });
    writeFileSync(
      join(dir, name),
      list
        .map(([chosen, rejected], i) =>
          JSON.stringify({ id: `p${i}`, prompt, chosen: said(chosen), rejected: said(rejected) }),
        )
        .join('\n'),
    );
    return name;
  };

  it('accuracy, kappa, order bias, length bias and cost, each with n; the workspace remembers the agreement', async () => {
    const server = await serve((asked) => ranking(asked, quality));
    // 7 pairs as people say, 1 against, 1 alike; the sides are drawn by the pair's id, so that kappa can be measured
    const file = pairs('pairs.jsonl', [
      ...Array.from({ length: 7 }, (_, i) => [`quality 8, try ${i}`, `quality 2, try ${i}, and a long story`] as const),
      ['quality 1', 'quality 7'],
      ['same', 'same'],
    ]);
    const { code, json, stderr } = await calibrate(server, file, '--set', 'judgeVotes=2', '--json');
    assert.equal(code, 0, stderr);
    assert.deepEqual([json.pairs, json.accuracy.value, json.accuracy.n, json.notJudged], [9, 7 / 8, 8, 1]);
    assert.ok(
      json.accuracy.ci95[0] > 0.5 && json.accuracy.ci95[1] < 1 && json.kappa.n === 8 && json.kappa.value > 0.5,
      JSON.stringify(json),
    );
    assert.deepEqual([json.contradictions.value, json.firstWins], [0, null]);
    assert.deepEqual([json.longerWins.judge.value, json.longerWins.judge.n, json.longerWins.people.value], [0, 7, 0]);
    assert.deepEqual(json.errors, { 'both sides read alike': 1 });
    // 8 pairs x 2 votes x 2 orders of 100 + 10 tokens; a second vote that draws the same words is not asked again
    assert.ok(
      json.cost.requests <= 32 &&
        json.cost.promptTokens === 100 * json.cost.requests &&
        json.cost.n === 8 &&
        json.cost.usd === null,
      JSON.stringify(json.cost),
    );
    assert.deepEqual(json.judge, {
      model: 'm',
      baseUrl: server.url,
      mode: 'listwise',
      votes: 2,
      promptHash: json.judge.promptHash,
    });
    const [known] = JSON.parse(readFileSync(join(dir, '.coach/judge-calibration.json'), 'utf8')) as {
      model: string;
      n: number;
    }[];
    assert.deepEqual([known.model, known.n], ['m', 8]);
  });

  it('one that prefers what it sees first is found out, in words', async () => {
    const server = await serve((asked) => ranking(asked, (_, place) => 1 - place));
    const { code, stdout, stderr } = await calibrate(
      server,
      pairs('first.jsonl', [
        ['a b', 'c'],
        ['d', 'e f'],
        ['g', 'h'],
      ]),
    );
    assert.equal(code, 0, stderr);
    assert.match(stdout, /two orders contradict each other +100\.0 % +43\.9 % to 100\.0 % +3\n/);
    assert.match(stdout, /what was shown first won[^\n]+100\.0 %/);
    assert.match(stdout, /6 requests, 600 \+ 60 tokens/);
  });

  it('bad input: one message with the way out', async () => {
    const server = await serve((asked) => ranking(asked, quality));
    for (const [args, message] of [
      [['judge'], /needs --calibrate FILE/],
      [['judge', '--calibrate', 'none.jsonl', '--url', server.url, '--model', 'm'], /none\.jsonl can't be read/],
      [['judge', '--calibrate', pairs('x.jsonl', [['a', 'b']]), '--set', 'steps=3'], /must be judgeNAME=VALUE/],
    ] as const) {
      const { code, stderr } = await coach(dir, [...args], { environment: {} });
      assert.equal(code, 2, stderr);
      assert.match(stderr, message);
    }
  });
});
