/**
 * A GRPO step beside TRL's GRPOTrainer.train with PEFT's LoRA: `ratio` is ours / theirs, seconds a step (rollouts,
 * rewards, gradient, update). Rounds
 * alternate, each side in a process of its own with the same number of threads; medians over all steps but each
 * process's first. `cpuRatio`, processor
 * seconds, stays comparable on a busy machine. One line of JSON a case:
 * - nano: 8 prompts x 8 on the e-mail tools, LoRA r 16 on all seven projections; both sides float32, TRL without
 * gradient checkpointing
 * - tiny (a Llama of 2 M parameters, 4 prompts x 8, prompt 64) and smollm2 (SmolLM2-135M's shape, 1 prompt x 8, prompt
 * 128): random weights, LoRA r 8 on
 *   q and v, and TRL as it comes, which is bfloat16 autocast and gradient checkpointing; ours float32 without
 * - smollm2Checkpointed, smollm2Q4: ours alone with the settings that take less memory, for peakMiB
 * `graphs`: how many were compiled in the measured steps, and in the whole run with its evaluations, and for how long.
 *
 * The same on both sides: weights and tokenizer, the same prompts in the same text, exactly COMPLETION sampled tokens
 * for each rollout, temperature 1,
 * no KL, one update of the step's rollouts, AdamW, a reward that differs inside each group. The length is forced
 * without touching either program: ours runs
 * a copy of the model without an end token (so a rollout lasts until maxTurnTokens), TRL gets min_new_tokens =
 * max_completion_length.
 *
 * Each side's memory settings are those it comes with: ours has glibc keep freed memory where the model is not nano,
 * and give it back in 4 bits, in huge pages (protocol/allocator.ts), TRL does
 * neither. With MALLOC_MMAP_MAX_=0 MALLOC_TRIM_THRESHOLD_=17179869184 GLIBC_TUNABLES=glibc.malloc.hugetlb=1 in the
 * environment both do.
 *
 * What differs: no tools are called and nothing constrains the sampler (TRL has no such thing; it is nano's default,
 * and makes rollouts
 * shorter). Ours also writes each trace to disk, asks a process of its own for the reward, and records its events; TRL
 * keeps its log. Ours
 * computes a group's prompt once, and what all prompts begin with once for the batch, in sampling and in training; TRL
 * in each of its rows. TRL's micro-batch is the one that
 * BENCH_PEER_ROWS names (default all rows at once).
 *
 * Run: npm run bench grpoStep, or node --import tsx test/bench/grpoStep.ts [--rounds 3] [--only nano,tiny,smollm2]
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import * as tf from '@tensorflow/tfjs';
import { writeSafetensors, type Tensor } from '../../trainer/model/weights/safetensors';
import { collectSooner } from '../../trainer/app/priority';
import { trainingEnvironment } from '../../trainer/protocol/allocator';
import { weightShapes, type ModelConfig, type Projection } from '../../trainer/model/network/config';
import { Random } from '../../trainer/base/random';
import { parseSettings } from '../../trainer/app/settings';
import { realDependencies } from '../../trainer/app/dependencies';
import { readTrace, traceSummaries } from '../../trainer/store/runs/readRun';
import { startRun } from '../../trainer/app/startRun';
import { ChatTemplate } from '../../trainer/model/tokenizer/chatTemplate';
import { Tokenizer } from '../../trainer/model/tokenizer/tokenizer';
import { models } from './engineWork';
import { median, processor, round } from './measured';
import { openVenv, runPython } from './venv';

const ROOT = resolve(__dirname, '../..');
const GROUP = 8;
const COMPLETION = 64;
/** measured steps of a process, after its first */
const STEPS = 3;
const THREADS = availableParallelism();

const LORA: Record<'all' | 'attention', Projection[]> = {
  all: ['q_proj', 'k_proj', 'v_proj', 'o_proj', 'gate_proj', 'up_proj', 'down_proj'],
  attention: ['q_proj', 'v_proj'],
};
/**
 * asItComes: TRL with bfloat16 autocast and gradient checkpointing, its defaults. promptTokens: null where the e-mail
 * tools' own prompts are taken.
 */
interface Case {
  model: keyof typeof models | null;
  prompts: number;
  promptTokens: number | null;
  lora: { rank: number; alpha: number; targets: Projection[] };
  asItComes: boolean;
  goal: number | null /** beside the product's defaults; then there is no peer */;
  settings?: Record<string, unknown>;
}
const cases: Record<string, Case> = {
  nano: {
    model: null,
    prompts: 8,
    promptTokens: null,
    lora: { rank: 16, alpha: 32, targets: LORA.all },
    asItComes: false,
    goal: 0.35,
  },
  tiny: {
    model: 'tiny',
    prompts: 4,
    promptTokens: 64,
    lora: { rank: 8, alpha: 16, targets: LORA.attention },
    asItComes: true,
    goal: 0.35,
  },
  smollm2: {
    model: 'smol',
    prompts: 1,
    promptTokens: 128,
    lora: { rank: 8, alpha: 16, targets: LORA.attention },
    asItComes: true,
    goal: 0.33,
  },
  // what they take of memory: goals 2.5 GB and, in 4 bits, 1.2 GB
  smollm2Checkpointed: {
    model: 'smol',
    prompts: 1,
    promptTokens: 128,
    lora: { rank: 8, alpha: 16, targets: LORA.attention },
    asItComes: true,
    goal: null,
    settings: { gradientCheckpointing: true },
  },
  smollm2Q4: {
    model: 'smol',
    prompts: 1,
    promptTokens: 128,
    lora: { rank: 8, alpha: 16, targets: LORA.attention },
    asItComes: true,
    goal: null,
    settings: { gradientCheckpointing: true, quantize: 'q4' },
  },
};

interface Side {
  seconds: number[];
  cpuSeconds: number[] /** ours: of the steps that were measured, and of the whole run, with its evaluations */;
  graphs?: { steps: number; run: number; runSeconds: number };
  promptTokens: number;
  completionTokens: number;
  peakMiB: number;
  versions: Record<string, string>;
}
/** What both sides are given. */
interface Plan extends Pick<Case, 'lora' | 'asItComes' | 'settings'> {
  folder: string;
  model: string;
  isNano: boolean;
  steps: number;
  threads: number;
  promptCount: number;
  prompts: string[];
  groupSize: number;
  completion: number;
  peerRows: number;
}

/** Scores by the sampled ids alone, so that both sides can have the same reward; hardly ever equal in a group. */
const REWARD = `
/** @reward */
export function spread(_task: unknown, trace: { tokens: { ids: number[]; completionMask: number[] } }): number {
  return (trace.tokens.ids.reduce((sum, id, i) => sum + id * trace.tokens.completionMask[i], 0) % 97) / 97;
}
`;

/**
 * nano's tokenizer and template with its own weights, or random ones of another shape; what ends a turn is a token
 * that is never written, and the template isn't known for ours.
 */
function writeEndlessModel(folder: string, shape: ModelConfig | null): string {
  const nano = join(ROOT, 'trainer/model/nano');
  mkdirSync(folder);
  const text = (name: string): string => readFileSync(join(nano, name), 'utf8');
  cpSync(join(nano, 'tokenizer.json'), join(folder, 'tokenizer.json'));
  if (shape) writeFileSync(join(folder, 'model.safetensors'), writeSafetensors(randomWeights(shape)));
  else cpSync(join(nano, 'model.safetensors'), join(folder, 'model.safetensors'));
  const sizes = shape && {
    vocab_size: shape.vocabSize,
    hidden_size: shape.hiddenSize,
    num_hidden_layers: shape.layers,
    num_attention_heads: shape.heads,
    num_key_value_heads: shape.kvHeads,
    head_dim: shape.headDim,
    intermediate_size: shape.intermediateSize,
    rms_norm_eps: shape.rmsNormEps,
    rope_theta: shape.ropeTheta,
    max_position_embeddings: shape.maxPositions,
    tie_word_embeddings: shape.tiedEmbeddings,
  };
  writeFileSync(
    join(folder, 'config.json'),
    JSON.stringify({ ...(JSON.parse(text('config.json')) as object), ...sizes, eos_token_id: null }),
  );
  writeFileSync(join(folder, 'tokenizer_config.json'), text('tokenizer_config.json').replaceAll('<|end|>', '<|pad|>'));
  writeFileSync(
    join(folder, 'chat_template.jinja'),
    text('chat_template.jinja').replaceAll('<|call|>', "{{ '<|call' + '|>' }}").replaceAll('<|end|>', '<|pad|>'),
  );
  return folder;
}

/**
 * As a fresh model has them: normal with a deviation of 0.02, norms 1; but one number that all embeddings have in
 * common, and the ending token (0) not, so that it is never sampled.
 */
function randomWeights(shape: ModelConfig): Map<string, Tensor> {
  const random = Random.fromSeed('bench');
  const weights = new Map(
    [...weightShapes(shape)].map(([name, size]): [string, Tensor] => [
      name,
      {
        shape: [...size],
        data: Float32Array.from({ length: size.reduce((a, b) => a * b, 1) }, () =>
          name.endsWith('norm.weight') ? 1 : 0.02 * random.normal(),
        ),
      },
    ]),
  );
  const embedding = weights.get('model.embed_tokens.weight')!.data;
  for (let id = 0; id < shape.vocabSize; id++) embedding[id * shape.hiddenSize] = id === 0 ? -1 : 1;
  return weights;
}

const NOTE = `/** Keep a note.
 *  @param text of it
 *  @tool */
export const note = (text: string): string => text;
`;

/**
 * One tool, and tasks whose prompts are all of exactly so many tokens: one held out, one to validate, the rest to
 * train on in every step.
 */
async function writeShort({ folder, model, promptCount }: Plan, tokens: number): Promise<void> {
  writeFileSync(join(folder, 'tools.ts'), NOTE);
  const { tools } = await realDependencies.discover([join(folder, 'tools.ts')]);
  const [template, tokenizer] = [ChatTemplate.load(model), Tokenizer.load(model)];
  const lengthOf = (content: string): number =>
    tokenizer.encode(template.render([{ role: 'user', content }], tools, true)).length;
  const tasks = Array.from({ length: promptCount + 2 }, (_, i) => {
    let prompt = `${'Note the first second third fourth fifth sixth'
      .split(' ')
      .slice(0, 2 + i)
      .join(' ')} day`;
    for (let length = lengthOf(prompt); length < tokens; length++) {
      const one = [' and', ' a', ' to', ' the', '.'].find((word) => lengthOf(prompt + word) === length + 1);
      if (one === undefined) throw new Error(`grpoStep: nothing makes "${prompt}" one token longer`);
      prompt += one;
    }
    return { id: `n${i}`, prompt, calls: [{ name: 'note', arguments: { text: `day ${i}` } }] };
  });
  writeFileSync(join(folder, 'tools.tasks.jsonl'), tasks.map((task) => JSON.stringify(task)).join('\n'));
}

/** The e-mail tools with ten tasks of ten contents. */
function writeEmail(folder: string, promptCount: number): void {
  cpSync(join(ROOT, 'examples/email'), folder, { recursive: true });
  const all = readFileSync(join(folder, 'tools.tasks.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { prompt: string; calls?: { arguments: object }[] });
  const seen = new Set<string>();
  const tasks = all
    .filter(
      ({ calls = [] }) => calls.length === 1 && !seen.has(JSON.stringify(calls)) && seen.add(JSON.stringify(calls)),
    )
    .slice(0, promptCount + 2);
  writeFileSync(join(folder, 'tools.tasks.jsonl'), tasks.map((task) => JSON.stringify(task)).join('\n'));
}

/** Child: the real recipe with the product's settings. The last step also measures the KL, so it is not counted. */
async function trainOurs(plan: Plan): Promise<Side & { prompts: string[] }> {
  collectSooner(); // as main.ts and coach train do
  const side: Side = {
    seconds: [],
    cpuSeconds: [],
    promptTokens: 0,
    completionTokens: 0,
    peakMiB: 0,
    versions: { node: process.version },
  };
  let last = { at: 0, cpu: process.cpuUsage() };
  let hasStarted = false;
  const compiled = (): { compiles: number; compileMs: number } => ({
    ...(tf.backend() as unknown as { statistics: { compiles: number; compileMs: number } }).statistics,
  });
  let before = 0;
  let steps = 0;
  let whole = { compiles: 0, compileMs: 0 };
  const ended = await startRun({
    config: parseSettings({
      toolFile: join(plan.folder, 'tools.ts'),
      model: plan.model,
      engine: 'onnx',
      rehearsal: false,
      threads: plan.threads,
      steps: 1 + plan.steps + 1,
      rewards: 'spread',
      constraint: 'none',
      promptsPerStep: plan.promptCount,
      groupSize: plan.groupSize,
      loraRank: plan.lora.rank,
      loraAlpha: plan.lora.alpha,
      loraTargets: plan.lora.targets,
      maxTurns: 1,
      maxTurnTokens: plan.completion,
      maxTokens: 320,
      heldOutTasks: 1,
      evalTasks: 1,
      evalEvery: 1000,
      checkpointEvery: 1000,
      warmupSteps: 0,
      ...plan.settings,
    }),
    runDir: join(plan.folder, `run-${process.pid}`),
    cwd: plan.folder,
    signal: new AbortController().signal,
    onStop: () => undefined,
    now: Date.now,
    dependencies: realDependencies,
    onEvent(event) {
      if (event.type === 'runStarted')
        Object.assign(side.versions, event.manifest.versions, { engine: event.manifest.engine.name });
      if (event.type !== 'runStarted') whole = compiled();
      if (event.type !== 'stepFinished') return;
      if (!hasStarted) before = whole.compiles;
      else if (event.step <= 1 + plan.steps) steps = whole.compiles - before;
      const now = { at: performance.now(), cpu: process.cpuUsage() };
      const isMeasured = hasStarted && event.step <= 1 + plan.steps;
      if (isMeasured) side.seconds.push((now.at - last.at) / 1000);
      if (isMeasured) side.cpuSeconds.push((now.cpu.user + now.cpu.system - last.cpu.user - last.cpu.system) / 1e6);
      [last, hasStarted] = [now, true];
    },
  });
  const traces = traceSummaries(ended!.dir)
    .filter((trace) => trace.phase === 'train' && trace.step === 1)
    .map((summary) => readTrace(ended!.dir, summary));
  const tokenizer = Tokenizer.load(plan.model);
  const promptOf = (trace: (typeof traces)[number]): number[] =>
    trace.tokens.ids.slice(0, trace.tokens.completionMask.indexOf(1));
  const prompts = [...new Set(traces.map((trace) => tokenizer.decode(promptOf(trace), true)))];
  const sampled = traces.map((trace) => trace.tokens.completionMask.reduce<number>((sum, mask) => sum + mask, 0));
  if (
    traces.length !== plan.promptCount * GROUP ||
    prompts.length !== plan.promptCount ||
    sampled.some((count) => count !== plan.completion)
  )
    throw new Error(
      `grpoStep: ${traces.length} rollouts of ${prompts.length} prompts, ${Math.min(...sampled)} to ${Math.max(...sampled)} tokens`,
    );
  side.promptTokens = traces.reduce((sum, trace) => sum + promptOf(trace).length, 0);
  side.completionTokens = sampled.reduce((sum, count) => sum + count, 0);
  side.graphs = { steps, run: whole.compiles, runSeconds: round(whole.compileMs / 1000) };
  side.peakMiB = process.resourceUsage().maxRSS / 1024;
  return { ...side, prompts };
}

function runOurs(plan: Plan): Side & { prompts: string[] } {
  const child = spawnSync(process.execPath, ['--import', 'tsx', __filename, 'ours', JSON.stringify(plan)], {
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
  return JSON.parse(child.stdout.trim().split('\n').pop()!) as Side & { prompts: string[] };
}

function runPeer(python: string, plan: Plan): Side {
  return runPython<Side>(python, join(__dirname, 'grpoStep.py'), [JSON.stringify(plan)], {
    OMP_NUM_THREADS: String(plan.threads),
    MKL_NUM_THREADS: String(plan.threads),
  });
}

async function measure(name: string, rounds: number): Promise<void> {
  const { model, prompts: promptCount, promptTokens, lora, asItComes, goal, settings } = cases[name]!;
  const scratch = mkdtempSync(join(tmpdir(), 'coach-grpo-step-'));
  try {
    const plan: Plan = {
      folder: join(scratch, 'workspace'),
      model: writeEndlessModel(join(scratch, 'model'), model === null ? null : models[model]!),
      isNano: model === null,
      steps: STEPS,
      threads: THREADS,
      promptCount,
      prompts: [],
      groupSize: GROUP,
      completion: COMPLETION,
      lora,
      asItComes,
      ...(settings ? { settings } : {}),
      peerRows: Number(process.env['BENCH_PEER_ROWS'] ?? promptCount * GROUP),
    };
    mkdirSync(plan.folder);
    if (promptTokens === null) writeEmail(plan.folder, promptCount);
    else await writeShort(plan, promptTokens);
    writeFileSync(join(plan.folder, 'package.json'), '{}');
    writeFileSync(join(plan.folder, 'bench.rewards.ts'), REWARD);
    const python = settings ? null : openVenv();
    const ours: Side[] = [];
    const peer: Side[] = [];
    for (let i = 0; i < rounds; i++) {
      const { prompts, ...side } = runOurs(plan);
      plan.prompts = prompts;
      ours.push(side);
      if (python !== null) peer.push(runPeer(python, plan));
    }
    const of = (sides: Side[], read: (side: Side) => number[]): number | null =>
      sides.length ? round(median(sides.flatMap(read))) : null;
    const seconds = { ours: of(ours, (s) => s.seconds)!, peer: of(peer, (s) => s.seconds) };
    const cpuSeconds = { ours: of(ours, (s) => s.cpuSeconds)!, peer: of(peer, (s) => s.cpuSeconds) };
    const ratio = ({ ours: a, peer: b }: typeof seconds): number | null => (b === null ? null : round(a / b));
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
        prompts: promptCount,
        groupSize: GROUP,
        promptTokens: { ours: ours[0]!.promptTokens, peer: peer[0]?.promptTokens ?? null },
        completionTokens: { ours: ours[0]!.completionTokens, peer: peer[0]?.completionTokens ?? null },
        peerIs: asItComes ? 'bfloat16 autocast, gradient checkpointing' : 'float32',
        steps: ours.flatMap((s) => s.seconds).length,
        rounds,
        threads: THREADS,
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
    options: { rounds: { type: 'string', default: '3' }, only: { type: 'string', default: Object.keys(cases).join() } },
  });
  for (const name of values.only.split(',')) await measure(name, Number(values.rounds));
}

if (process.argv[2] === 'ours')
  void trainOurs(JSON.parse(process.argv[3]!) as Plan).then((side) => console.log(JSON.stringify(side)));
else void main(process.argv.slice(2));
