/**
 * The exported weights in the programs that they are for: transformers, PEFT, llama.cpp; each with our own model's
 * logits beside it.
 */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { loadBaseModel } from '../../trainer/model/weights/baseModel';
import { exportAdapter } from '../../trainer/model/weights/exportAdapter';
import { exportGgufLora } from '../../trainer/model/weights/exportGgufLora';
import { exportMerged } from '../../trainer/model/weights/exportMerged';
import { writeSafetensors, type Tensor } from '../../trainer/model/weights/safetensors';
import { openEngine } from '../../trainer/model/engine/engine';
import { createAdapter } from '../../trainer/model/network/adapter';
import type { CausalLM } from '../../trainer/model/network/causalLM';
import { readModelConfig, weightShapes } from '../../trainer/model/network/config';
import type { RunConfig } from '../../trainer/protocol/runConfig';
import { Random } from '../../trainer/base/random';
import { runPython } from '../bench/venv';
import { logitsOfAll } from '../model/network/logits';
import type { Check } from './run';

const NANO = resolve(__dirname, '../../trainer/model/nano');
const TARGETS: RunConfig['loraTargets'] = ['q_proj', 'k_proj', 'v_proj', 'o_proj', 'gate_proj', 'up_proj', 'down_proj'];
const RANK = 4;
const ALPHA = 12; // not the rank, so that a forgotten scaling shows
const NEW_TOKENS = 8;
const TOLERANCE = 1e-3;

/** The nano model itself, and small random ones of each family with its tokenizer: what differs is the architecture. */
const cases = [
  { name: 'nano', config: null },
  { name: 'llama', config: { model_type: 'llama', architectures: ['LlamaForCausalLM'] } },
  { name: 'qwen2', config: { model_type: 'qwen2', architectures: ['Qwen2ForCausalLM'], tie_word_embeddings: false } },
  { name: 'qwen3', config: { model_type: 'qwen3', architectures: ['Qwen3ForCausalLM'] }, rslora: true },
] as const;

const shapeOf = (which: (typeof cases)[number]) => ({
  rank: RANK,
  alpha: ALPHA,
  targets: TARGETS,
  rslora: 'rslora' in which,
});

const random = (seed: string, shape: number[], scale: number): Tensor => {
  const stream = Random.fromSeed(seed);
  return {
    shape,
    data: Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, () => stream.normal() * scale),
  };
};

function makeBase(folder: string, { name, config }: (typeof cases)[number]): string {
  if (config === null) return NANO;
  mkdirSync(folder, { recursive: true });
  for (const file of ['tokenizer.json', 'tokenizer_config.json', 'chat_template.jinja'])
    copyFileSync(join(NANO, file), join(folder, file));
  const sizes = {
    hidden_size: 64,
    head_dim: 16,
    num_attention_heads: 4,
    num_key_value_heads: 2,
    num_hidden_layers: 2,
    intermediate_size: 96,
  };
  writeFileSync(
    join(folder, 'config.json'),
    JSON.stringify({ ...(JSON.parse(readFileSync(join(NANO, 'config.json'), 'utf8')) as object), ...sizes, ...config }),
  );
  const shapes = weightShapes(readModelConfig(folder));
  const tensors = new Map(
    [...shapes].map(
      ([weight, shape]) =>
        [
          weight,
          weight.endsWith('norm.weight')
            ? { shape, data: new Float32Array(shape[0]!).fill(1) }
            : random(`${name} ${weight}`, shape, 0.2),
        ] as const,
    ),
  );
  writeFileSync(join(folder, 'model.safetensors'), writeSafetensors(tensors, { metadata: { format: 'pt' } }));
  return folder;
}

interface Exported {
  name: string;
  base: string;
  tensors: Map<string, Tensor>;
  adapter: string;
  merged: string;
  half: string;
  lora: string;
}

/** A random adapter on every projection, in each form that we export. */
function exportAll(folder: string, which: (typeof cases)[number]): Exported {
  const base = makeBase(join(folder, `${which.name}-model`), which);
  const shape = shapeOf(which);
  const zero = createAdapter(readModelConfig(base), shape, Random.fromSeed(0));
  const tensors = new Map(
    Object.entries(zero.variables).map(
      ([name, variable]) => [name, random(`${which.name} ${name}`, variable.shape, 0.05)] as const,
    ),
  );
  zero.dispose();
  const common = { tensors, ...shape, baseModel: base };
  const at = (form: string) => join(folder, `${which.name}-${form}`);
  exportAdapter({ ...common, out: at('peft') });
  // nano's own type is F16: its sums would be rounded to it
  exportMerged({ ...common, out: at('merged'), dtype: 'F32' });
  exportMerged({ ...common, out: at('half'), dtype: 'F16' });
  exportGgufLora({ ...common, out: at('lora'), name: which.name });
  return {
    name: which.name,
    base,
    tensors,
    adapter: at('peft'),
    merged: at('merged'),
    half: at('half'),
    lora: at('lora'),
  };
}

interface Answer {
  ids: number[];
  logprobs: (number | null)[][];
}

export async function checkWeights(folder: string, python: string, llama: string, check: Check): Promise<void> {
  const exported = cases.map((each) => exportAll(folder, each));
  const prompts = [[4, 300, 12, 900, 77, 1500, 5], Array.from({ length: 40 }, (_, i) => 8 + ((i * 397) % 2000))];
  writeFileSync(
    join(folder, 'request.json'),
    JSON.stringify({
      cases: exported.map(({ tensors: _, ...rest }) => rest),
      prompts,
      newTokens: NEW_TOKENS,
      vocab: 2048,
    }),
  );
  console.log(
    JSON.stringify({
      ...runPython<object>(python, join(__dirname, 'weights.py'), [folder]),
      ...runPython<object>(llama, join(__dirname, 'llama.py'), [folder]),
    }),
  );
  for (const [i, { name, tensors }] of exported.entries())
    exportMerged({
      tensors,
      ...shapeOf(cases[i]!),
      baseModel: join(folder, `${name}.gguf`),
      out: join(folder, `${name}-gguf`),
      dtype: 'F32',
    });
  runPython(llama, join(__dirname, 'llama.py'), [folder, 'gguf']);
  const read = <T>(file: string): Record<string, T> =>
    JSON.parse(readFileSync(join(folder, file), 'utf8')) as Record<string, T>;
  const answers = read<{ base: Answer[]; lora: Answer[] }>('llama.json');
  const merged = read<{ gguf: Answer[] }>('llama-gguf.json');
  const engine = await openEngine({ engine: 'onnx', threads: 1 });
  for (const [i, each] of exported.entries()) {
    const base = loadBaseModel(each.base, 256);
    const adapter = createAdapter(base.model.config, shapeOf(cases[i]!), Random.fromSeed(0));
    adapter.load(each.tensors);
    const policy: CausalLM = { ...base.model, adapter: { pairs: adapter.pairs, scaling: adapter.scaling } };
    const ours = {
      base: await logitsOfAll(engine, base.model, prompts),
      policy: await logitsOfAll(engine, policy, prompts),
    };
    const moved = worst(ours.base, ours.policy);
    check(`${each.name}: the adapter moves the logits (by ${moved.toFixed(2)})`, moved > 0.1);
    const scale = Math.max(...ours.policy.map((logits) => logits.reduce((a, b) => Math.max(a, Math.abs(b)), 0)));
    for (const [form, expected, tolerance] of [
      ['base', ours.base, TOLERANCE],
      ['adapter', ours.policy, TOLERANCE],
      ['merged', ours.policy, TOLERANCE],
      ['half', ours.policy, scale * 2 ** -8],
    ] as const) {
      const difference = worst(
        prompts.map((_, i) => readFloats(join(folder, `${each.name}-${form}-${i}.bin`))),
        expected,
      );
      check(
        `${each.name}: ${form} in transformers is ${difference.toExponential(1)} from our logits (limit ${tolerance.toExponential(1)}, largest logit ${scale.toFixed(1)})`,
        difference <= tolerance,
      );
    }
    for (const [form, model, told] of [
      ['base', base.model, answers[each.name]!.base],
      ['lora', policy, answers[each.name]!.lora],
      ['merged GGUF', policy, merged[each.name]!.gguf],
    ] as const) {
      const full = await logitsOfAll(
        engine,
        model,
        prompts.map((prompt, i) => [...prompt, ...told[i]!.ids.slice(0, -1)]),
      );
      const { difference, isGreedy } = compareSteps(full, prompts, told);
      check(
        `${each.name}: ${form} in llama.cpp, ${told.map((t) => t.ids.length).join(' and ')} greedy tokens, log-probabilities ${difference.toExponential(1)} from ours`,
        difference <= TOLERANCE && isGreedy,
      );
    }
    const [plain, shifted] = [answers[each.name]!.base, answers[each.name]!.lora].map((list) =>
      list.map((a) => a.ids.join()).join(' | '),
    );
    check(`${each.name}: llama.cpp says something else with the adapter`, plain !== shifted);
    adapter.dispose();
    base.dispose();
  }
  engine.dispose();
}

/**
 * llama.cpp's log-probabilities at each new token against ours, and whether it took our likeliest (or one within the
 * tolerance of it).
 */
function compareSteps(
  logits: readonly Float32Array[],
  prompts: readonly number[][],
  told: readonly Answer[],
): { difference: number; isGreedy: boolean } {
  let difference = 0;
  let isGreedy = true;
  told.forEach(({ ids, logprobs }, p) =>
    ids.forEach((id, i) => {
      const at = prompts[p]!.length - 1 + i;
      const row = logits[p]!.subarray(at * 2048, (at + 1) * 2048);
      const top = row.reduce((a, b) => Math.max(a, b), -Infinity);
      const norm = top + Math.log(row.reduce((sum, x) => sum + Math.exp(x - top), 0));
      logprobs[i]!.forEach((theirs, token) => {
        if (theirs !== null) difference = Math.max(difference, Math.abs(theirs - (row[token]! - norm)));
      });
      if (logprobs[i]!.filter((x) => x !== null).length < 2000) difference = Infinity;
      if (row[id]! < top - 2 * TOLERANCE) isGreedy = false;
    }),
  );
  return { difference, isGreedy };
}

function worst(a: readonly Float32Array[], b: readonly Float32Array[]): number {
  let out = 0;
  a.forEach((list, i) => {
    if (list.length !== b[i]!.length) out = Infinity;
    list.forEach((x, j) => {
      const d = Math.abs(x - b[i]![j]!);
      if (!(d <= out)) out = Number.isNaN(d) ? Infinity : d;
    });
  });
  return out;
}

function readFloats(path: string): Float32Array {
  const bytes = readFileSync(path);
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
}
