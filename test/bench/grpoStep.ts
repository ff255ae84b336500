/**
 * A training step beside TRL's with PEFT's LoRA (GRPOTrainer, SFTTrainer, DPOTrainer): `ratio` is ours / theirs,
 * seconds a step (GRPO: rollouts, rewards, gradient, update). Rounds alternate, each side in a process of its own with
 * the same number of threads; medians over all steps but each process's first. `cpuRatio`, processor seconds, stays
 * comparable on a busy machine. One line of JSON a case:
 * - nano: GRPO, 8 prompts x 8 on the e-mail tools, LoRA r 16 on all seven projections; both sides float32, TRL without
 *   gradient checkpointing
 * - tiny (a Llama of 2 M parameters, GRPO, 4 prompts x 8, prompt 64) and all others (SmolLM2-135M's shape): random
 *   weights, LoRA r 8 on q and v, and TRL as it comes, which is bfloat16 autocast and gradient checkpointing; ours
 *   float32 without
 * - grpo128, grpo512, grpo1024: 1 prompt of so many tokens x 8; grpo4x8: 4 prompts of 512 tokens that begin with the
 *   same 500, x 8
 * - grpo128Checkpointed, grpo128Q4: ours alone with the settings that take less memory, for peakMiB
 * - sft128, sft512, sft1024: 16 examples that begin with so many tokens, each with 8 to 84 of its own and an answer;
 *   sft512x64: 64 of them, ours alone
 * - dpo128, dpo512, dpo1024: 4 such pairs, whose sides differ in their answers
 * `computedTokens`: what ours trains on in a step, what several sequences begin with counted as often as it is
 * computed. `graphs`: how many were compiled in the measured steps, and in the whole run with the evaluations before
 * it, and for how long.
 *
 * The same on both sides: weights and tokenizer, the same prompts in the same text (SFT and DPO: the same ids), exactly
 * COMPLETION sampled or trained tokens for each rollout or answer, temperature 1, no KL, one update of the step's
 * rollouts, AdamW, a reward that differs inside each group. The length is forced without touching either program: ours
 * runs a copy of the model without an end token (so a rollout lasts until maxTurnTokens), TRL gets min_new_tokens =
 * max_completion_length.
 *
 * Each side's memory settings are those it comes with: ours has glibc keep freed memory where the model is not nano,
 * and give it back in 4 bits, in huge pages (protocol/allocator.ts), TRL does neither. With MALLOC_MMAP_MAX_=0
 * MALLOC_TRIM_THRESHOLD_=17179869184 GLIBC_TUNABLES=glibc.malloc.hugetlb=1 in the environment both do.
 *
 * What differs: no tools are called and nothing constrains the sampler (TRL has no such thing; it is nano's default,
 * and makes rollouts shorter). Ours also writes each trace to disk, asks a process of its own for the reward, and
 * records its events; TRL keeps its log. Ours computes a group's prompt once, and what all prompts begin with once for
 * the batch, in sampling and in training; TRL in each of its rows. TRL's micro-batch is the one that BENCH_PEER_ROWS
 * names (default all rows at once; pairs count as one).
 *
 * Run: npm run bench -- grpoStep [--rounds 3] [--steps 3] [--threads 2] [--only nano,grpo512,…] [--tree DIR]; --tree:
 * another checkout, whose trainer (by its test/bench/stepOurs.ts) stands in TRL's place. On a machine that other work
 * shares, one thread: two wait for each other, and waiting counts as processor seconds.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Projection } from '../../trainer/model/network/config';
import { trainingEnvironment } from '../../trainer/protocol/allocator';
import { models } from './engineWork';
import { median, processor, round } from './measured';
import { REWARD, writeEmail, writeEndlessModel, writeTasks, type Lengths, type Plan, type Side } from './stepWorkspace';
import { openVenv, runPython } from './venv';

const ROOT = resolve(__dirname, '../..');
const GROUP = 8;
const COMPLETION = 64;

interface Case extends Pick<Plan, 'method' | 'lora' | 'asItComes' | 'settings'> {
  /** null: nano with its own weights */
  model: keyof typeof models | null;
  /** prompts, examples or pairs of a step */
  count: number;
  /** null: the e-mail tools' own prompts */
  lengths: Lengths | null;
  /** of the time */
  goal: number | null;
  /** there is no peer */
  isAlone?: boolean;
}
const ALL: Projection[] = ['q_proj', 'k_proj', 'v_proj', 'o_proj', 'gate_proj', 'up_proj', 'down_proj'];
const SMOL: Pick<Case, 'model' | 'lora' | 'asItComes'> = {
  model: 'smol',
  lora: { rank: 8, alpha: 16, targets: ['q_proj', 'v_proj'] },
  asItComes: true,
};
/** One prompt of so many tokens. */
const grpo = (tokens: number, goal: number | null): Case => ({
  ...SMOL,
  method: 'grpo',
  count: 1,
  lengths: { shared: null, prompts: [tokens] },
  goal,
});
/** Prompts with 8 to 84 tokens of their own, 46 on average. */
const own = (shared: number, count: number): Lengths => ({
  shared,
  prompts: Array.from({ length: count }, (_, i) => shared + 8 + Math.round((76 * i) / (count - 1))),
});
const sft = (shared: number): Case => ({ ...SMOL, method: 'sft', count: 16, lengths: own(shared, 16), goal: null });
const dpo = (shared: number): Case => ({ ...SMOL, method: 'dpo', count: 4, lengths: own(shared, 4), goal: null });

const cases: Record<string, Case> = {
  nano: {
    method: 'grpo',
    model: null,
    count: 8,
    lengths: null,
    lora: { rank: 16, alpha: 32, targets: ALL },
    asItComes: false,
    goal: 0.35,
  },
  tiny: { ...grpo(64, 0.35), model: 'tiny', count: 4 },
  grpo128: grpo(128, 0.33),
  grpo512: grpo(512, 0.2),
  grpo1024: grpo(1024, null),
  grpo4x8: { ...grpo(512, 0.12), count: 4, lengths: { shared: 500, prompts: [512] } },
  // what they take of memory: goals 2.5 GB and, in 4 bits, 1.2 GB
  grpo128Checkpointed: { ...grpo(128, null), isAlone: true, settings: { gradientCheckpointing: true } },
  grpo128Q4: { ...grpo(128, null), isAlone: true, settings: { gradientCheckpointing: true, quantize: 'q4' } },
  sft128: sft(128),
  sft512: sft(512),
  sft1024: sft(1024),
  sft512x64: { ...sft(512), count: 64, lengths: own(512, 64), isAlone: true },
  dpo128: dpo(128),
  dpo512: dpo(512),
  dpo1024: dpo(1024),
};

function runOurs(plan: Plan, tree: string): Side {
  const child = spawnSync(process.execPath, ['--import', 'tsx', join(tree, 'test/bench/stepOurs.ts'), planFile(plan)], {
    encoding: 'utf8',
    env: trainingEnvironment(
      { model: plan.isNano ? 'nano' : plan.model, ...plan.settings },
      process.env,
      process.platform,
    ),
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 1 << 28,
  });
  if (child.status !== 0) throw new Error(`grpoStep: our side ended with ${child.status ?? child.signal}`);
  return JSON.parse(child.stdout.trim().split('\n').pop()!) as Side;
}

function runPeer(python: string, plan: Plan): Side {
  return runPython<Side>(python, join(__dirname, 'grpoStep.py'), [planFile(plan)], {
    OMP_NUM_THREADS: String(plan.threads),
    MKL_NUM_THREADS: String(plan.threads),
  });
}

function planFile(plan: Plan): string {
  const file = join(plan.folder, 'plan.json');
  writeFileSync(file, JSON.stringify(plan));
  return file;
}

/** Each is made once. */
function endlessModel(made: string, name: Case['model']): string {
  const folder = join(made, name ?? 'nano');
  return existsSync(folder) ? folder : writeEndlessModel(folder, name === null ? null : models[name]!);
}

/** How one case is measured. */
interface How {
  rounds: number;
  steps: number;
  threads: number;
  /** another checkout in TRL's place; null: TRL */
  tree: string | null;
}

/** @param made folder of the models that were made before */
async function measure(name: string, made: string, { rounds, steps, threads, tree }: How): Promise<void> {
  const { method, model, count, lengths, lora, asItComes, goal, settings, isAlone } = cases[name]!;
  const scratch = mkdtempSync(join(tmpdir(), 'coach-grpo-step-'));
  try {
    const sequences = method === 'grpo' ? count * GROUP : count;
    const plan: Plan = {
      method,
      folder: join(scratch, 'workspace'),
      model: endlessModel(made, model),
      isNano: model === null,
      steps,
      threads,
      promptCount: count,
      prompts: [],
      examples: [],
      groupSize: GROUP,
      completion: COMPLETION,
      maxTokens: Math.max(320, ...(lengths?.prompts ?? []).map((tokens) => tokens + COMPLETION)),
      lora,
      asItComes,
      ...(settings ? { settings } : {}),
      peerRows: Number(process.env['BENCH_PEER_ROWS'] ?? sequences),
    };
    mkdirSync(plan.folder);
    if (lengths === null) writeEmail(plan.folder, count);
    else plan.examples = await writeTasks(plan, lengths);
    writeFileSync(join(plan.folder, 'package.json'), '{}');
    writeFileSync(join(plan.folder, 'bench.rewards.ts'), REWARD);
    const python = isAlone || tree !== null ? null : openVenv();
    const ours: Side[] = [];
    const peer: Side[] = [];
    for (let i = 0; i < rounds; i++) {
      const { prompts, ...side } = runOurs(plan, ROOT);
      plan.prompts = prompts ?? [];
      ours.push(side);
      if (python !== null) peer.push(runPeer(python, plan));
      if (tree !== null) peer.push(runOurs(plan, tree));
    }
    const of = (sides: Side[], read: (side: Side) => number[]): number | null =>
      sides.length ? round(median(sides.flatMap(read))) : null;
    const seconds = { ours: of(ours, (s) => s.seconds)!, peer: of(peer, (s) => s.seconds) };
    const cpuSeconds = { ours: of(ours, (s) => s.cpuSeconds)!, peer: of(peer, (s) => s.cpuSeconds) };
    const ratio = ({ ours: a, peer: b }: typeof seconds): number | null => (b === null ? null : round(a / b));
    const both = (read: (side: Side) => number | undefined): { ours: number | null; peer: number | null } => ({
      ours: read(ours[0]!) ?? null,
      peer: (peer[0] && read(peer[0])) ?? null,
    });
    console.log(
      JSON.stringify({
        bench: 'grpoStep',
        case: name,
        ratio: ratio(seconds),
        goal,
        cpuRatio: ratio(cpuSeconds),
        seconds,
        cpuSeconds,
        peakMiB: {
          ours: round(Math.max(...ours.map((s) => s.peakMiB)), 0),
          peer: peer.length ? round(Math.max(...peer.map((s) => s.peakMiB)), 0) : null,
        },
        graphs: ours[0]!.graphs,
        ...(settings ? { settings } : {}),
        method,
        [method === 'grpo' ? 'prompts' : method === 'sft' ? 'examples' : 'pairs']: count,
        ...(method === 'grpo' ? { groupSize: GROUP } : {}),
        shared: lengths?.shared ?? null,
        promptTokens: both((side) => side.promptTokens),
        completionTokens: both((side) => side.completionTokens),
        computedTokens: both((side) => side.computedTokens),
        peerIs: tree !== null ? tree : asItComes ? 'bfloat16 autocast, gradient checkpointing' : 'float32',
        steps: ours.flatMap((s) => s.seconds).length,
        rounds,
        threads,
        peerRows: plan.peerRows,
        processor: processor(),
        versions: { ...ours[0]!.versions, ...peer[0]?.versions },
      }),
    );
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      rounds: { type: 'string', default: '3' },
      steps: { type: 'string', default: '3' },
      threads: { type: 'string', default: String(availableParallelism()) },
      only: { type: 'string', default: Object.keys(cases).join() },
      tree: { type: 'string' },
    },
  });
  const names = values.only.split(',');
  const unknown = names.find((name) => !Object.hasOwn(cases, name));
  if (unknown !== undefined)
    throw new Error(`grpoStep: --only: no case is called ${unknown}; there are ${Object.keys(cases).join(', ')}`);
  const [rounds, steps, threads] = [values.rounds, values.steps, values.threads].map(Number) as [
    number,
    number,
    number,
  ];
  const tree = values.tree ? resolve(values.tree) : null;
  const made = mkdtempSync(join(tmpdir(), 'coach-step-models-'));
  try {
    for (const name of names) await measure(name, made, { rounds, steps, threads, tree });
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

void main(process.argv.slice(2));
