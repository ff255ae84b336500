import { join } from 'node:path';
import { hashConfig, loadCheckpoint, saveCheckpoint } from '../../model/weights/checkpoint';
import { exportAdapter } from '../../model/weights/exportAdapter';
import { exportWhole, WHOLE_MODEL } from '../../model/weights/exportWhole';
import { loadBaseModel, type BaseModel } from '../../model/weights/baseModel';
import type { Tensor } from '../../model/weights/safetensors';
import type { PromptTool } from '../../model/tokenizer/chatTemplate';
import type { CausalLM } from '../../model/network/causalLM';
import { DecoderGraphs } from '../../model/decoding/decoderGraphs';
import { trainedShape } from '../../model/network/loraShape';
import { createTrainable } from '../../model/network/trained';
import type { Trainable } from '../../model/network/trainable';
import { ADAMW_DEFAULTS, createAdamW, type AdamW } from '../../learning/optimizer/adamw';
import { TrainStep, type Loss } from '../../learning/trainStep';
import type { Task, ToolSchema } from '../../protocol/task';
import { Random } from '../../base/random';
import { checkRoom, localPolicy, runPolicy, type LocalPolicy } from '../../rollout/policy/local';
import { learnsEntropy } from './longest';
import type { RecipeContext } from '../recipe';
import { renamer, type OtherNames } from './renamer';
import { TaskMix, type KindState } from './taskMix';

/**
 * What every method trains with: the frozen base, what is trained of it, its optimiser, and the policy that samples.
 */
export interface Session {
  context: RecipeContext;
  base: BaseModel;
  trained: Trainable;
  optimizer: AdamW;
  policyModel: CausalLM;
  /** the base model, computed as the policy is */
  reference: CausalLM;
  policy: LocalPolicy;
  /** the policy on another file's tools */
  policyFor(tools: readonly ToolSchema[]): LocalPolicy;
  /** the tools that a training request is shown */
  shownFor(task: Task): readonly ToolSchema[];
  /** other names for the tools, for one sample or group of training; null: their own (renameTools) */
  otherNames(random: Random, tools: readonly ToolSchema[]): OtherNames | null;
  random: Random;
  mix: TaskMix;
  /** steps done */
  step: number;
  /** GRPO: so many of the first steps are SFT on gold calls; known once the run was rehearsed */
  warmSteps: number;
  /** best validation success so far, and the step that is taken: the last one as good within its noise */
  best: { success: number; step: number } | null;
  dispose(): void;
}

export function openSession(context: RecipeContext): Session {
  const { config, engine, modelFolder, resumeFrom } = context;
  const base = loadBaseModel(modelFolder, config.maxTokens, {
    quantize: config.quantize,
    tokensFor: config.toolTokens ? (keptTokens(context) ?? context.tools) : [],
  });
  checkRoom(base, context.shown?.longest ?? context.tools);
  const random = Random.fromSeed(config.seed);
  const trained = createTrainable(base.model, trainedShape(config), random.fork('adapter'));
  const optimizer = createAdamW(engine, trained.variables, {
    ...ADAMW_DEFAULTS,
    weightDecay: config.weightDecay,
    isDecayed: (name) => !/norm|bias/.test(name),
  });
  const reference: CausalLM = { ...base.model, ...(config.gradientCheckpointing ? { isCheckpointed: true } : {}) };
  const policyModel = trained.on(reference);
  const graphs = new DecoderGraphs(engine, policyModel);
  const policyFor = (tools: readonly ToolSchema[]): LocalPolicy =>
    localPolicy(base, graphs, tools, config.constraint, config.model);
  const session: Session = {
    context,
    base,
    trained,
    optimizer,
    policyModel,
    reference,
    random,
    mix: new TaskMix(context.tasks.train, config.taskMix, random),
    step: 0,
    warmSteps: config.warmSteps ?? 0,
    best: null,
    policyFor,
    shownFor: (task) => context.shown?.training.of(task) ?? context.tools,
    otherNames: renamer(context, base, policyFor),
    policy: runPolicy(base, graphs, context),
    dispose() {
      trained.dispose();
      base.dispose();
    },
  };
  if (resumeFrom) restore(session, resumeFrom.tensors, resumeFrom.state as unknown as SavedState);
  return session;
}

/** Gradient steps on what a session trains, as the run's settings have them. */
export function openTrainStep(
  { context: { config, engine }, policyModel, trained, optimizer, random, step }: Session,
  loss: Loss,
  {
    updatesPerStep = config.method === 'grpo' ? config.numIterations : 1,
    ...more
  }: { hasTeacher?: boolean; updatesPerStep?: number } = {},
): TrainStep {
  const updates = step * updatesPerStep;
  return new TrainStep(engine, policyModel, trained.variables, optimizer, loss, {
    maxGradNorm: config.maxGradNorm,
    ...more,
    learnsEntropy: learnsEntropy(config),
    dropout: config.loraDropout ? { rate: config.loraDropout, random, updates } : null,
  });
}

interface SavedState {
  step: number;
  best: Session['best'];
  mix?: Record<string, KindState>;
}

function restore(session: Session, tensors: ReadonlyMap<string, Tensor>, state: SavedState): void {
  session.trained.load(tensors);
  session.optimizer.load(tensors);
  session.step = state.step;
  session.best = state.best;
  session.mix.restore(state.mix ?? {});
  session.policy.version = `step ${state.step}`;
}

/** @returns the checkpoint's folder, relative to the run's */
export async function save(session: Session, isBest: boolean): Promise<string> {
  const { config, run } = session.context;
  const tensors = await session.trained.read();
  for (const [name, moments] of session.optimizer.read()) tensors.set(name, moments);
  run.sync();
  return saveCheckpoint(run.dir, {
    tensors,
    state: {
      ...(tokenTools(session.base) ? { toolTokens: tokenTools(session.base) } : {}),
      step: session.step,
      seed: config.seed,
      configHash: hashConfig(config),
      random: session.random.state(),
      best: session.best,
      mix: session.mix.state(),
    },
    isBest,
  });
}

/** Takes the checkpoint that validation liked best, and writes the adapter that PEFT loads, or the whole model. */
export function exportBest(session: Session, facts: string[]): { folder: string; step: number } {
  const { run, config } = session.context;
  const { checkpoint } = loadCheckpoint(run.dir, { which: 'best' });
  if (checkpoint) session.trained.load(checkpoint.tensors);
  const tensors = checkpoint?.tensors;
  if (!tensors) throw new Error('exportBest: no checkpoint was saved');
  session.policy.version = `step ${checkpoint.step}`;
  const shape = trainedShape(config);
  const common = { tensors, baseModel: session.base.folder, facts, toolTokens: tokenTools(session.base) };
  const folder = join(run.dir, shape === 'whole' ? WHOLE_MODEL : 'adapter');
  if (shape === 'whole') exportWhole({ ...common, out: folder });
  else exportAdapter({ ...common, out: folder, ...shape, includeBase: config.model === 'nano' });
  return { folder, step: checkpoint.step };
}

/** Of a resumed run, in the order that their tokens have. */
const keptTokens = ({ resumeFrom }: RecipeContext): PromptTool[] | undefined =>
  (resumeFrom?.state as { toolTokens?: PromptTool[] } | undefined)?.toolTokens;

/** The tools that have a token each, as an export and a checkpoint keep them. */
export const tokenTools = ({ toolTokens }: BaseModel): PromptTool[] | undefined =>
  toolTokens?.all.map(({ tool: { name, description, parameters } }) => ({ name, description, parameters }));
