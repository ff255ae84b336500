/**
 * What both sides of grpoStep.ts are given: a model that never ends a turn, and tasks, examples or pairs of exact
 * lengths.
 */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { realDependencies } from '../../trainer/app/dependencies';
import { Random } from '../../trainer/base/random';
import { weightShapes, type ModelConfig, type Projection } from '../../trainer/model/network/config';
import { ChatTemplate } from '../../trainer/model/tokenizer/chatTemplate';
import { Tokenizer } from '../../trainer/model/tokenizer/tokenizer';
import { splitTasks } from '../../trainer/tasks/taskset';
import { writeSafetensors, type Tensor } from '../../trainer/model/weights/safetensors';
import type { Task, ToolSchema } from '../../trainer/protocol/task';
import type { Message } from '../../trainer/protocol/trace';

const ROOT = resolve(__dirname, '../..');

/** A prompt, and what is learnt behind it: an SFT example's answer, or a pair's chosen and rejected one. Token ids. */
export interface Example {
  prompt: number[];
  answers: number[][];
}

/** What both sides are given. */
export interface Plan {
  method: 'grpo' | 'sft' | 'dpo';
  folder: string;
  model: string;
  isNano: boolean;
  steps: number;
  threads: number;
  lora: { rank: number; alpha: number; targets: Projection[] };
  /** TRL with bfloat16 autocast and gradient checkpointing, its defaults */
  asItComes: boolean;
  /** of ours, beside the product's defaults */
  settings?: Record<string, unknown>;
  /** prompts of a step of GRPO, examples of SFT, pairs of DPO */
  promptCount: number;
  /** GRPO's, as text; known once ours ran */
  prompts: string[];
  /** SFT's and DPO's */
  examples: Example[];
  groupSize: number;
  /** sampled or trained tokens of a sequence */
  completion: number;
  /** of the longest sequence */
  maxTokens: number;
  peerRows: number;
}

/** What one side measured. */
export interface Side {
  seconds: number[];
  cpuSeconds: number[];
  /** ours: of the steps that were measured, and of the whole run, with the evaluations before it */
  graphs?: { steps: number; run: number; runSeconds: number };
  /** ours: GRPO's, as text */
  prompts?: string[];
  /** ours: tokens that a step trains on, what several begin with counted once */
  computedTokens?: number;
  /** of all sequences, each by itself */
  promptTokens: number;
  completionTokens: number;
  peakMiB: number;
  versions: Record<string, string>;
}

/** Scores by the sampled ids alone, so that both sides can have the same reward; hardly ever equal in a group. */
export const REWARD = `
/** @reward */
export function spread(_task: unknown, trace: { tokens: { ids: number[]; completionMask: number[] } }): number {
  return (trace.tokens.ids.reduce((sum, id, i) => sum + id * trace.tokens.completionMask[i], 0) % 97) / 97;
}
`;

/**
 * nano's tokenizer and template with its own weights, or random ones of another shape; what ends a turn is a token
 * that is never written, and the template isn't known for ours.
 */
export function writeEndlessModel(folder: string, shape: ModelConfig | null): string {
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
 * Normal numbers that random weights are taken from, one after another and over again: a prime, so that no rows are
 * alike.
 */
const NUMBERS = 1_000_003;

/**
 * As a fresh model has them: normal with a deviation of 0.02, norms 1; but one number that all embeddings have in
 * common, and the ending token (0) not, so that it is never sampled.
 */
function randomWeights(shape: ModelConfig): Map<string, Tensor> {
  const random = Random.fromSeed('bench');
  const numbers = Float32Array.from({ length: NUMBERS }, () => 0.02 * random.normal());
  let next = 0;
  const weights = new Map(
    [...weightShapes(shape)].map(([name, size]): [string, Tensor] => {
      const data = new Float32Array(size.reduce((a, b) => a * b, 1)).fill(1);
      if (!name.endsWith('norm.weight')) for (let i = 0; i < data.length; i++) data[i] = numbers[next++ % NUMBERS]!;
      return [name, { shape: [...size], data }];
    }),
  );
  const embedding = weights.get('model.embed_tokens.weight')!.data;
  for (let id = 0; id < shape.vocabSize; id++) embedding[id * shape.hiddenSize] = id === 0 ? -1 : 1;
  return weights;
}

/** How long the prompts are, in tokens. */
export interface Lengths {
  /** what all of them begin with: the tool's description is made as long; null: its length does not matter */
  shared: number | null;
  /** whole prompts, one after another; the list begins anew where there are more prompts */
  prompts: number[];
}

/**
 * One tool, and tasks of exactly these lengths: one held out, one to validate, the rest to train on in every step; SFT
 * learns their answers, DPO pairs of answers to them. @returns what is trained on of these, in the tasks' order
 */
export async function writeTasks(plan: Plan, { shared, prompts }: Lengths): Promise<Example[]> {
  const { folder, model, promptCount, completion, method } = plan;
  const [template, tokenizer] = [ChatTemplate.load(model), Tokenizer.load(model)];
  const promptOf = (content: string, tools: ToolSchema[]): number[] =>
    tokenizer.encode(template.render([{ role: 'user', content }], tools, true));
  const described = async (description: string): Promise<ToolSchema[]> => {
    writeFileSync(join(folder, 'tools.ts'), noteTool(description));
    return (await realDependencies.discover([join(folder, 'tools.ts')])).tools;
  };
  const words = (text: string): number => tokenizer.encode(text).length;
  let tools = await described(NOTE);
  if (shared !== null) {
    const alike = commonStart(promptOf('1', tools), promptOf('2', tools));
    tools = await described(lengthened(NOTE, words(NOTE) + shared - alike, words));
  }
  const around = promptOf('1', tools).length - words('1');
  const answer = (start: string): string => lengthened(start, completion - 1, words); // and the token that ends it
  const tasks = Array.from({ length: promptCount + 2 }, (_, i) => ({
    id: `n${i}`,
    prompt: lengthened(`${i + 1} day`, prompts[i % prompts.length]! - around, words),
    answer: answer(`Note ${i + 1}`),
  }));
  writeFileSync(join(folder, 'tools.tasks.jsonl'), jsonl(tasks));
  const trained = splitTasks(tasks, { heldOut: 1, validation: 1, tools }).train;
  const sides = trained.map((task) => (method === 'dpo' ? [task.answer!, answer(`No ${task.id}`)] : [task.answer!]));
  if (method === 'dpo') writeFileSync(join(folder, PAIRS), jsonl(trained.map((task, i) => pairLine(task, sides[i]!))));
  const examples = trained.map(({ prompt }, i): Example => {
    const encoded = sides[i]!.map((content) =>
      template.encodeDialogue(tokenizer, [{ role: 'user', content: prompt }, assistant(content)], tools),
    );
    const start = encoded[0]!.mask.indexOf(1);
    return { prompt: encoded[0]!.ids.slice(0, start), answers: encoded.map(({ ids }) => ids.slice(start)) };
  });
  check(examples, { shared, prompts }, plan);
  return method === 'grpo' ? [] : examples;
}

/** @throws where the texts are not of the lengths that were asked for */
function check(examples: readonly Example[], { shared, prompts }: Lengths, { completion }: Plan): void {
  const first = examples[0]!.prompt;
  const alike = Math.min(...examples.slice(1).map(({ prompt }) => commonStart(first, prompt)));
  if (
    examples.some(
      ({ prompt, answers }) => !prompts.includes(prompt.length) || answers.some((a) => a.length !== completion),
    ) ||
    (shared !== null && examples.length > 1 && alike !== shared)
  )
    throw new Error(
      `stepWorkspace: prompts of ${examples.map(({ prompt }) => prompt.length).join()} tokens that share ${alike}, ` +
        `answers of ${examples.flatMap(({ answers }) => answers.map((a) => a.length)).join()}`,
    );
}

const NOTE = 'Keep a note';
const noteTool = (description: string): string => `/** ${description}.
 *  @param text of it
 *  @tool */
export const note = (text: string): string => text;
`;

const jsonl = (lines: readonly object[]): string => lines.map((line) => JSON.stringify(line)).join('\n');
const assistant = (content: string): Message => ({ role: 'assistant', content });

/** The file of DPO's pairs, in the workspace. */
export const PAIRS = 'pairs.jsonl';

const pairLine = ({ id, prompt }: Task, [chosen, rejected]: string[]): object => ({
  id,
  prompt: [{ role: 'user', content: prompt }],
  chosen: [assistant(chosen!)],
  rejected: [assistant(rejected!)],
});

/** The text with words behind it, so that it has so many tokens. */
function lengthened(text: string, tokens: number, lengthOf: (text: string) => number): string {
  let longer = text;
  for (let length = lengthOf(longer); length < tokens; length++) {
    const one = [' and', ' a', ' to', ' the', '.'].find((word) => lengthOf(longer + word) === length + 1);
    if (one === undefined) throw new Error(`stepWorkspace: nothing makes "${longer}" one token longer`);
    longer += one;
  }
  if (lengthOf(longer) !== tokens) throw new Error(`stepWorkspace: "${text}" has more than ${tokens} tokens`);
  return longer;
}

function commonStart(a: readonly number[], b: readonly number[]): number {
  const differs = a.findIndex((id, i) => id !== b[i]);
  return differs < 0 ? a.length : differs;
}

/** The e-mail tools with ten tasks of ten contents. */
export function writeEmail(folder: string, promptCount: number): void {
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
  writeFileSync(join(folder, 'tools.tasks.jsonl'), jsonl(tasks));
}
