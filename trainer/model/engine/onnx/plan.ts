import { isVector, type Value } from './value';

/** A graph in the order in which it can run: every node behind its inputs. */
export interface Plan {
  /** nodes, fills and later outputs */
  nodes: Value[];
  /** leaves and placeholders */
  leaves: Value[];
  outputs: Value[];
}
let epoch = 0;

/**
 * Depth first without recursion (graphs are thousands deep). `index` of each value is its place in `nodes` or
 * `leaves`.
 */
export function planOf(outputs: Value[]): Plan {
  const mark = ++epoch;
  const nodes: Value[] = [];
  const leaves: Value[] = [];
  const stack: { value: Value; next: number }[] = [];
  const enter = (value: Value): void => {
    if (value.mark === mark) return;
    value.mark = mark;
    if (value.kind === 'leaf' || value.kind === 'placeholder') value.index = leaves.push(value) - 1;
    else stack.push({ value, next: 0 });
  };
  for (const output of outputs) {
    enter(output);
    while (stack.length > 0) {
      const top = stack[stack.length - 1]!;
      const input = top.value.inputs[top.next++];
      if (input === undefined) {
        stack.pop();
        top.value.index = nodes.push(top.value) - 1;
      } else if (!isVector(input)) enter(input);
    }
  }
  return { nodes, leaves, outputs };
}

/** Two plans with the same key are the same program over the same shapes; leaf values are not part of it. */
export function keyOf({ nodes, leaves, outputs }: Plan): string {
  const place = (v: Value): number => (v.kind === 'leaf' || v.kind === 'placeholder' ? ~v.index : v.index);
  const parts: (string | number)[] = leaves.map((v) => `L${v.dtype}${v.shape.join(',')}`);
  for (const v of nodes) {
    parts.push(v.key);
    for (const input of v.inputs) parts.push(isVector(input) ? input.key : place(input));
  }
  parts.push('O', ...outputs.map(place));
  return parts.join(' ');
}
