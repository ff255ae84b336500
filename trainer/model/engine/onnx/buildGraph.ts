import type { Graph } from './protobuf';
import type { Plan } from './plan';
import { filled, int64, isVector, sizeOf, type Feed, type Int64Vector, type Value } from './value';
import type { Device } from './session';
import { type Labels, labelOf } from './explained';

/**
 * A fill up to this size is written into the model; a greater one is expanded at run time, else ONNX Runtime folds it
 * into memory it then keeps.
 */
const largestStoredFill = 1024;

export interface Built {
  graph: Graph;
  sources: (number | Feed)[];
  labels: Labels;
}
/**
 * @param isForAnySize sizes are no part of the graph: vectors and fills are inputs, and inputs and outputs of floats
 * have a rank only
 */
export function buildGraph(
  plan: Plan,
  isConstant: (leaf: Value) => boolean,
  device: Device,
  isForAnySize = false,
): Built {
  const graph: Graph = { nodes: [], initializers: [], inputs: [], outputs: [] };
  const sources: (number | Feed)[] = [];
  const names = new Map<Value, string>();
  const labels: Labels = new Map();
  const vectors = new Map<string, string>();
  const anySize = (dims: readonly number[]): readonly number[] => (isForAnySize ? dims.map(() => -1) : dims);
  // what a node makes first is the graph's output itself: an Identity would copy it
  // of one that is several outputs the first
  const outputNames = new Map(plan.outputs.map((v, i) => [v, `o${i}`] as const).reverse());

  /**
   * A graph for any size gets all of them as one input, which is split: their lengths belong to the graph, their
   * numbers do not.
   */
  const given: Int64Vector[] = [];
  const originOf = isForAnySize ? origins(plan) : null;
  const vector = (v: Int64Vector, of: Value, at: number): string => {
    // where sizes decide which vectors are equal, only those of like nodes are one: else graphs would differ by what is
    // equal by chance
    const key = originOf ? `${originOf.get(of)} ${at} ${v.key}` : v.key;
    let name = vectors.get(key);
    if (name === undefined) {
      name = `k${vectors.size}`;
      vectors.set(key, name);
      if (isForAnySize) given.push(v);
      else
        graph.initializers.push({
          name,
          dims: [v.int64.length],
          dtype: 'int64',
          data: BigInt64Array.from(v.int64, BigInt),
        });
    }
    return name;
  };
  const input = (name: string, source: number | Feed, dims: readonly number[], dtype: Feed['type']): string => {
    sources.push(source);
    graph.inputs.push({ name, dims, dtype });
    return name;
  };

  plan.leaves.forEach((leaf, i) => {
    const name = `x${i}`;
    names.set(leaf, name);
    if (leaf.kind === 'leaf' && isConstant(leaf))
      graph.initializers.push({ name, dims: leaf.shape, dtype: leaf.dtype, data: leaf.data!, isBeside: leaf.isPacked });
    else input(name, i, anySize(leaf.shape), leaf.dtype);
  });
  const fills = new Map<string, string>();
  plan.nodes.forEach((v, i) => {
    const name = `${v.kernel || v.op}_${i}`;
    const made = outputNames.get(v) ?? name;
    if (v.kind === 'node') labels.set(name, labelOf(v));
    if (v.kind === 'fill') {
      const known = fills.get(v.key);
      names.set(v, known ?? name);
      if (known !== undefined) return;
      fills.set(v.key, name);
      const size = sizeOf(v.shape);
      if (size <= largestStoredFill) {
        const data = filled(v.dtype, size, v.fill);
        if (isForAnySize)
          input(name, { type: v.dtype, dims: v.shape, data, location: 'cpu' }, anySize(v.shape), v.dtype);
        else graph.initializers.push({ name, dims: v.shape, dtype: v.dtype, data });
        return;
      }
      const seed = input(
        `f${i}`,
        { type: v.dtype, dims: [1], data: filled(v.dtype, 1, v.fill), location: 'cpu' },
        [1],
        v.dtype,
      );
      graph.nodes.push({
        name,
        op: 'Expand',
        domain: '',
        inputs: [seed, vector(int64(v.shape), v, 1)],
        outputs: [name],
        attributes: null,
      });
    } else if (v.kind === 'output') {
      names.set(v, `${names.get(v.inputs[0] as Value)!}:${v.outputIndex}`);
    } else if (v.op === 'FusedMatMul' && device === 'webgpu') {
      // WebGPU has no FusedMatMul, and it would fall back to the processor: that is most of the work
      names.set(v, made);
      const sides = v.inputs.map((x, side) => {
        const from = x as Value;
        if (!v.attributes?.[side === 0 ? 'transA' : 'transB']) return names.get(from)!;
        const n = from.shape.length;
        const swapped = `${name}:${side}`;
        graph.nodes.push({
          name: swapped,
          op: 'Transpose',
          domain: '',
          inputs: [names.get(from)!],
          outputs: [swapped],
          attributes: { perm: from.shape.map((_, k) => (k < n - 2 ? k : k === n - 2 ? n - 1 : n - 2)) },
        });
        return swapped;
      });
      graph.nodes.push({ name, op: 'MatMul', domain: '', inputs: sides, outputs: [made], attributes: null });
    } else {
      names.set(v, made);
      const outputs = Array.from({ length: v.outputCount }, (_, k) => (k === 0 ? made : `${made}:${k}`));
      graph.nodes.push({
        name,
        op: v.op,
        domain: v.domain,
        inputs: v.inputs.map((x, at) => (isVector(x) ? vector(x, v, at) : names.get(x)!)),
        outputs,
        attributes: v.attributes,
      });
    }
  });
  plan.outputs.forEach((v, i) => {
    graph.outputs.push({ name: `o${i}`, dims: anySize(v.shape), dtype: v.dtype });
    if (names.get(v) !== `o${i}`)
      graph.nodes.push({
        name: `output${i}`,
        op: 'Identity',
        domain: '',
        inputs: [names.get(v)!],
        outputs: [`o${i}`],
        attributes: null,
      });
  });
  if (given.length > 0) {
    const data = BigInt64Array.from(
      given.flatMap((v) => v.int64),
      BigInt,
    );
    input('k', { type: 'int64', dims: [data.length], data, location: 'cpu' }, [data.length], 'int64');
    graph.initializers.push({
      name: 'kSizes',
      dims: [given.length],
      dtype: 'int64',
      data: BigInt64Array.from(given, (v) => BigInt(v.int64.length)),
    });
    graph.nodes.unshift({
      name: 'kSplit',
      op: 'Split',
      domain: '',
      inputs: ['k', 'kSizes'],
      outputs: given.map((_, i) => `k${i}`),
      attributes: { axis: 0 },
    });
  }
  return { graph, sources, labels };
}

/** Ancestors that are looked at. */
const DEPTH = 6;

/**
 * What a node is by its kernel and what it is made from, without sizes, as a number: alike in all layers of a model,
 * and hardly ever in two places of one.
 */
function origins({ nodes }: Plan): Map<Value, number> {
  const numbers = new Map<string, number>();
  const numberOf = (words: string): number => {
    const known = numbers.get(words) ?? numbers.size;
    numbers.set(words, known);
    return known;
  };
  const ownOf = (v: Value): number =>
    numberOf(v.kind === 'node' ? `${v.op} ${v.outputIndex}` : `${v.kind} ${v.dtype} ${v.shape.length}`);
  let of = new Map(nodes.map((v) => [v, ownOf(v)]));
  for (let depth = 0; depth < DEPTH; depth++) {
    of = new Map(
      nodes.map((v) => [
        v,
        numberOf(`${of.get(v)}: ${v.inputs.map((x) => (isVector(x) ? '' : (of.get(x) ?? ownOf(x)))).join()}`),
      ]),
    );
  }
  return of;
}
