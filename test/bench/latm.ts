/**
 * Tool making (`coach maketool`, LATM) on tasks of BIG-Bench Hard, which are measured on and never trained on.
 *
 * 1. A scripted maker behind an OpenAI-compatible server sends two wrong tools first: at which try one is taken, and of
 *    how many held-out inputs its result is the right answer.
 * 2. With --maker: how many of its proposals a real model gets accepted, and why the others are not.
 * 3. With --user GGUF: that model on held-out requests with the made tool, and without one, paired.
 *
 * Six demonstrations a task (three told, three that verify); all others are held out. Lines as they come, then one of
 * JSON.
 *
 * Run: COACH_SHARED_DATA=DIR npm run bench -- latm [--only TASK,…]   (1)
 *   … --maker GGUF|URL [--maker-model NAME] [--seeds 0,1] [--tries 3] [--tokens 400]   (2 alone)
 *   … --user GGUF [--n 20]   (1 and 3)
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { realDependencies } from '../../trainer/app/dependencies';
import { Random } from '../../trainer/base/random';
import { sumOf } from '../../trainer/base/tally';
import { pairedChange, wilson } from '../../trainer/protocol/interval';
import type { Trace } from '../../trainer/protocol/trace';
import { parseSettings } from '../../trainer/app/settings';
import { respondOnce } from '../../trainer/rollout/policy/policy';
import { openLocalTeacher } from '../../trainer/recipes/distill/localTeacher';
import { answerOccurs } from '../../trainer/tasks/solved';
import { coach } from '../app/cli/coach';
import { openScriptedMaker, SCRIPTS } from './latm/makers';
import { processor, round } from './measured';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    maker: { type: 'string' },
    'maker-model': { type: 'string' },
    tries: { type: 'string', default: '3' },
    tokens: { type: 'string', default: '400' },
    seeds: { type: 'string', default: '0' },
    user: { type: 'string' },
    n: { type: 'string', default: '20' },
  },
});
const folder = process.env.COACH_SHARED_DATA;
if (!folder) throw new Error('bench latm: set COACH_SHARED_DATA to the folder of public data');
const tasks = values.only?.split(',') ?? Object.keys(SCRIPTS);

interface Example {
  request: string;
  answer: string;
}

/** Each request once. */
function examplesOf(task: string): Example[] {
  const lines = readFileSync(join(folder!, 'bbh', `${task}.jsonl`), 'utf8')
    .trimEnd()
    .split('\n');
  const all = lines.map((line) => JSON.parse(line) as { input: string; target: string });
  return [...new Map(all.map(({ input, target }) => [input, { request: input, answer: target }])).values()];
}

const work = mkdtempSync(join(tmpdir(), 'coach-latm-'));

/** A workspace with a task's demonstrations: all of it, or the six that a tool is made from. */
function workspaceOf(task: string, name: string, examples: readonly Example[]): string {
  const dir = join(work, `${name}-${task}`);
  mkdirSync(join(dir, '.git'), { recursive: true });
  writeFileSync(join(dir, 'demos.jsonl'), examples.map((one) => `${JSON.stringify(one)}\n`).join(''));
  return dir;
}

const make = (dir: string, args: readonly string[]): ReturnType<typeof coach> =>
  coach(dir, ['maketool', 'made.ts', '--from', 'demos.jsonl', '--json', ...args], {
    dependencies: realDependencies,
    environment: {},
  });

async function scripted(task: string): Promise<Record<string, unknown>> {
  const maker = await openScriptedMaker(task);
  const dir = workspaceOf(task, 'scripted', examplesOf(task));
  const at = performance.now();
  const { json, stderr } = await make(dir, ['--maker', maker.url, '--maker-model', 'm', '--apply']);
  await maker.close();
  if (!json?.tool) return { task, tool: null, why: stderr };
  const { tool, tries, refused, further, spent } = json;
  const row = { task, tool, tries, refused, ...further, requests: spent.requests };
  return { ...row, seconds: round((performance.now() - at) / 1000, 1) };
}

/** Six demonstrations, and no further ones, which would only cost time. */
async function byModel(task: string, seed: string): Promise<Record<string, unknown>> {
  const examples = Random.fromSeed(`latm ${seed}`).shuffle(examplesOf(task)).slice(0, 6);
  const dir = workspaceOf(task, `model-${seed}`, examples);
  const at = performance.now();
  const isServer = /^https?:/.test(values.maker!);
  const { code, json, stderr } = await make(dir, [
    ...['--maker', isServer ? values.maker! : resolve(values.maker!)],
    ...(values['maker-model'] ? ['--maker-model', values['maker-model']] : []),
    ...['--seed', seed, '--tries', values.tries, '--maker-tokens', values.tokens],
  ]);
  if (json === null) return { task, seed, why: stderr, code };
  const { tool, tries, refused } = json;
  return { task, seed, tool, tries, refused, seconds: round((performance.now() - at) / 1000, 1) };
}

/** Whether a model answers requests, with the made tool of a workspace and without one. */
async function byUser(task: string): Promise<Record<string, unknown>> {
  const dir = join(work, `scripted-${task}`);
  // the three at either end were the tool's demonstrations
  const heldOut = Random.fromSeed('latm user').shuffle(examplesOf(task).slice(3, -3)).slice(0, Number(values.n));
  const lines = heldOut.map(({ request, answer }, i) => JSON.stringify({ id: `held-${i}`, prompt: request, answer }));
  writeFileSync(join(dir, 'held.tasks.jsonl'), lines.join('\n'));
  const model = resolve(values.user!);
  const traces = join(dir, 'traces.jsonl');
  const given = ['--tools', 'made.ts', '--tasks', 'held.tasks.jsonl', '--traces', traces, '--max-tokens', '2048'];
  const { code, stderr } = await coach(dir, ['evaluate', model, ...given], { dependencies: realDependencies });
  if (code !== 0) return { task, why: stderr };
  const done = readFileSync(traces, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Trace);
  const withTool = heldOut.map((_, i) => done.find(({ taskId }) => taskId === `held-${i}`)?.solved === true);
  const called = done.filter(({ turns }) =>
    turns.some(({ calls }) => calls.some(({ result }) => result?.kind === 'ok')),
  );
  const without = await answered(model, heldOut, dir);
  const share = (right: readonly boolean[]): number => round((100 * right.filter(Boolean).length) / right.length, 1);
  const { mean, ci95 } = pairedChange(without, withTool);
  const gain = [mean, ...ci95].map((x) => round(100 * x, 1));
  return { task, n: heldOut.length, without: share(without), withTool: share(withTool), gain, called: called.length };
}

async function answered(model: string, examples: readonly Example[], dir: string): Promise<boolean[]> {
  const engine = await realDependencies.openEngine(parseSettings({ toolFile: join(dir, 'made.ts'), model }));
  const { policy, close } = openLocalTeacher(model, 'user', [], engine);
  const right: boolean[] = [];
  try {
    for (const { request, answer } of examples) {
      const { content } = await respondOnce(
        policy,
        {
          messages: [{ role: 'user', content: request }],
          tools: [],
          random: Random.fromSeed('greedy'),
          sampling: { temperature: 0, maxTurnTokens: 128, maxTokens: 2048 },
        },
        new AbortController().signal,
      );
      right.push(answerOccurs(answer, content));
    }
  } finally {
    close();
    engine.dispose();
  }
  return right;
}

async function rows(of: (task: string) => Promise<Record<string, unknown>>): Promise<Record<string, unknown>[]> {
  const out: Record<string, unknown>[] = [];
  for (const task of tasks) {
    out.push(await of(task));
    console.log(JSON.stringify(out.at(-1)));
  }
  return out;
}

async function main(): Promise<void> {
  const byScript = values.maker ? [] : await rows(scripted);
  const made: Record<string, unknown>[] | null = values.maker ? [] : null;
  for (const seed of made ? values.seeds.split(',') : []) made!.push(...(await rows((task) => byModel(task, seed))));
  const used = values.user ? await rows(byUser) : null;
  const accepted = made?.filter(({ tool }) => typeof tool === 'string').length ?? 0;
  const proposals = made?.reduce((sum, { tries }) => sum + Number(tries ?? 0), 0) ?? 0;
  const refused: Record<string, number> = {};
  for (const row of made ?? [])
    for (const [why, n] of Object.entries((row.refused ?? {}) as Record<string, number>))
      refused[why] = (refused[why] ?? 0) + n;
  const acceptance = made && {
    tasks: made.length,
    accepted,
    proposals,
    perProposal: [accepted / proposals, ...(wilson(accepted, proposals) ?? [])].map((x) => round(100 * x, 1)),
    refused,
    refusals: sumOf(refused),
  };
  console.log(
    JSON.stringify({ bench: 'latm', processor: processor(), node: process.version, byScript, made, acceptance, used }),
  );
}

void main().finally(() => rmSync(work, { recursive: true, force: true }));
