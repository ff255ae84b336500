/**
 * Before anything is loaded: what the run takes at most, beside what is free; what does not fit is refused, with
 * numbers and what to lower.
 */
import { batchShape } from '../../learning/batch';
import { modelConfig, modelSpeech, weightBytes } from '../../model/weights/describeModel';
import type { EngineName } from '../../model/engine/engine';
import { lanesFor } from '../../evaluation/evaluate';
import type { FreeMemory } from '../../base/freeMemory';
import type { ModelConfig } from '../../model/network/config';
import { cacheSize } from '../../model/decoding/decoderGraphs';
import { memoryPlan, type MemoryPlan } from '../../model/network/memoryPlan';
import { UserError } from '../../protocol/result';
import type { Note } from '../../protocol/note';
import { isSampled } from '../../protocol/runMethod';
import type { LimitedConfig } from '../../protocol/runConfig';
import { DEFAULTS } from '../../protocol/settings/defaults';
import { isHeld, learnsEntropy, longestBatch, promptLengths, type PromptLengths } from './longest';
import type { RecipeContext } from '../recipe';

/** Above this share of what is free the run warns: the plan is right within some 30 %, and others want memory, too. */
const CROWDED = 0.8;
/**
 * A model that is not the embedded one is tried first whatever is free, the embedded one above this share: a plan that
 * is wrong by half fits all the same.
 */
const TRIED = 0.5;
/** Validation episodes that are compared with the reference at once (train.ts). */
const COMPARED = 4;
/** All memory of a WebAssembly module. */
const WASM_BYTES = 4 * 2 ** 30;

/** What a plan is made from, beside the settings. */
export interface Planned {
  model: ModelConfig;
  tools: number;
  prompts: PromptLengths;
  engine: EngineName;
}

export interface MemoryCheck {
  plan: MemoryPlan;
  /** null: the tensors lie on a device whose memory nobody told us */
  room: FreeMemory | null;
  notes: Note[];
  /** the longest sample is to be tried before anything else */
  isTried: boolean;
  planned: Planned;
}

/** @throws UserError where the run would take more than is free */
export function checkMemory(
  context: Pick<
    RecipeContext,
    'config' | 'tools' | 'shown' | 'tasks' | 'modelFolder' | 'engine' | 'resumeFrom' | 'freeMemory'
  >,
): MemoryCheck {
  const { tools, shown, tasks, modelFolder: folder, engine, resumeFrom } = context;
  const model = modelConfig(folder);
  // more is refused where the model is loaded
  const config = { ...context.config, maxTokens: Math.min(context.config.maxTokens, model.maxPositions) };
  const { tokenizer, template } = modelSpeech(folder, config.toolTokens ? tools : []);
  const prompts = promptLengths(tokenizer, template, shown?.shortest ?? tools, tasks.train, shown?.longest);
  const planned: Planned = { model, tools: tools.length, prompts, engine: engine.name };
  const plan = planFor(config, planned);
  const room = roomFor(engine.name, plan, context.freeMemory());
  const share = room === null ? 0 : plan.total / room.bytes;
  const isOn = config.memoryCheck ?? DEFAULTS.memoryCheck;
  const words = planWords(plan, room, config.finetuning === 'full');
  const notes: MemoryCheck['notes'] = resumeFrom ? [] : [{ level: 'info', code: 'memoryPlan', message: words }];
  if (share > 1 && isOn)
    throw new UserError('device', `not enough memory. ${words}`, wayOut(config, planned, room!.bytes));
  if (share > CROWDED)
    notes.push({
      level: 'warning',
      code: 'memoryCrowded',
      message:
        `the run may take ${percent(share)} of the memory that is free. ` +
        `${wayOut(config, planned, CROWDED * room!.bytes)}`,
    });
  return {
    plan,
    room,
    notes,
    planned,
    isTried: isOn && resumeFrom === null && (config.model !== 'nano' || share > TRIED),
  };
}

/** What these settings take at most. */
export function planFor(config: LimitedConfig, { model, tools, prompts, engine }: Planned): MemoryPlan {
  const longest = longestBatch(config, prompts);
  const [sequence] = longest.groups[0]!;
  const trained = sequence!.trace.tokens.completionMask.filter((m) => m === 1).length;
  const cache = cacheSize(
    Math.max(isSampled(config) ? config.promptsPerStep * config.groupSize : 1, lanesFor(model, config)),
    Math.max(1, config.maxTokens - prompts.shared),
  );
  const plan = memoryPlan({
    model,
    tools,
    isPacked: config.quantize === 'q4',
    adapter:
      config.finetuning === 'full'
        ? 'whole'
        : {
            rank: config.loraRank,
            targets: config.loraTargets,
            isDropped: (config.loraDropout ?? DEFAULTS.loraDropout) > 0,
          },
    frozenAdapters: config.startFrom === undefined ? 0 : 1,
    maxTokens: config.maxTokens,
    lanes: cache.lanes,
    cached: cache.capacity,
    prompt: { whole: Math.min(prompts.shortest, config.maxTokens), shared: Math.min(prompts.shared, config.maxTokens) },
    batch: batchShape(longest.groups, model.vocabSize, longest.shared),
    compared: COMPARED * trained,
    isHeld: isHeld(config),
    isHeadTrained: config.finetuning === 'full' || config.toolTokens === true || learnsEntropy(config),
    isCheckpointed: config.gradientCheckpointing ?? DEFAULTS.gradientCheckpointing,
    isCompiled: engine === 'onnx',
  });
  const teacher = config.sftTeacher === undefined ? 0 : weightBytes(modelConfig(config.sftTeacher));
  return { ...plan, weights: plan.weights + teacher, total: plan.total + teacher };
}

/**
 * What is there for what is planned: what is free, and what the process has taken of it already, which is all overhead
 * so far (and maybe a judge's model, which is not planned).
 */
function roomFor(engine: EngineName, { overhead }: MemoryPlan, free: FreeMemory): FreeMemory | null {
  if (engine === 'tfjs-node-gpu') return null;
  const room = { bytes: free.bytes + Math.min(overhead, process.memoryUsage().rss), from: free.from };
  return engine === 'wasm' && room.bytes > WASM_BYTES ? { bytes: WASM_BYTES, from: "WebAssembly's own limit" } : room;
}

const percent = (share: number): string => `${Math.round(100 * share)} %`;
/** 1234567890 -> "1,235 MB" */
export const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6).toLocaleString('en')} MB`;

/** The plan in one line. */
export function planWords(plan: MemoryPlan, room: FreeMemory | null, isWhole = false): string {
  const { weights, reference, adapter, optimiser, kv, activations, logits, decoding, overhead, total } = plan;
  const whole =
    room === null
      ? `${megabytes(total)}, most of it on the GPU, whose free memory is not known`
      : `${megabytes(total)} of ${megabytes(room.bytes)} (${room.from})`;
  const fixed = {
    weights,
    ...(reference > 0 ? { [isWhole ? 'start' : 'start adapter']: reference } : {}),
    [isWhole ? 'trained weights' : 'adapter']: adapter,
    optimiser,
    'KV cache': kv,
    'engine and program': overhead,
  };
  const list = (parts: Record<string, number>): string =>
    Object.entries(parts)
      .map(([name, bytes]) => `${name} ${Math.round(bytes / 1e6)}`)
      .join(', ');
  return (
    `Memory: at most ${whole}: ${list(fixed)}, and in turn training ` +
    `(${list({ activations, logits })}) or decoding (${Math.round(decoding / 1e6)})`
  );
}

const roundUp = (n: number, to: number): number => Math.ceil(n / to) * to;

/**
 * Gradients computed with less memory, then settings halved, in the order of how little they change what is learnt,
 * until it fits.
 */
function wayOut(config: LimitedConfig, planned: Planned, bytes: number): string {
  const least = {
    tokensPerMicroBatch: 64,
    maxTokens: roundUp(planned.prompts.shortest + config.maxTurnTokens, 64),
    ...(config.method === 'grpo' ? { groupSize: 2 } : {}),
    ...(isSampled(config) ? { promptsPerStep: 1 } : {}),
  };
  const sets = new Map<string, number | boolean>();
  let lowered = config;
  if (!config.gradientCheckpointing && planFor(config, planned).total > bytes) {
    lowered = { ...config, gradientCheckpointing: true };
    sets.set('gradientCheckpointing', true);
  }
  for (const [name, lowest] of Object.entries(least) as [keyof typeof least, number][]) {
    for (let total = planFor(lowered, planned).total; total > bytes; ) {
      const next = { ...lowered, [name]: Math.max(lowest, Math.floor(lowered[name] / 2)) };
      const smaller = planFor(next, planned).total;
      if (smaller >= total) break;
      [lowered, total] = [next, smaller];
      sets.set(name, next[name]);
    }
  }
  const { total } = planFor(lowered, planned);
  const settings = [...sets].map(([name, value]) => `--set ${name}=${value}`).join(' ');
  const hint =
    total <= bytes
      ? `With ${settings} it takes at most ${megabytes(total)}.`
      : `Take a smaller model${settings ? `: even with ${settings} it takes up to ${megabytes(total)}` : ''}.`;
  return `${hint} With --set memoryCheck=false (in the editor: agentCoach.memoryCheck) it starts all the same.`;
}
