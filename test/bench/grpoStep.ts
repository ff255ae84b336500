/**
 * A GRPO step of nano, 8 prompts x 8 rollouts, beside TRL's GRPOTrainer.train with PEFT's LoRA: `ratio` is ours / theirs, seconds a step
 * (rollouts, rewards, gradient, update). Rounds alternate, each side in a process of its own with the same number of threads; medians over
 * all steps but each process's first. `cpuRatio`, processor seconds, stays comparable on a busy machine. One line of JSON.
 *
 * The same on both sides: weights and tokenizer, the same 8 prompts in the same text, exactly COMPLETION sampled tokens for each of 64
 * rollouts, float32, temperature 1, no KL, one update of the step's rollouts, AdamW, LoRA r 16 on all seven projections, a reward that
 * differs inside each group. The length is forced without touching either program: ours runs a copy of nano without an end token (so a
 * rollout lasts until maxTurnTokens), TRL gets min_new_tokens = max_completion_length.
 *
 * What differs: no tools are called and nothing constrains the sampler (TRL has no such thing; it is our default, and makes rollouts
 * shorter). Ours also writes each trace to disk, asks a process of its own for the reward, and records its events; TRL keeps its log. Ours
 * computes a group's prompt once, and what all prompts begin with once for the batch, in sampling and in training; TRL in each of its 64 rows. TRL's micro-batch is the one that
 * BENCH_PEER_ROWS names (default 64 rows, all at once).
 *
 * Run: npm run bench grpoStep, or node --import tsx test/bench/grpoStep.ts [rounds]
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseSettings } from '../../trainer/settings';
import { realRooms } from '../../trainer/rooms';
import { readTrace, traceSummaries } from '../../trainer/runs/readRun';
import { startRun } from '../../trainer/startRun';
import { Tokenizer } from '../../trainer/tokenizer/tokenizer';
import { median, processor, round } from './measured';
import { openVenv, runPython } from './venv';

const ROOT = resolve(__dirname, '../..');
const PROMPTS = 8;
const GROUP = 8;
const COMPLETION = 64;
/** measured steps of a process, after its first */
const STEPS = 3;
const THREADS = availableParallelism();

interface Side { seconds: number[]; cpuSeconds: number[]; promptTokens: number; completionTokens: number; peakMiB: number; versions: Record<string, string> }
/** What both sides are given. */
interface Plan { folder: string; model: string; steps: number; threads: number; prompts: string[]; groupSize: number; completion: number; peerRows: number }

/** Scores by the sampled ids alone, so that both sides can have the same reward; hardly ever equal in a group. */
const REWARD = `
/** @reward */
export function spread(_task: unknown, trace: { tokens: { ids: number[]; completionMask: number[] } }): number {
  return (trace.tokens.ids.reduce((sum, id, i) => sum + id * trace.tokens.completionMask[i], 0) % 97) / 97;
}
`;

/** nano, but what ends a turn is a token that it never writes, in all its files; and a template that isn't known for ours. */
function writeEndlessNano(folder: string): string {
  const nano = join(ROOT, 'trainer/nano');
  mkdirSync(folder);
  const text = (name: string): string => readFileSync(join(nano, name), 'utf8');
  for (const name of ['tokenizer.json', 'model.safetensors']) cpSync(join(nano, name), join(folder, name));
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ ...(JSON.parse(text('config.json')) as object), eos_token_id: null }));
  writeFileSync(join(folder, 'tokenizer_config.json'), text('tokenizer_config.json').replaceAll('<|end|>', '<|pad|>'));
  writeFileSync(join(folder, 'chat_template.jinja'), text('chat_template.jinja').replaceAll('<|call|>', "{{ '<|call' + '|>' }}").replaceAll('<|end|>', '<|pad|>'));
  return folder;
}

/** The e-mail tools with ten tasks of ten contents: one held out, one to validate, eight to train on in every step. */
function writeWorkspace(folder: string): void {
  cpSync(join(ROOT, 'examples/email'), folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{}');
  writeFileSync(join(folder, 'bench.rewards.ts'), REWARD);
  const all = readFileSync(join(folder, 'tools.tasks.jsonl'), 'utf8').trim().split('\n').map((line) => JSON.parse(line) as { prompt: string; calls?: { arguments: object }[] });
  const seen = new Set<string>();
  const tasks = all.filter(({ calls = [] }) => calls.length === 1 && !seen.has(JSON.stringify(calls)) && seen.add(JSON.stringify(calls))).slice(0, PROMPTS + 2);
  writeFileSync(join(folder, 'tools.tasks.jsonl'), tasks.map((task) => JSON.stringify(task)).join('\n'));
}

/** Child: the real recipe with the product's settings. The last step also measures the KL, so it is not counted. */
async function trainOurs(plan: Plan): Promise<Side & { prompts: string[] }> {
  const side: Side = { seconds: [], cpuSeconds: [], promptTokens: 0, completionTokens: 0, peakMiB: 0, versions: { node: process.version } };
  let last = { at: 0, cpu: process.cpuUsage() };
  let hasStarted = false;
  const ended = await startRun({
    config: parseSettings({
      toolFile: join(plan.folder, 'tools.ts'), model: plan.model, engine: 'onnx', threads: plan.threads, steps: 1 + plan.steps + 1, rewards: 'spread', constraint: 'none', promptsPerStep: PROMPTS, groupSize: plan.groupSize,
      maxTurns: 1, maxTurnTokens: plan.completion, maxTokens: 320, heldOutTasks: 1, evalTasks: 1, evalEvery: 1000, checkpointEvery: 1000, warmupSteps: 0,
    }),
    runDir: join(plan.folder, `run-${process.pid}`), cwd: plan.folder, signal: new AbortController().signal, onStop: () => undefined, now: Date.now, rooms: realRooms,
    onEvent(event) {
      if (event.type === 'runStarted') Object.assign(side.versions, event.manifest.versions, { engine: event.manifest.engine.name });
      if (event.type !== 'stepFinished') return;
      const now = { at: performance.now(), cpu: process.cpuUsage() };
      const isMeasured = hasStarted && event.step <= 1 + plan.steps;
      if (isMeasured) side.seconds.push((now.at - last.at) / 1000);
      if (isMeasured) side.cpuSeconds.push((now.cpu.user + now.cpu.system - last.cpu.user - last.cpu.system) / 1e6);
      [last, hasStarted] = [now, true];
    },
  });
  const traces = traceSummaries(ended!.dir).filter((trace) => trace.phase === 'train' && trace.step === 1).map((summary) => readTrace(ended!.dir, summary));
  const tokenizer = Tokenizer.load(plan.model);
  const promptOf = (trace: (typeof traces)[number]): number[] => trace.tokens.ids.slice(0, trace.tokens.completionMask.indexOf(1));
  const prompts = [...new Set(traces.map((trace) => tokenizer.decode(promptOf(trace), true)))];
  const sampled = traces.map((trace) => trace.tokens.completionMask.reduce<number>((sum, mask) => sum + mask, 0));
  if (traces.length !== PROMPTS * GROUP || prompts.length !== PROMPTS || sampled.some((count) => count !== plan.completion)) throw new Error(`grpoStep: ${traces.length} rollouts of ${prompts.length} prompts, ${Math.min(...sampled)} to ${Math.max(...sampled)} tokens`);
  side.promptTokens = traces.reduce((sum, trace) => sum + promptOf(trace).length, 0);
  side.completionTokens = sampled.reduce((sum, count) => sum + count, 0);
  side.peakMiB = process.resourceUsage().maxRSS / 1024;
  return { ...side, prompts };
}

function runOurs(plan: Plan): Side & { prompts: string[] } {
  const child = spawnSync(process.execPath, ['--import', 'tsx', __filename, 'ours', JSON.stringify(plan)], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 1 << 28 });
  if (child.status !== 0) throw new Error(`grpoStep: our side ended with ${child.status ?? child.signal}`);
  return JSON.parse(child.stdout.trim().split('\n').pop()!) as Side & { prompts: string[] };
}

function runPeer(python: string, plan: Plan): Side {
  return runPython<Side>(python, join(__dirname, 'grpoStep.py'), [JSON.stringify(plan)], { OMP_NUM_THREADS: String(plan.threads), MKL_NUM_THREADS: String(plan.threads) });
}

function main(rounds: number): void {
  const scratch = mkdtempSync(join(tmpdir(), 'coach-grpo-step-'));
  try {
    const folder = join(scratch, 'email');
    writeWorkspace(folder);
    const plan: Plan = { folder, model: writeEndlessNano(join(scratch, 'nano')), steps: STEPS, threads: THREADS, prompts: [], groupSize: GROUP, completion: COMPLETION, peerRows: Number(process.env['BENCH_PEER_ROWS'] ?? PROMPTS * GROUP) };
    const python = openVenv();
    const ours: Side[] = [];
    const peer: Side[] = [];
    for (let i = 0; i < rounds; i++) {
      const { prompts, ...side } = runOurs(plan);
      plan.prompts = prompts;
      ours.push(side);
      if (python !== null) peer.push(runPeer(python, plan));
    }
    const of = (sides: Side[], read: (side: Side) => number[]): number | null => (sides.length ? round(median(sides.flatMap(read))) : null);
    const seconds = { ours: of(ours, (s) => s.seconds)!, peer: of(peer, (s) => s.seconds) };
    const cpuSeconds = { ours: of(ours, (s) => s.cpuSeconds)!, peer: of(peer, (s) => s.cpuSeconds) };
    const ratio = ({ ours: a, peer: b }: typeof seconds): number | null => (b === null ? null : round(a / b));
    console.log(JSON.stringify({
      bench: 'grpoStep', ratio: ratio(seconds), cpuRatio: ratio(cpuSeconds), seconds, cpuSeconds, peakMiB: { ours: round(Math.max(...ours.map((s) => s.peakMiB)), 0), peer: peer.length ? round(Math.max(...peer.map((s) => s.peakMiB)), 0) : null },
      prompts: PROMPTS, groupSize: GROUP, promptTokens: { ours: ours[0]!.promptTokens, peer: peer[0]?.promptTokens ?? null }, completionTokens: { ours: ours[0]!.completionTokens, peer: peer[0]?.completionTokens ?? null },
      steps: ours.flatMap((s) => s.seconds).length, rounds, threads: THREADS, peerRows: plan.peerRows, processor: processor(), versions: { ...ours[0]!.versions, ...peer[0]?.versions },
    }));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

if (process.argv[2] === 'ours') void trainOurs(JSON.parse(process.argv[3]!) as Plan).then((side) => console.log(JSON.stringify(side)));
else main(Number(process.argv[2] ?? 3));
