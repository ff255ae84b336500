/**
 * Dependencies for tests of what lies around them: one tool, a scripted host, an engine of the name only, and a recipe
 * that
 * draws its "weights" from its
 * random stream, so that an unbroken run and a resumed one must end with the same bytes.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { exportAdapter } from '../../../trainer/model/weights/exportAdapter';
import { hashConfig, saveCheckpoint } from '../../../trainer/model/weights/checkpoint';
import type { Tensor } from '../../../trainer/model/weights/safetensors';
import type { Engine } from '../../../trainer/model/engine/engine';
import { Random } from '../../../trainer/base/random';
import type { Recipe } from '../../../trainer/recipes/recipe';
import type { Dependencies } from '../../../trainer/app/dependencies';
import { withLimits } from '../../../trainer/app/settings';
import type { ToolHosts } from '../../../trainer/tools/hosts/callTool';
import { sampleResult, sampleTool, sampleTrace } from './sample';

export interface Script {
  stepMs?: number;
  /** of a step, computed without a pause: nothing is heard */
  blockMs?: number;
  /** the recipe throws this before the step */
  fail?: { step: number; error: Error };
  /** the hosts are asked about a call at each step */
  asks?: boolean;
  tools?: Dependencies['discover'];
}

const targets = ['q_proj' as const];
const A = 'layers.0.self_attn.q_proj.lora_A';
const B = 'layers.0.self_attn.q_proj.lora_B';

export function fakeDependencies(script: Script = {}): Dependencies {
  return {
    modelFolder: () => __dirname,
    discover:
      script.tools ??
      (async (paths) => ({
        tools: [{ ...sampleTool, source: { file: paths[0]!, line: 3 } }],
        rewards: [],
        diagnostics: [],
        files: [...paths],
      })),
    openHosts: async ({ ask, tools }) => {
      const hosts: Pick<ToolHosts, 'open' | 'close' | 'rewards' | 'loadProblems' | 'modules'> = {
        loadProblems: [],
        modules: tools.map(({ source }) => source.file),
        rewards: [],
        open: () => ({
          call: async (name, args) => {
            const answer = script.asks ? await ask(name, args) : 'yes';
            return {
              kind: 'ok',
              content: JSON.stringify([`mail of ${answer}`]),
              policy: 'real',
              startedAt: 0,
              durationMs: 0,
            };
          },
          close: () => undefined,
        }),
        close: async () => undefined,
      };
      return hosts as ToolHosts;
    },
    planBudget: async ({ config, tools }) => {
      const { maxTokens, maxTurnTokens, toolOutputBytes } = withLimits(config);
      return {
        limits: { maxTokens, maxTurnTokens, toolOutputBytes },
        budget: {
          context: 1024,
          prompt: 100,
          turn: maxTurnTokens,
          result: 32,
          longestResult: 12,
          calls: 2,
          task: 200,
          maxTokens,
          set: [],
          shortened: {},
        },
        tools: [...tools],
        updateSize: () => null,
        notes: [],
      };
    },
    openEngine: async () =>
      ({ name: 'cpu', why: 'scripted', threads: 1, rejected: [], dispose: () => undefined }) as unknown as Engine,
    installEngine: async (name) => `/data/${name}`,
    installEncoder: async () => '/data/encoder',
    shownTools: async () => null,
    inertia: async () => null,
    findTools: async (_request, tools, most) => ({
      found: tools.slice(0, most).map(({ name }) => ({ name, score: 1 })),
      by: 'words',
    }),
    listEngines: async () => [
      { name: 'onnx', available: true, reason: 'ONNX Runtime' },
      { name: 'wasm', available: false, reason: 'not built' },
    ],
    recipe: async () => fakeRecipe(script),
    pipeline: () => Promise.reject(new Error('fakeDependencies: no pipeline')),
    localTeacher: () => Promise.reject(new Error('fakeDependencies: no teacher')),
    evaluate:
      async () =>
      async ({ tasks, trained, onProgress, onTraces }) => {
        onTraces?.(tasks.map(({ id }, i) => sampleTrace(id, { taskId: id, solved: trained !== null || i % 2 === 0 })));
        onProgress(tasks.length, tasks.length);
        return {
          n: tasks.length,
          success: trained ? 1 : 0.5,
          ci95: [0.2, 1],
          byTag: { oneCall: { n: tasks.length, success: 1 } },
        };
      },
    evaluateConversations:
      async () =>
      async ({ tasks, onTraces }) => {
        onTraces?.(tasks.map(({ id }) => sampleTrace(id, { taskId: id, solved: true })));
        const result = { n: tasks.length, success: 1, ci95: [0.5, 1] as [number, number] };
        return { result, changes: [[{ added: 4, removed: 1, held: 3 }]] };
      },
    evaluateToolE:
      async () =>
      async ({ choices, onProgress }) => {
        onProgress(choices.length, choices.length);
        return { n: choices.length, success: 0, ci95: [0, 0.8], byTag: {}, reasons: { noTool: 1 }, noRoom: 0 };
      },
    evaluateBfcl:
      async () =>
      async ({ entries, onProgress }) => {
        onProgress(entries.length, entries.length);
        return {
          n: entries.length,
          success: 0,
          ci95: [0, 0.8],
          byTag: {},
          reasons: { [entries[0].prompt]: entries.length },
          noRoom: 1,
        };
      },
  };
}

const fakeRecipe = (script: Script): Recipe =>
  async function* ({ config, run, hosts, signal, resumeFrom }) {
    const random = resumeFrom ? Random.restore(resumeFrom.state.random) : Random.fromSeed(config.seed);
    const weights: Map<string, Tensor> =
      resumeFrom?.tensors ??
      new Map([
        [A, { shape: [config.loraRank, 4], data: new Float32Array(config.loraRank * 4) }],
        [B, { shape: [4, config.loraRank], data: new Float32Array(config.loraRank * 4) }],
      ]);
    let step = resumeFrom?.step ?? 0;
    const save = (isBest: boolean) =>
      ({
        type: 'checkpointSaved',
        step,
        path: saveCheckpoint(run.dir, {
          tensors: weights,
          isBest,
          state: { step, seed: config.seed, configHash: hashConfig(config), random: random.state() },
        }),
      }) as const;
    if (!resumeFrom) {
      yield { type: 'phaseStarted', phase: 'before', total: 2 };
      yield { type: 'evaluated', which: 'before', name: 'held-out', result: sampleResult('').before };
    }
    yield { type: 'phaseStarted', phase: 'training', total: config.steps };
    while (step < config.steps) {
      if (signal.aborted) {
        yield save(false);
        return null;
      }
      if (script.fail?.step === step + 1) throw script.fail.error;
      step++;
      for (const end = Date.now() + (script.blockMs ?? 0); Date.now() < end; );
      await hosts.open(`s${step}`).call('search', { query: 'x' });
      for (let i = 0; i < 4; i++) {
        const isGood = i === 1;
        const trace = sampleTrace(`t-${step}-${i}`, {
          step,
          groupId: `g-${step}`,
          indexInGroup: i,
          reward: isGood ? 1 : 0,
          solved: isGood,
          ...(isGood
            ? {}
            : {
                messages: [
                  ...sampleTrace('').messages.slice(0, 2),
                  { role: 'assistant', content: `No idea ${random.int(9)}.` },
                ],
              }),
        });
        yield { type: 'traceRecorded', trace: run.recordTrace(trace) };
      }
      for (const { data } of weights.values()) for (let i = 0; i < data.length; i++) data[i]! += random.normal();
      yield { type: 'stepFinished', step, metrics: { reward: step / config.steps, kl: null } };
      if (step % config.checkpointEvery === 0) yield save(step === 10);
      await sleep(script.stepMs ?? 0);
    }
    mkdirSync(`${run.dir}/base`, { recursive: true });
    writeFileSync(`${run.dir}/base/chat_template.jinja`, '{{ messages }}');
    const adapter = exportAdapter({
      out: `${run.dir}/adapter`,
      tensors: weights,
      rank: config.loraRank,
      alpha: config.loraAlpha,
      targets,
      baseModel: `${run.dir}/base`,
    });
    return { ...sampleResult(run.id), steps: step, adapter };
  };
