/**
 * A recorded run, made by a seeded generator so that it is the same on every machine: 60 GRPO steps on three mail
 * tools, 8 groups of 8
 * rollouts a step, validation every 10 steps, 240 held-out tasks before and after. Full traces are made from their
 * summaries on demand.
 * Some of it is hostile: HTML and direction overrides in texts, failing calls, unreadable turns, cut rollouts, rewards
 * that fail.
 */
import type {
  RunInfo,
  RunManifest,
  RunResult,
  Success,
  TrainerEvent,
  TrainerEventBody,
} from '../../trainer/protocol/messages';
import { RunConfig } from '../../trainer/protocol/runConfig';
import { settle } from '../../trainer/app/settings';
import type { TraceSummary } from '../../trainer/protocol/trace';
import { random, type Random } from './random';

export const START = Date.UTC(2026, 10, 21, 10, 42);
export const PROMPTS = [
  'Which is the newest mail from Ana about invoices?',
  'How many unread mails came from the bank this week?',
  'Send Tom the address of the venue that Lena mailed me.',
  'What does <img src=x onerror="document.title=\'owned\'"> mean in the newest mail?',
  'When is invoice 2207 due?',
  'Say hello.',
  'Find the mail with the subject "Q3 numbers" and tell me who wrote it, when it came, and whether anybody answered it before the meeting on Thursday, because I have to prepare the agenda and do not want to forget it',
  'Forward the newest mail of support to Kim.',
];
const TAGS = ['one call', 'two calls', 'no tool', 'new phrasing'];

export interface Recording {
  manifest: RunManifest;
  events: TrainerEvent[];
  info: RunInfo;
}

export interface RecordingOptions {
  steps?: number;
  /** success before and after */
  from?: number;
  to?: number;
  /** held-out tasks */
  heldOut?: number;
  seed?: number;
  id?: string;
}

export function recordedRun(options: RecordingOptions = {}): Recording {
  const { steps = 60, from = 0.41, to = 0.725, heldOut = 240, seed = 7, id = '2026-11-21T10-42-email' } = options;
  const rng = random(seed);
  const manifest = manifestOf(id, steps, seed, heldOut);
  const events: TrainerEvent[] = [];
  let t = START;
  const push = (ms: number, body: TrainerEventBody): void => {
    t += ms;
    events.push({ seq: events.length, t, ...body } as TrainerEvent);
  };
  push(0, { type: 'runStarted', manifest });
  push(20, {
    type: 'noted',
    level: 'info',
    code: 'tasksOfUse',
    message: 'Tasks: 800 generated from 3 tools; 214 phrasing families, a quarter of them only in held-out.',
  });
  push(5, {
    type: 'noted',
    level: 'warning',
    code: 'nobodyToAsk',
    message: 'sendEmail changes the world (its name says "send"): it is mocked in this run.',
  });

  const evaluate = (which: 'before' | 'after', success: number): void => {
    push(10, { type: 'phaseStarted', phase: which, total: heldOut + 120 });
    const outcomes: boolean[] = [];
    for (let i = 0; i < heldOut; i++) {
      // The same task has the same luck before and after, so that the pairs agree as real ones do.
      const solved = random(1000 + i).next() * 0.8 + rng.next() * 0.2 < success;
      outcomes.push(solved);
      push(6, {
        type: 'traceRecorded',
        trace: summary(
          {
            id: `${which}-${i}`,
            taskId: `held-${i}`,
            groupId: `${which}-${i}`,
            phase: which,
            step: which === 'before' ? 0 : steps,
            prompt: PROMPTS[i % PROMPTS.length]!,
            solved,
            reward: solved ? 1 : 0.2,
            advantage: null,
          },
          rng,
        ),
      });
      if (i % 40 === 39) push(1, { type: 'progressed', done: i + 1, total: heldOut + 120 });
    }
    push(300, {
      type: 'evaluated',
      which,
      name: 'held-out',
      result: {
        ...proportion(outcomes),
        byTag: byTag(outcomes),
        passAtK: { k: 8, success: Math.min(1, success + 0.18), n: heldOut },
      },
    });
    push(200, { type: 'evaluated', which, name: 'no-tool tasks', result: success_(which === 'before' ? 58 : 57, 60) });
    push(200, {
      type: 'evaluated',
      which,
      name: "another file's tasks (orders.ts)",
      result: success_(which === 'before' ? 31 : 29, 60),
    });
  };

  evaluate('before', from);
  push(10, { type: 'phaseStarted', phase: 'training', total: steps });
  push(900, { type: 'validated', step: 0, result: success_(Math.round(64 * from), 64) });
  for (let step = 1; step <= steps; step++) trainingStep(step, steps, from, to, rng, push);
  evaluate('after', to);
  const find = (which: 'before' | 'after', name: string): Success =>
    events.flatMap((e) => (e.type === 'evaluated' && e.which === which && e.name === name ? [e.result] : []))[0]!;
  const before = find('before', 'held-out');
  const after = find('after', 'held-out');
  const gain = after.success! - before.success!;
  const half = 1.96 * Math.sqrt(0.26 / heldOut);
  const result: RunResult = {
    run: id,
    engine: 'onnx',
    steps,
    seconds: (t - START) / 1000,
    before,
    after,
    gain: { mean: gain, ci95: [gain - half, gain + half], changed: { gained: 52, lost: 7, p: 9e-10 } },
    verdict: gain - half > 0 ? 'a real gain' : 'could be chance',
    forgotten: ['no-tool tasks', "another file's tasks (orders.ts)"].map((name) => ({
      name,
      before: find('before', name),
      after: find('after', name),
    })),
    adapter: `/work/mail/.coach/runs/${id}/adapter`,
  };
  push(100, { type: 'phaseStarted', phase: 'export', total: 1 });
  push(100, { type: 'runFinished', result });
  return { manifest, events, info: infoOf(manifest, 'finished', steps, result) };
}

/** The recording up to its first event that `isLast` accepts, that one included. */
export function until(recording: Recording, isLast: (event: TrainerEvent) => boolean): TrainerEvent[] {
  const end = recording.events.findIndex(isLast);
  return recording.events.slice(0, end < 0 ? undefined : end + 1);
}

type Push = (ms: number, body: TrainerEventBody) => void;
function trainingStep(step: number, steps: number, from: number, to: number, rng: Random, push: Push): void {
  const skill = from + ((to - from) * (1 - Math.exp((-3.2 * step) / steps))) / (1 - Math.exp(-3.2));
  const rewards: number[] = [];
  let dead = 0;
  for (let g = 0; g < 8; g++) {
    const ease = Math.min(0.98, Math.max(0.02, skill + (rng.next() - 0.5) * 0.9));
    const group = Array.from({ length: 8 }, () => rng.next() < ease);
    const scores = group.map((solved) =>
      solved ? 0.85 + (rng.next() < 0.7 ? 0.15 : 0) : rng.next() < 0.5 ? 0.25 : 0.1,
    );
    if (group.every(Boolean) && rng.next() < 0.7) scores.fill(1);
    const mean = scores.reduce((a, b) => a + b, 0) / 8;
    const std = Math.sqrt(scores.reduce((a, b) => a + (b - mean) ** 2, 0) / 7);
    if (std === 0) dead++;
    group.forEach((solved, i) => {
      const isLost = step === 12 && g === 0 && i === 7;
      push(1, {
        type: 'traceRecorded',
        trace: summary(
          {
            id: `s${step}-g${g}-${i}`,
            taskId: `task-${(step * 8 + g) % 500}`,
            groupId: `s${step}-g${g}`,
            phase: 'train',
            step,
            prompt: PROMPTS[(step + g) % PROMPTS.length]!,
            solved: isLost ? null : solved,
            reward: isLost ? null : scores[i]!,
            advantage: isLost ? 0 : (scores[i]! - mean) / (std + 1e-4),
          },
          rng,
        ),
      });
      rewards.push(scores[i]!);
    });
  }
  const mean = rewards.reduce((a, b) => a + b, 0) / rewards.length;
  const noise = (): number => (rng.next() - 0.5) * 0.06;
  push(900 + Math.round(rng.next() * 200), {
    type: 'stepFinished',
    step,
    metrics: {
      loss: 0.02 * Math.exp(-step / 30) + noise() * 0.2,
      grad_norm: 0.3 + 0.8 * Math.exp(-step / 20) + Math.abs(noise()) * 3,
      learning_rate: 2e-3 * (1 - step / (steps + 1)),
      reward: mean,
      reward_std: 0.31 + noise(),
      frac_reward_zero_std: dead / 8,
      'rewards/correctness/mean': mean * 0.96,
      'rewards/correctness/std': 0.36,
      'rewards/efficiency/mean': 0.6 + 0.25 * skill + noise(),
      'rewards/efficiency/std': 0.18,
      'rewards/format/mean': step < 12 ? 0.9 + 0.1 * rng.next() : 1,
      'rewards/format/std': step < 12 ? 0.08 : 0,
      'completions/mean_length': 46 - 16 * skill + 30 * noise(),
      'completions/clipped_ratio': 1 / 64,
      'tools/call_frequency': 1.9 - 0.5 * skill + noise() * 2,
      'tools/failure_frequency': 0.12 * Math.exp(-step / 25) + 0.02,
      kl: step % 5 === 0 ? 0.0008 * step + 0.002 * rng.next() : null,
      entropy: 0.9 - 0.5 * skill + noise(),
      'clip_ratio/region_mean': 0.01 * rng.next(),
      step_time: 1.02 + noise(),
      num_tokens: 12_000 * step,
      'sampling/sampling_logp_difference/max': 2.4e-7,
    },
  });
  if (step % 10 === 0) {
    push(700, { type: 'validated', step, result: success_(Math.round(64 * Math.min(1, skill + noise())), 64) });
    push(40, { type: 'checkpointSaved', step, path: `checkpoints/${step}` });
  }
}

const PATHS = {
  solved: [
    'searchEmails → answer',
    'searchEmails → readEmail → answer',
    'searchEmails → readEmail → sendEmail → answer',
  ],
  unsolved: [
    'answer',
    'searchEmails → searchEmails✗ → searchEmails → (turn limit)',
    'readEmail → answer',
    'searchEmails → ? → …',
  ],
};

function summary(
  given: Pick<
    TraceSummary,
    'id' | 'taskId' | 'groupId' | 'phase' | 'step' | 'prompt' | 'solved' | 'reward' | 'advantage'
  >,
  rng: Random,
): TraceSummary {
  const paths = given.solved ? PATHS.solved : PATHS.unsolved;
  const path = paths[Math.floor(rng.next() * paths.length)]!;
  return {
    ...given,
    path,
    truncated: path.endsWith('(turn limit)') ? 'turnLimit' : 'no',
    file: 'traces/0.jsonl',
    offset: 0,
    length: 1,
  };
}

function manifestOf(id: string, steps: number, seed: number, heldOut: number): RunManifest {
  return {
    format: 1,
    id,
    createdAt: START,
    config: settle(
      RunConfig.parse({
        toolFile: '/work/mail/examples/email/tools.ts',
        steps,
        seed,
        heldOutTasks: heldOut,
        rewards: 'correctness*0.7,efficiency*0.2,format*0.1',
      }),
      true,
    ),
    toolNames: ['searchEmails', 'readEmail', 'sendEmail'],
    taskCounts: { train: 496, validation: 64, heldOut },
    taskSource: 'generated from 3 tools',
    engine: {
      name: 'onnx',
      why: 'tfjs on onnxruntime-node: kernels recorded and compiled, the fastest that loads here',
      threads: 2,
      rejected: [{ name: 'tfjs-node-gpu', reason: 'not installed' }],
    },
    node: 'v20.20.2',
    versions: { '@tensorflow/tfjs': '4.22.0', 'onnxruntime-node': '1.30.0' },
    hashes: { toolFile: 'sha256:4f0c…', tasks: 'sha256:aa17…', model: 'sha256:09be…' },
  };
}

export function infoOf(
  manifest: RunManifest,
  status: RunInfo['status'],
  step: number,
  result: RunResult | null,
): RunInfo {
  const { config } = manifest;
  return {
    id: manifest.id,
    dir: `/work/mail/.coach/runs/${manifest.id}`,
    createdAt: manifest.createdAt,
    status,
    toolFile: config.toolFile,
    method: config.method,
    model: config.model,
    step,
    steps: config.steps,
    reward: 0.71,
    result,
    socket: null,
    problem: null,
  };
}

function proportion(outcomes: boolean[]): Success {
  return success_(outcomes.filter(Boolean).length, outcomes.length);
}

/** Wilson, as the trainer does it. */
function success_(k: number, n: number): Success {
  if (n === 0) return { n, success: null, ci95: null };
  const p = k / n;
  const z = 1.959964;
  const centre = (p + (z * z) / (2 * n)) / (1 + (z * z) / n);
  const half = (z / (1 + (z * z) / n)) * Math.sqrt((p * (1 - p)) / n + (z * z) / (4 * n * n));
  return { n, success: p, ci95: [Math.max(0, centre - half), Math.min(1, centre + half)] };
}

function byTag(outcomes: boolean[]): NonNullable<Success['byTag']> {
  return Object.fromEntries(
    TAGS.map((tag, i) => {
      const of = outcomes.filter((_, n) => n % TAGS.length === i);
      return [tag, { n: of.length, success: of.filter(Boolean).length / Math.max(1, of.length) }];
    }),
  );
}
