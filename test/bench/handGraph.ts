/**
 * A LoRA training step of a Llama written by hand as one ONNX graph, forward and backward, after the spike of the
 * design (onnx-spike/hand_train.js): what a graph can
 * reach that no program recorded, on the same ONNX Runtime. Frozen weights are built in, so that they are packed once;
 * LoRA r 8, alpha 16 on q and v; the loss is
 * the mean of -log p of the targets; every gradient of the adapter is an output.
 */
import type { Attributes } from '../../trainer/model/engine/onnx/value';
import { encodeModel, type Graph } from '../../trainer/model/engine/onnx/protobuf';
import type { ModelConfig } from '../../trainer/model/network/config';
import { rotaryTables } from '../../trainer/model/network/layers';

const RANK = 8;
const SCALING = 2; // alpha 16 / r 8

/** A value of the graph, by its name. */
type V = string;

class Writer {
  readonly graph: Graph = { nodes: [], initializers: [], inputs: [], outputs: [] };
  private readonly made = new Map<string, V>();

  constant(name: string, dims: readonly number[], data: Float32Array | BigInt64Array): V {
    if (!this.made.has(name))
      this.graph.initializers.push({ name, dims, dtype: data instanceof Float32Array ? 'float32' : 'int64', data });
    this.made.set(name, name);
    return name;
  }
  scalar = (x: number): V => this.constant(`scalar ${x}`, [], Float32Array.of(x));
  vector = (x: readonly number[]): V => this.constant(`vector ${x.join()}`, [x.length], BigInt64Array.from(x, BigInt));
  input(name: string, dims: readonly number[], dtype: 'float32' | 'int32' = 'float32'): V {
    this.graph.inputs.push({ name, dims, dtype });
    return name;
  }
  output = (name: V, dims: readonly number[]): void => void this.graph.outputs.push({ name, dims, dtype: 'float32' });

  op(op: string, inputs: V[], attributes: Attributes | null = null): V {
    return this.several(op, inputs, 1, attributes)[0]!;
  }
  several(op: string, inputs: V[], count: number, attributes: Attributes | null = null): readonly V[] {
    const id = this.graph.nodes.length;
    const outputs = Array.from({ length: count }, (_, i) => `${id}.${i}`);
    this.graph.nodes.push({
      name: `${id}`,
      op,
      domain: op === 'FusedMatMul' ? 'com.microsoft' : '',
      inputs,
      outputs,
      attributes,
    });
    return outputs;
  }
  add = (a: V, b: V): V => this.op('Add', [a, b]);
  sub = (a: V, b: V): V => this.op('Sub', [a, b]);
  mul = (a: V, b: V): V => this.op('Mul', [a, b]);
  times = (a: V, x: number): V => this.mul(a, this.scalar(x));
  matMul = (a: V, b: V): V => this.op('MatMul', [a, b]);
  /** a times b transposed */
  matMulT = (a: V, b: V): V => this.op('FusedMatMul', [a, b], { transB: 1 });
  /** a transposed times b */
  tMatMul = (a: V, b: V): V => this.op('FusedMatMul', [a, b], { transA: 1 });
  reshape = (a: V, shape: readonly number[]): V => this.op('Reshape', [a, this.vector(shape)]);
  transpose = (a: V, perm: number[]): V => this.op('Transpose', [a], { perm });
  meanOfLast = (a: V): V => this.op('ReduceMean', [a], { axes: [-1], keepdims: 1 });
  sumOfLast = (a: V): V => this.op('ReduceSum', [a, this.vector([-1])], { keepdims: 1 });
}

/**
 * Inputs: ids and targets [batch * tokens], and each `q.A.0` as the product names its adapter; outputs: loss, and each
 * gradient by its adapter's name.
 */
export interface HandGraph {
  model: Uint8Array<ArrayBuffer>;
  loss: V;
  gradients: Map<string, V>;
}

/** @param weights by their Hugging Face names, [out, in] each */
export function handGraph(
  c: ModelConfig,
  batch: number,
  tokens: number,
  weights: ReadonlyMap<string, { data: Float32Array; shape: readonly number[] }>,
): HandGraph {
  const w = new Writer();
  const { heads, kvHeads, headDim, hiddenSize: d } = c;
  const [rows, group] = [batch * tokens, heads / kvHeads];
  const weight = (name: string): V => w.constant(name, weights.get(name)!.shape, weights.get(name)!.data);
  const ids = w.input('ids', [rows], 'int32');
  const targets = w.input('targets', [rows, 1], 'int32');
  const tables = rotaryTables(c, tokens);
  const [cos, sin] = (['cos', 'sin'] as const).map((name) => w.constant(name, [tokens, headDim], tables[name])) as [
    V,
    V,
  ];
  const future = new Float32Array(tokens * tokens).map((_, i) => (i % tokens > Math.floor(i / tokens) ? -1e9 : 0));
  const mask = w.constant('mask', [tokens, tokens], future);
  const gradients = new Map<string, V>();

  const norm = (x: V, name: string) => {
    const inverse = w.op('Reciprocal', [w.op('Sqrt', [w.add(w.meanOfLast(w.mul(x, x)), w.scalar(c.rmsNormEps))])]);
    return { x, inverse, gain: weight(name), y: w.mul(w.mul(x, inverse), weight(name)) };
  };
  const normBack = ({ x, inverse, gain }: ReturnType<typeof norm>, dy: V): V => {
    const dg = w.mul(dy, gain);
    return w.sub(
      w.mul(dg, inverse),
      w.mul(x, w.mul(w.meanOfLast(w.mul(dg, x)), w.mul(inverse, w.mul(inverse, inverse)))),
    );
  };
  const linear = (x: V, name: string): V => w.matMulT(x, weight(name));
  const linearBack = (dy: V, name: string): V => w.matMul(dy, weight(name));
  const lora = (x: V, layer: number, name: 'q_proj' | 'v_proj', out: number) => {
    const short = `layers.${layer}.self_attn.${name}`;
    const [a, b] = [w.input(`${short}.lora_A`, [RANK, d]), w.input(`${short}.lora_B`, [out, RANK])];
    const xa = w.matMulT(x, a);
    return {
      x,
      a,
      b,
      xa,
      short,
      out,
      y: w.add(linear(x, `model.${short}.weight`), w.times(w.matMulT(xa, b), SCALING)),
    };
  };
  const loraBack = ({ x, a, b, xa, short, out }: ReturnType<typeof lora>, dy: V): V => {
    const scaled = w.times(dy, SCALING);
    const dxa = w.matMul(scaled, b);
    for (const [name, gradient, dims] of [
      ['lora_A', w.tMatMul(dxa, x), [RANK, d]],
      ['lora_B', w.tMatMul(scaled, xa), [out, RANK]],
    ] as const) {
      gradients.set(`${short}.${name}`, gradient);
      w.output(gradient, dims);
    }
    return w.add(linearBack(dy, `model.${short}.weight`), w.matMul(dxa, a));
  };
  const swapped = (x: V): V => w.op('Concat', [...w.several('Split', [x], 2, { axis: -1 })].reverse(), { axis: -1 });
  const rotate = (x: V): V => w.add(w.mul(x, cos), w.mul(swapped(x), sin));
  const rotateBack = (dy: V): V => w.add(w.mul(dy, cos), swapped(w.mul(dy, sin)));
  const byHead = (x: V, n: number): V => w.transpose(w.reshape(x, [batch, tokens, n, headDim]), [0, 2, 1, 3]);
  const byToken = (x: V, n: number): V => w.reshape(w.transpose(x, [0, 2, 1, 3]), [rows, n * headDim]);
  const grouped = [batch, kvHeads, group * tokens];
  const scale = 1 / Math.sqrt(headDim);

  const embeddings = weight('model.embed_tokens.weight');
  let x = w.op('Gather', [embeddings, ids]);
  const layers = Array.from({ length: c.layers }, (_, l) => {
    const at = `model.layers.${l}`;
    const before = norm(x, `${at}.input_layernorm.weight`);
    const [q, v] = [lora(before.y, l, 'q_proj', heads * headDim), lora(before.y, l, 'v_proj', kvHeads * headDim)];
    const queries = w.reshape(rotate(byHead(q.y, heads)), [...grouped, headDim]);
    const keys = rotate(byHead(linear(before.y, `${at}.self_attn.k_proj.weight`), kvHeads));
    const values = byHead(v.y, kvHeads);
    const scores = w.reshape(w.matMulT(queries, keys), [batch, heads, tokens, tokens]);
    const shares = w.op('Softmax', [w.add(w.times(scores, scale), mask)], { axis: -1 });
    const sharesByGroup = w.reshape(shares, [...grouped, tokens]);
    const mixed = byToken(w.reshape(w.matMul(sharesByGroup, values), [batch, heads, tokens, headDim]), heads);
    const middle = w.add(x, linear(mixed, `${at}.self_attn.o_proj.weight`));
    const after = norm(middle, `${at}.post_attention_layernorm.weight`);
    const [gate, up] = [linear(after.y, `${at}.mlp.gate_proj.weight`), linear(after.y, `${at}.mlp.up_proj.weight`)];
    const sigmoid = w.op('Sigmoid', [gate]);
    const silu = w.mul(gate, sigmoid);
    x = w.add(middle, linear(w.mul(silu, up), `${at}.mlp.down_proj.weight`));
    return { at, before, q, v, queries, keys, values, shares, sharesByGroup, after, gate, up, sigmoid, silu };
  });
  const last = norm(x, 'model.norm.weight');
  const shares = w.op('Softmax', [w.matMulT(last.y, embeddings)], { axis: -1 });
  const perRow = w.op('Neg', [w.op('Log', [w.op('GatherElements', [shares, targets], { axis: 1 })])]);
  const loss = w.op('ReduceMean', [perRow], { axes: [0, 1], keepdims: 0 });
  w.output(loss, []);

  const minusOne = w.constant('minus one of rows', [rows, 1], new Float32Array(rows).fill(-1 / rows));
  const dLogits = w.op('ScatterElements', [w.times(shares, 1 / rows), targets, minusOne], {
    axis: 1,
    reduction: 'add',
  });
  let dx = normBack(last, w.matMul(dLogits, embeddings));
  for (const [l, s] of [...layers.entries()].reverse()) {
    const dProduct = linearBack(dx, `${s.at}.mlp.down_proj.weight`);
    const dSilu = w.mul(dProduct, s.up);
    const dGate = w.mul(dSilu, w.mul(s.sigmoid, w.add(w.scalar(1), w.mul(s.gate, w.sub(w.scalar(1), s.sigmoid)))));
    dx = w.add(
      dx,
      normBack(
        s.after,
        w.add(
          linearBack(dGate, `${s.at}.mlp.gate_proj.weight`),
          linearBack(w.mul(dProduct, s.silu), `${s.at}.mlp.up_proj.weight`),
        ),
      ),
    );
    const dMixed = w.reshape(byHead(linearBack(dx, `${s.at}.self_attn.o_proj.weight`), heads), [...grouped, headDim]);
    const weighted = w.mul(w.reshape(w.matMulT(dMixed, s.values), [batch, heads, tokens, tokens]), s.shares);
    const dScores = w.reshape(w.times(w.sub(weighted, w.mul(s.shares, w.sumOfLast(weighted))), scale), [
      ...grouped,
      tokens,
    ]);
    const dq = byToken(rotateBack(w.reshape(w.matMul(dScores, s.keys), [batch, heads, tokens, headDim])), heads);
    const dk = byToken(rotateBack(w.tMatMul(dScores, s.queries)), kvHeads);
    const dv = byToken(w.tMatMul(s.sharesByGroup, dMixed), kvHeads);
    const dh = w.add(w.add(loraBack(s.q, dq), loraBack(s.v, dv)), linearBack(dk, `${s.at}.self_attn.k_proj.weight`));
    if (l > 0) dx = w.add(dx, normBack(s.before, dh));
  }
  return { model: encodeModel(w.graph), loss, gradients };
}
