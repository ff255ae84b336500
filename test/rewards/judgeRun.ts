/** A real training of a tiny random model on two small tools, for tests of what rewards do in a run. */
import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { JudgeVerdict } from '../../trainer/protocol/reward';
import type { TrainerEvent } from '../../trainer/protocol/messages';
import { realDependencies } from '../../trainer/app/dependencies';
import { readTrace } from '../../trainer/store/runs/readRun';
import { parseSettings } from '../../trainer/app/settings';
import { startRun } from '../../trainer/app/startRun';
import { writeCrates } from '../fixtures/crates';
import { makeTinyModel } from '../fixtures/tinyModel';

/** Pays for every token that the policy wrote. */
export const LENGTH_REWARD = `
/** @reward */
export function tokens(_task: unknown, trace: { tokens: { writer: string } }): number { return trace.tokens.writer.split('s').length / 10; }
`;

export function crateWorkspace(): string {
  const folder = mkdtempSync(join(tmpdir(), 'coach-judge-run-'));
  writeCrates(folder, { rewards: LENGTH_REWARD });
  mkdirSync(join(folder, 'runs'));
  makeTinyModel('judge', join(folder, 'model'));
  return folder;
}

/** Settings of a run of seconds. */
/** So hot that the attempts of a group differ whatever the model has learnt: equal ones are not put before a judge. */
export const small = (folder: string, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  toolFile: join(folder, 'crates.ts'),
  model: 'nano',
  temperature: 2.5,
  steps: 3,
  seed: 3,
  engine: 'onnx',
  threads: 1,
  rehearsal: false,
  promptsPerStep: 2,
  groupSize: 3,
  heldOutTasks: 4,
  evalTasks: 4,
  evalEvery: 100,
  checkpointEvery: 100,
  constraint: 'schema+spans',
  maxTokens: 512,
  maxTurnTokens: 96,
  maxTurns: 2,
  learningRate: 1e-3,
  warmupSteps: 0,
  loraRank: 2,
  loraAlpha: 4,
  loraTargets: ['q_proj', 'v_proj'],
  ...more,
});

export async function trainHere(
  folder: string,
  settings: Record<string, unknown>,
  environment: Record<string, string>,
  onEvent: (event: TrainerEvent) => void = () => undefined,
): Promise<{ dir: string; events: TrainerEvent[] }> {
  const events: TrainerEvent[] = [];
  const ended = await startRun({
    config: parseSettings(settings),
    cwd: folder,
    workspace: folder,
    signal: new AbortController().signal,
    onStop: () => undefined,
    now: Date.now,
    dependencies: realDependencies,
    environment,
    onEvent: (event) => {
      events.push(event);
      onEvent(event);
    },
  });
  return { dir: ended!.dir, events };
}

export const notesOf = (events: readonly TrainerEvent[]): string[] =>
  events.flatMap((event) => (event.type === 'noted' ? [`${event.level}: ${event.message}`] : []));

export const metricsOf = (events: readonly TrainerEvent[]): Record<string, number | null>[] =>
  events.flatMap((event) => (event.type === 'stepFinished' ? [event.metrics] : []));

/** The traces of the steps, in order. */
export const trainTraces = (dir: string, events: readonly TrainerEvent[]) =>
  events.flatMap((event) =>
    event.type === 'traceRecorded' && event.trace.phase === 'train' ? [readTrace(dir, event.trace)] : [],
  );

export const verdictsOf = (dir: string): JudgeVerdict[] =>
  readFileSync(join(dir, 'judge.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JudgeVerdict.parse(JSON.parse(line)));
