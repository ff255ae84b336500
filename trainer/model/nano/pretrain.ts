import * as tf from '@tensorflow/tfjs';
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSafetensors, writeSafetensors } from '../weights/safetensors';
import { openEngine, type Engine } from '../engine/engine';
import { causalLM, hiddenStates, logitsOf, type CausalLM } from '../network/causalLM';
import { readModelConfig } from '../network/config';
import { selectedLogprobs } from '../network/logprobs';
import type { Values } from '../network/trainable';
import { createAdamW } from '../../learning/optimizer/adamw';
import { clipGradients } from '../../learning/optimizer/clipGradients';
import { ChatTemplate } from '../tokenizer/chatTemplate';
import type { Tokenizer } from '../tokenizer/tokenizer';
import { choiceBias, PieceTokenizer, PretrainStream, type PretrainBatch } from './batches';
import { choiceReader, inputs, isRightCall, isRightTool, type Chosen } from './choices';
import { initialWeights } from './initialWeights';
import { intentsFolder } from './intents';
import { trainingSources, unseenPeople, unseenWords } from './sources';
import { loadLexicon } from './words';

/** The recipe of the nano model; its log is pretrain.jsonl beside it. */
const RECIPE = {
  tokensPerBatch: 2048,
  learningRate: 2e-3,
  warmRate: 2e-3,
  warmupSteps: 150,
  decayShare: 0.3,
  adamW: { weightDecay: 0.02, beta1: 0.9, beta2: 0.98, epsilon: 1e-8 },
  maxGradNorm: 1,
  saveEvery: 250,
  seed: 'nano-1',
};

/** One compiled pass: the loss, and its gradient to each of the weights, in their order. */
function makeGradients(engine: Engine, model: ReturnType<typeof causalLM>, weights: Map<string, tf.Variable>) {
  return engine.jit(
    (
      ids: tf.Tensor,
      positions: tf.Tensor,
      mask: tf.Tensor,
      places: tf.Tensor,
      targets: tf.Tensor,
      tokenWeights: tf.Tensor,
      bias: tf.Tensor,
    ) => {
      const { value, grads } = tf.variableGrads(() => {
        const h = tf.gather(hiddenStates(model, ids, { positions, mask }), places as tf.Tensor1D);
        const lp = selectedLogprobs(tf.add(logitsOf(model, h), bias) as tf.Tensor2D, targets as tf.Tensor1D);
        return tf.neg(tf.div(tf.sum(tf.mul(lp, tokenWeights)), tf.sum(tokenWeights))) as tf.Scalar;
      }, [...weights.values()]);
      return [value, ...[...weights.values()].map(({ name }) => grads[name]!)];
    },
  );
}

/** @param from tokens at which this stage began */
function rate(tokens: number, total: number, step: number, from: number): number {
  const warm = Math.min(1, (step + 1) / RECIPE.warmupSteps);
  const left = (total - tokens) / ((total - from) * RECIPE.decayShare);
  return (from > 0 ? RECIPE.warmRate : RECIPE.learningRate) * warm * Math.max(0.02, Math.min(1, left));
}

/**
 * Greedy success under the constrained sampler, teacher-forced, on dialogues of words that training never saw, and on
 * people's requests of functions that it never saw.
 */
function makeEvaluation(
  engine: Engine,
  model: CausalLM,
  tokenizer: Tokenizer,
  template: ChatTemplate,
  folder: string | null,
) {
  const take = (n: number, stream: PretrainStream): PretrainBatch[] =>
    Array.from({ length: n }, () => stream.batch(0.9));
  const batches = take(20, unseenWords(tokenizer, template));
  const people = folder === null ? [] : take(20, unseenPeople(tokenizer, template, folder));
  const read = choiceReader(engine, model, tokenizer.idOf('"'));
  const share = (list: readonly Chosen[], isRight: (c: Chosen) => boolean): number =>
    +(list.filter(isRight).length / list.length).toFixed(3);
  return async (): Promise<Record<string, number>> => {
    const made = await read(batches);
    const spans = made.map((c) => c.spanStarts);
    const asked = await read(people);
    const calls = asked.filter((c) => c.kind === 'person');
    const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);
    return {
      nats: +(sum(made.map((c) => c.nats)) / sum(made.map((c) => c.choices))).toFixed(4),
      spanStart: +(sum(spans.map(([right]) => right)) / sum(spans.map(([, n]) => n))).toFixed(3),
      ...Object.fromEntries(
        [...new Set(made.map((c) => c.kind))].map((kind) => [
          kind,
          share(
            made.filter((c) => c.kind === kind),
            (c) => isRightCall(c) && c.right.text !== false,
          ),
        ]),
      ),
      ...(calls.length === 0
        ? {}
        : {
            people: calls.length,
            peopleTool: share(calls, isRightTool),
            peopleCall: share(calls, isRightCall),
            peopleNone: share(
              asked.filter((c) => c.kind === 'personNone'),
              isRightTool,
            ),
            peopleNats: +(sum(calls.map((c) => c.nats)) / calls.length).toFixed(3),
          }),
    };
  };
}

/**
 * Pre-trains or resumes. @param out checkpoint folder, outside the repository @param intents folder of people's
 * requests; null: without them @param warm begin at the folder's model and the last line of its log, with fresh
 * moments, not at the laid-out start
 */
export async function pretrain(
  engine: Engine,
  folder: string,
  out: string,
  totalTokens: number,
  warm: boolean,
  intents: string | null,
  log: (line: string) => void,
): Promise<void> {
  mkdirSync(out, { recursive: true });
  const config = readModelConfig(folder);
  const tokenizer = PieceTokenizer.load(folder);
  const template = ChatTemplate.load(folder);
  const weights = new Map(
    [...initialWeights(config, RECIPE.seed)].map(
      ([name, t]) => [name, tf.variable(tf.tensor(t.data, t.shape), true, name)] as const,
    ),
  );
  const optimizer = createAdamW(engine, Object.fromEntries(weights), {
    ...RECIPE.adamW,
    isDecayed: (name) => weights.get(name)!.rank > 1,
  });
  const state = { step: 0, tokens: 0, next: 0, seconds: 0, from: 0 };
  const file = join(out, 'state.safetensors');
  if (existsSync(file)) {
    const saved = readSafetensors(file);
    for (const [name, variable] of weights)
      variable.assign(tf.tensor(saved.get(name)!.data as Float32Array, variable.shape));
    optimizer.load(saved as Values);
    Object.assign(state, JSON.parse(readFileSync(join(out, 'state.json'), 'utf8')));
  } else if (warm) {
    for (const [name, { data, shape }] of readSafetensors(join(folder, 'model.safetensors')))
      weights.get(name)!.assign(tf.tensor(data as Float32Array, shape));
    const last = JSON.parse(readFileSync(join(folder, 'pretrain.jsonl'), 'utf8').trimEnd().split('\n').at(-1)!) as {
      tokens: number;
      minutes: number;
    };
    Object.assign(state, { tokens: last.tokens, seconds: last.minutes * 60, next: last.tokens, from: last.tokens });
  }
  const model: CausalLM = { ...causalLM(config, weights, config.maxPositions), isWhollyTrained: true };
  const gradientsOf = makeGradients(engine, model, weights);
  const evaluate = makeEvaluation(engine, model, tokenizer, template, intents);
  const stream = new PretrainStream(
    tokenizer,
    template,
    loadLexicon('train'),
    RECIPE.seed,
    RECIPE.tokensPerBatch,
    state.next,
    intents === null ? [] : trainingSources(intents),
  );
  const save = async (): Promise<void> => {
    const trained = await Promise.all(
      [...weights].map(async ([n, t]) => [n, { shape: t.shape, data: (await t.data()) as Float32Array }] as const),
    );
    writeFileSync(`${file}.new`, writeSafetensors(new Map([...trained, ...optimizer.read()]), { dtype: 'F32' }));
    writeFileSync(join(out, 'state.json'), JSON.stringify({ ...state, next: stream.next }));
    renameSync(`${file}.new`, file);
    writeFileSync(
      join(out, 'model.safetensors'),
      writeSafetensors(new Map(trained), { dtype: 'F16', metadata: { format: 'pt' } }),
    );
  };
  const note = async (): Promise<void> => {
    const line = JSON.stringify({
      step: state.step,
      tokens: state.tokens,
      minutes: +(state.seconds / 60).toFixed(1),
      ...(await evaluate()),
    });
    appendFileSync(join(out, 'pretrain.jsonl'), `${line}\n`);
    log(line);
  };
  if (state.step === 0 && state.from > 0) await note(); // where a stage begins
  let recent: number[] = [];
  let started = Date.now();
  while (state.tokens < totalTokens) {
    const b = stream.batch(state.tokens / totalTokens);
    const t = state.step + 1;
    const args = [
      ...inputs(b),
      tf.tensor1d(b.targets, 'int32'),
      tf.tensor1d(b.weights),
      tf.tensor2d(choiceBias(b.allowed, config.vocabSize), [b.places.length, config.vocabSize]),
    ];
    const made = gradientsOf(...(args as Parameters<typeof gradientsOf>)) as tf.Tensor[];
    const [loss, ...numbers] = (await Promise.all(made.map((x) => x.data()))) as [Float32Array, ...Float32Array[]];
    tf.dispose([...args, ...made]);
    recent.push(loss[0]!);
    const gradients = Object.fromEntries([...weights.keys()].map((name, i) => [name, numbers[i]!]));
    optimizer.update(
      gradients,
      rate(state.tokens, totalTokens, state.step, state.from),
      t,
      clipGradients(gradients, RECIPE.maxGradNorm).scale,
    );
    state.step = t;
    state.tokens += b.tokens;
    if (t % 50 === 0) {
      const seconds = (Date.now() - started) / 1000;
      log(
        `step ${t} tokens ${(state.tokens / 1e6).toFixed(2)}M loss ` +
          `${(recent.reduce((a, x) => a + x) / recent.length).toFixed(4)} ` +
          `${((state.seconds + seconds) / 60).toFixed(1)} min`,
      );
      recent = [];
    }
    if (t % RECIPE.saveEvery === 0 || state.tokens >= totalTokens) {
      state.seconds += (Date.now() - started) / 1000;
      started = Date.now();
      await save();
      await note();
    }
  }
  tf.dispose([...weights.values(), model.rotary.cos, model.rotary.sin]);
}

if (require.main === module) {
  const [tokens = '20e6', out = join(__dirname, '../../../.coach/nano-pretraining'), warm] = process.argv.slice(2);
  void openEngine({ engine: 'onnx', threads: Number(process.env.COACH_THREADS ?? 2) }).then((engine) =>
    pretrain(engine, __dirname, out, Number(tokens), warm === 'warm', intentsFolder(), (line) => console.log(line)),
  );
}
