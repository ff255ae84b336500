import { describe, isVector, type Value } from './value';

/** What a message says of a node. It holds no value, which would keep tensors alive. */
interface Label {
  kernel: string;
  inputs: { shape: readonly number[]; dtype: string }[];
  output: { shape: readonly number[]; dtype: string };
  site: Error | null;
}
/** By the name of the ONNX node. */
export type Labels = Map<string, Label>;
export const labelOf = (v: Value): Label => ({
  kernel: v.kernel || v.op,
  inputs: v.inputs.filter((i): i is Value => !isVector(i)).map(({ shape, dtype }) => ({ shape, dtype })),
  output: { shape: v.shape, dtype: v.dtype },
  site: v.site,
});

/**
 * ONNX Runtime names the node; we say which tfjs kernel that was, its shapes, and where it was called if that was
 * recorded.
 */
export function explained(error: unknown, when: 'compile' | 'run', labels: Labels): Error {
  const message = error instanceof Error ? error.message : String(error);
  const name = /[A-Za-z][A-Za-z0-9]*_\d+/g;
  const label = [...message.matchAll(name)].map((m) => labels.get(m[0])).find((l) => l !== undefined);
  if (!label) return new Error(`onnx: could not ${when} the graph: ${message}`, { cause: error });
  return new Error(
    `onnx: kernel ${label.kernel} on ${label.inputs.map(describe).join(' and ')} -> ` +
      `${describe(label.output)}: ${message}${callSite(label.site)}`,
    { cause: error },
  );
}

function callSite(site: Error | null): string {
  const lines =
    site?.stack
      ?.split('\n')
      .slice(1)
      .filter((l) => !/node_modules|node:|tfjs-|[/\\]trainer[/\\]engine[/\\]/.test(l)) ?? [];
  return lines.length > 0
    ? `\n    called${lines
        .slice(0, 3)
        .map((l) => l.replace(/^\s+/, ' '))
        .join('\n   ')}`
    : '';
}
