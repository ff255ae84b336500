import { shortPath } from '../../base/shortPath';
import { sourceWords, type ToolGraph } from '../../protocol/toolGraph';
import { readGraph } from '../../store/toolGraph/readGraph';
import type { Command } from './command';
import { percent, table } from './output';

export const graph: Command = {
  name: 'graph',
  positionals: { usage: 'RUN|FILE', min: 1, max: 1 },
  summary: 'Show which tool followed which in past traces, and where arguments came from (AutoTool, SIT-Graph).',
  options: {},
  examples: ['coach graph 20251121-093005-orders', 'coach graph traces.jsonl --json'],

  async run({ positionals: [name = ''] }, { cwd, out }) {
    const { graph: found, from, leftOut } = readGraph(name, cwd);
    out.json({ from, leftOut, ...found });
    out.text(`${found.traces} traces of ${shortPath(from, cwd)}\n`);
    out.text(graphText(found));
    if (leftOut.measured > 0) out.text(`\n${leftOut.measured} other traces are left out: none of them was trained on.`);
    return 0;
  },
};

/** Tools, transitions, and where arguments came from: three tables. */
function graphText({ nodes, edges }: ToolGraph): string {
  const share = (part: number, of: number): string => (of === 0 ? '-' : percent(part / of));
  const tools = nodes.map(({ tool, calls, failed, solved, judged }) => [
    tool,
    `${calls}`,
    `${failed}`,
    share(solved, judged),
  ]);
  const sent = new Map<string, number>();
  for (const { from, count } of edges) sent.set(from, (sent.get(from) ?? 0) + count);
  const steps = [...edges]
    .sort((a, b) => b.count - a.count)
    .map(({ from, to, count, failed, solved, judged }) => [
      `${from} -> ${to}`,
      `${count}`,
      share(count, sent.get(from)!),
      `${failed}`,
      share(solved, judged),
    ]);
  const given = edges.flatMap(({ from, to, arguments: all }) =>
    Object.entries(all).map(([name, sources]) => [
      `${from} -> ${to}`,
      name,
      sources.map((source) => `${sourceWords(source)} ${source.count}`).join(', '),
    ]),
  );
  return [
    table([['tool', 'calls', 'failed', 'solved'], ...tools]),
    table([['transition', 'count', 'share', 'failed', 'solved'], ...steps]),
    table([['transition', 'argument', 'where its value came from'], ...given]),
  ].join('\n\n');
}
