/**
 * The stages of ToolGen (arXiv:2410.03439) that come before a run's own steps, where its tools are tokens:
 * memorisation,
 * a tool's definition -> its token, and retrieval, a request -> the token of the tool that it needs first. The third,
 * learning from dialogues, is the run itself. As there, a token is learnt against the whole vocabulary.
 */
import type { TrainedTrace } from '../../learning/batch';
import { learnTokens, likelyTokens } from '../../learning/learnTokens';
import { ADAMW_DEFAULTS, createAdamW } from '../../learning/optimizer/adamw';
import { learningRateAt } from '../../learning/optimizer/schedule';
import { Scorer } from '../../learning/trainStep';
import { signature } from '../../model/tokenizer/toolPrompt';
import type { TrainerEventBody } from '../../protocol/messages';
import type { Note } from '../../protocol/note';
import { DEFAULTS } from '../../protocol/settings/defaults';
import type { Task } from '../../protocol/task';
import { goldLoss } from './goldLoss';
import { stepParts } from './microBatches';
import { openTrainStep, type Session } from './session';

/** What is to bring a tool's token. */
interface Example {
  text: string;
  tool: string;
}

/**
 * Learns the tokens of a new run; a resumed one, or one that goes on from another, has them.
 * @returns whether the run goes on: it was not stopped
 */
export async function* learnToolTokens(s: Session): AsyncGenerator<TrainerEventBody, boolean> {
  const { config, tasks, signal } = s.context;
  if (!s.base.toolTokens || s.step > 0 || config.startFrom !== undefined) return true;
  const definitions = s.base.toolTokens.all.map(({ tool }) => ({ text: signature(tool), tool: tool.name }));
  const stages = [
    {
      ...{ name: 'memorisation', what: 'definitions', learnt: definitions, measured: definitions },
      epochs: config.toolTokenMemory ?? DEFAULTS.toolTokenMemory,
    },
    {
      ...{ name: 'retrieval', what: 'validation requests' },
      learnt: firstTools(tasks.train),
      measured: firstTools(tasks.validation.slice(0, config.evalTasks)),
      epochs: config.toolTokenRequests ?? DEFAULTS.toolTokenRequests,
    },
  ];
  for (const { name, what, learnt, measured, epochs } of stages) {
    if (epochs === 0 || learnt.length === 0) continue;
    const done = await learn(s, name, learnt, measured, epochs);
    if (signal.aborted) return false;
    const message =
      `Tool tokens, ${name}: ${done.known} of ${measured.length} ${what} bring their tool's token with more than half ` +
      `of the probability (before: ${done.before}), after ${done.epochs} epochs of ${learnt.length} examples`;
    const note: Note = { level: 'info', code: 'toolTokens', message };
    if (s.context.run.firstTime(note)) yield { type: 'noted', ...note };
  }
  return true;
}

const firstTools = (tasks: readonly Task[]): Example[] =>
  tasks.flatMap(({ prompt, calls = [] }) => (calls[0] ? [{ text: prompt, tool: calls[0].name }] : []));

/**
 * A stage, with moments of its own.
 * @param measured where they are those that are learnt, it ends once all are known
 */
async function learn(
  s: Session,
  name: string,
  learnt: readonly Example[],
  measured: readonly Example[],
  epochs: number,
): Promise<{ known: number; before: number; epochs: number }> {
  const { config, engine, signal } = s.context;
  const { vocabSize } = s.base.model.config;
  const optimizer = createAdamW(engine, s.trained.variables, { ...ADAMW_DEFAULTS, weightDecay: config.weightDecay });
  const trainer = openTrainStep({ ...s, optimizer }, goldLoss());
  const scorer = new Scorer(engine, s.policyModel);
  const [sequences, held] = [learnt, measured].map((list) => list.map((one) => sequenceOf(s, one)));
  const isAllTrained = learnt === measured;
  const size = config.batchSize ?? DEFAULTS.batchSize;
  const peak = config.warmLearningRate ?? DEFAULTS.warmLearningRate(config);
  const perEpoch = Math.ceil(learnt.length / size);
  const before = await likelyTokens(scorer, partsOf(s, held!), vocabSize);
  let [known, update, epoch] = [before, 0, 0];
  while (epoch < epochs && !(isAllTrained && known === measured.length)) {
    const order = s.random.fork(`tool tokens ${name} ${epoch}`).shuffle(sequences!);
    for (let from = 0; from < order.length; from += size) {
      if (signal.aborted) return { known, before, epochs: epoch };
      const schedule = isAllTrained ? 'constant' : config.schedule;
      const warmupSteps = Math.min(config.warmupSteps, perEpoch);
      const plan = { schedule, learningRate: peak, warmupSteps, totalSteps: perEpoch * epochs + 1 };
      update++;
      await learnTokens(
        trainer,
        partsOf(s, order.slice(from, from + size)),
        vocabSize,
        learningRateAt(update, plan),
        update,
      );
    }
    epoch++;
    known = await likelyTokens(scorer, partsOf(s, held!), vocabSize);
  }
  return { known, before, epochs: epoch };
}

/** A user's turn, cut where it is longer than an episode may be, and the token that begins the answer to it. */
function sequenceOf({ base, context: { config } }: Session, { text, tool }: Example): TrainedTrace {
  const { tokenizer, template } = base;
  const { all } = base.toolTokens!;
  const tools = all.map((token) => token.tool);
  const idsOf = (content: string): number[] =>
    tokenizer.encode(template.render([{ role: 'user', content }], tools, true));
  let [said, prompt] = [text, idsOf(text)];
  while (prompt.length >= config.maxTokens && said !== '') {
    said = said.slice(0, Math.floor(said.length / 2));
    prompt = idsOf(said);
  }
  const ids = [...prompt, all.find((token) => token.tool.name === tool)!.id];
  return {
    trace: {
      tokens: {
        ids,
        logprobs: ids.map(() => null),
        completionMask: ids.map((_, t) => (t === prompt.length ? 1 : 0)),
      },
    },
    allowed: new Map(),
  };
}

const partsOf = (s: Session, sequences: readonly TrainedTrace[]): ReturnType<typeof stepParts<TrainedTrace>> =>
  stepParts(
    sequences.map((sequence) => [sequence]),
    s.context.config,
    false,
  );
