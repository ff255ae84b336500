/**
 * The engine beside PyTorch (PEFT, transformers), and of 4-bit decode beside llama.cpp, on the same processor: the
 * table of the engine's goals. Each row is a ratio, our time / the
 * peer's: medians of 7 rounds in which both sides alternate, each in a process of its own that keeps its models, with
 * the same number of threads.
 * Weights are random and float32 on both sides; the peer also under bf16 autocast where the row says so. One line of
 * JSON for each row, the table last.
 *
 * The same: shapes, batches, ids, LoRA r 8 on q and v without dropout, next-token loss, AdamW; greedy decoding of 64
 * tokens behind a prompt of 64.
 * What differs: ours reads LoRA gradients out to the host at each step, the peer leaves them in its tensors; ours
 * computes one sequence of SmolLM2's
 * shape in float32 as two (trainer/model/decoding/leastRows.ts); `tokens a second` of decode includes the prompt's pass
 * on both
 * sides.
 * Before the rounds each side works for a second, unmeasured (V8 compiles what runs often): a run's steps are
 * thousands.
 * Each side's memory settings are those it comes with: ours has glibc keep freed memory, in huge pages, where the model
 * is not nano's size, as the product starts its trainers
 * (protocol/allocator.ts), PyTorch doesn't. With MALLOC_MMAP_MAX_=0 MALLOC_TRIM_THRESHOLD_=17179869184
 * GLIBC_TUNABLES=glibc.malloc.hugetlb=1 in the environment both do.
 *
 * Run: npm run bench:engine, or node --import tsx test/bench/engine.ts [--rounds 7] [--only TEXT] [--no-peer]. The
 * first run installs Python packages (some GB).
 */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { trainingEnvironment } from '../../trainer/protocol/allocator';
import type { Answer, Request } from './engineWork';
import { median, processor, round } from './measured';
import { openVenv, smollm2File } from './venv';

const ROOT = resolve(__dirname, '../..');
const THREADS = 2;
const TOLERANCE = 1.03;
/** Before each side's turn: the other one's threads may still spin. */
const QUIET_MS = 500;
const WARM_UP_MS = 1000;

const SMOLLM2 = smollm2File();
const LLAMA_REQUIREMENTS = ['xllamacpp==2026.10.11549'];

/**
 * The peer is PyTorch; of a file's model it is llama.cpp, and of isByHand a graph on our own ONNX Runtime
 * (handGraph.ts): their ratio stands in the place of float32's.
 */
interface Row extends Omit<Request, 'reps'> {
  name: string;
  reps: number;
  isByHand?: true;
  goals: { float32: number; bf16?: number };
}
const rows: Row[] = [
  {
    name: 'tiny LoRA forward + backward 8x128',
    work: 'lora',
    model: 'tiny',
    batch: 8,
    tokens: 128,
    reps: 10,
    goals: { float32: 0.45, bf16: 0.6 },
  },
  {
    name: 'tiny full forward + backward + Adam 8x128',
    work: 'full',
    model: 'tiny',
    batch: 8,
    tokens: 128,
    reps: 10,
    goals: { float32: 0.6, bf16: 0.95 },
  },
  {
    name: 'SmolLM2-135M shape LoRA forward + backward 4x128',
    work: 'lora',
    model: 'smol',
    batch: 4,
    tokens: 128,
    reps: 2,
    goals: { float32: 0.45, bf16: 0.85 },
  },
  {
    name: 'tiny LoRA forward + backward 8x128, beside a graph written by hand',
    work: 'lora',
    isByHand: true,
    model: 'tiny',
    batch: 8,
    tokens: 128,
    reps: 10,
    goals: { float32: 1.1 },
  },
  {
    name: 'SmolLM2-135M shape LoRA forward + backward 4x128, beside a graph written by hand',
    work: 'lora',
    isByHand: true,
    model: 'smol',
    batch: 4,
    tokens: 128,
    reps: 2,
    goals: { float32: 1.1 },
  },
  {
    name: 'tiny decode, batch 1',
    work: 'decode',
    model: 'tiny',
    batch: 1,
    tokens: 64,
    reps: 20,
    goals: { float32: 0.25 },
  },
  {
    name: 'tiny decode, batch 8',
    work: 'decode',
    model: 'tiny',
    batch: 8,
    tokens: 64,
    reps: 20,
    goals: { float32: 0.25 },
  },
  {
    name: 'SmolLM2-135M shape decode, batch 1',
    work: 'decode',
    model: 'smol',
    batch: 1,
    tokens: 64,
    reps: 1,
    goals: { float32: 0.35 },
  },
  {
    name: 'SmolLM2-135M shape decode, batch 8',
    work: 'decode',
    model: 'smol',
    batch: 8,
    tokens: 64,
    reps: 1,
    goals: { float32: 0.28 },
  },
  {
    name: 'SmolLM2 4-bit decode, batch 1, beside llama.cpp',
    work: 'decode4',
    file: SMOLLM2,
    model: 'smol',
    batch: 1,
    tokens: 64,
    reps: 1,
    goals: { float32: 1.1 },
  },
  {
    name: 'SmolLM2 4-bit decode, batch 8, beside llama.cpp',
    work: 'decode4',
    file: SMOLLM2,
    model: 'smol',
    batch: 8,
    tokens: 64,
    reps: 1,
    goals: { float32: 0.75 },
  },
  {
    name: 'SmolLM2 from GGUF to its first token, in 4 bits, beside llama.cpp',
    work: 'load4',
    file: SMOLLM2,
    model: 'smol',
    batch: 1,
    tokens: 1,
    reps: 1,
    goals: { float32: 2 },
  },
  {
    name: 'SmolLM2 from GGUF to its first token, in float32, beside llama.cpp',
    work: 'load',
    file: SMOLLM2,
    model: 'smol',
    batch: 1,
    tokens: 1,
    reps: 1,
    goals: { float32: 2 },
  },
];

/**
 * The table's last lines: `| work | ours ms | float32 | bf16 |`, a ratio with its goal, and what was not measured with
 * its reason.
 */
function tableOf(
  measured: {
    work: string;
    oursMs: number;
    judged: Record<string, { ratio: number | null; goal: number; isReached: boolean | null }>;
  }[],
  notes: string[],
): string {
  const cell = (found?: { ratio: number | null; goal: number; isReached: boolean | null }): string =>
    found === undefined
      ? ''
      : found.ratio === null
        ? `no peer (goal ${found.goal})`
        : `${found.ratio} (goal ${found.goal}${found.isReached ? '' : ', missed'})`;
  const lines = measured.map(
    ({ work, oursMs, judged }) => `| ${work} | ${oursMs} | ${cell(judged['float32'])} | ${cell(judged['bf16'])} |`,
  );
  return [
    `${new Date().toISOString().slice(0, 10)}, ${processor()}, ${THREADS} threads, time relative to PyTorch`,
    '| work | ours, ms | float32 | bf16 autocast |',
    '|---|---|---|---|',
    ...lines,
    ...notes,
  ].join('\n');
}

async function warmUp(side: Side, request: Omit<Request, 'reps'>): Promise<void> {
  const { ms } = await side.ask({ ...request, reps: 1 });
  await side.ask({ ...request, reps: Math.ceil(WARM_UP_MS / ms) });
}

/** A process that answers one line for each line. */
class Side {
  private readonly answers: AsyncIterator<string>;
  private readonly child: ChildProcessWithoutNullStreams;
  constructor(command: string, args: string[], environment: NodeJS.ProcessEnv = process.env) {
    this.child = spawn(command, args, {
      cwd: ROOT,
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...environment, HF_HUB_OFFLINE: '1', TRANSFORMERS_VERBOSITY: 'error', CUDA_VISIBLE_DEVICES: '' },
    }) as unknown as ChildProcessWithoutNullStreams;
    this.answers = createInterface({ input: this.child.stdout })[Symbol.asyncIterator]();
  }
  async ask(request: object): Promise<Answer> {
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
    this.child.stdin.write(`${JSON.stringify(request)}\n`);
    for (;;) {
      const { value, done } = await this.answers.next();
      if (done) throw new Error('bench: a side ended before it answered');
      if (value.startsWith('{')) return JSON.parse(value) as Answer;
    }
  }
  close(): void {
    this.child.stdin.end();
  }
}
function openNode(file: string, { model, work }: Pick<Row, 'model' | 'work'>): Side {
  const environment = trainingEnvironment(
    { model: model === 'tiny' ? 'nano' : model, quantize: work.endsWith('4') ? 'q4' : 'none' },
    process.env,
    process.platform,
  );
  return new Side(process.execPath, ['--import', 'tsx', join(__dirname, file), String(THREADS)], environment);
}

/** Null: there is no Python here. */
function openPeer(row: Row): Side | null {
  const { isByHand, file } = row;
  if (isByHand) return openNode('handWork.ts', row);
  const [venv, script] =
    file === undefined
      ? ([openVenv(), 'enginePeer.py'] as const)
      : ([openVenv(undefined, LLAMA_REQUIREMENTS), 'enginePeerLlama.py'] as const);
  return venv === null ? null : new Side(venv, [join(__dirname, script), String(THREADS)]);
}

async function main(args: string[]): Promise<void> {
  const option = (name: string): string | undefined => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
  const rounds = Number(option('--rounds') ?? 7);
  const only = option('--only') ?? '';
  const isAlone = args.includes('--no-peer');
  const chosen = rows.filter((r) => r.name.includes(only));
  const print = (fields: object): void => console.log(JSON.stringify({ bench: 'engine', ...fields }));

  const measured: Parameters<typeof tableOf>[0] = [];
  const notes: string[] = [];
  for (const row of chosen) {
    const { name, goals, reps, isByHand: _, ...request } = row;
    if (request.file !== undefined && !existsSync(request.file)) {
      notes.push(`not measured: ${name} (there is no ${request.file}; npm test -- smollm2 fetches it)`);
      continue;
    }
    // a model of its own in processes of its own: SmolLM2's shape takes 0.5 GB on each side
    const ours = openNode('engineWork.ts', row);
    const peer = isAlone ? null : openPeer(row);
    const times: Record<'ours' | 'float32' | 'bf16', number[]> = { ours: [], float32: [], bf16: [] };
    if (!request.work.startsWith('load'))
      for (const side of [ours, ...(peer ? [peer] : [])]) await warmUp(side, request);
    let last: Answer | null = null;
    for (let i = 0; i < rounds; i++) {
      last = await ours.ask({ ...request, reps });
      times.ours.push(last.ms);
      if (!peer) continue;
      times.float32.push((await peer.ask({ ...request, reps })).ms);
      if (goals.bf16 !== undefined) times.bf16.push((await peer.ask({ ...request, reps, isBf16: true })).ms);
    }
    ours.close();
    peer?.close();
    const ratio = (peerTimes: number[]): number | null =>
      peerTimes.length === 0 ? null : round(median(times.ours) / median(peerTimes));
    const perSecond = request.work.startsWith('decode')
      ? { tokensPerSecond: round((request.batch * request.tokens * 1000) / median(times.ours), 1) }
      : {};
    const judged = Object.entries(goals).map(([precision, goal]) => {
      const found = ratio(times[precision as 'float32' | 'bf16']);
      return [
        precision,
        {
          peerMs: found === null ? null : round(median(times[precision as 'float32']), 2),
          ratio: found,
          goal,
          isReached: found === null ? null : found <= goal * TOLERANCE,
        },
      ] as const;
    });
    measured.push({ work: name, oursMs: round(median(times.ours), 2), judged: Object.fromEntries(judged) });
    print({
      work: name,
      oursMs: round(median(times.ours), 2),
      ...perSecond,
      ...Object.fromEntries(judged),
      rounds: times.ours.map((t) => round(t, 2)),
      threads: THREADS,
      loss: last!.loss === null ? null : round(last!.loss),
      compileMs: round(last!.compileMs, 0),
      compilesLater: last!.compilesLater,
      processor: processor(),
    });
  }
  if ('SmolLM2-135M shape LoRA 1x256, memory'.includes(only)) {
    const ours = openNode('engineWork.ts', { model: 'smol', work: 'lora' });
    const { peakMiB, ms, compileMs } = await ours.ask({
      work: 'lora',
      model: 'smol',
      batch: 1,
      tokens: 256,
      reps: 3,
    } satisfies Request);
    ours.close();
    print({
      work: 'SmolLM2-135M shape LoRA 1x256, memory',
      peakMiB: round(peakMiB, 0),
      goalMiB: 1430,
      isReached: peakMiB < 1430,
      oursMs: round(ms, 0),
      compileMs: round(compileMs, 0),
      goalCompileMs: 1000,
    });
    notes.push(
      `SmolLM2-135M shape LoRA 1x256: peak ${round(peakMiB, 0)} MiB (goal 1430), ${round(ms, 0)} ms, compiled in ${round(compileMs, 0)} ms (goal 1000)`,
    );
  }
  console.log(tableOf(measured, notes));
}
void main(process.argv.slice(2));
