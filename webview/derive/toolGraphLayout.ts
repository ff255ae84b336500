/** Where the nodes and edges of a tool graph are drawn: columns from the request to the answer, in pixels. */
import { ANSWER, START, type ToolEdge, type ToolGraph } from '../../trainer/protocol/toolGraph';

/** Of more tools or transitions the most frequent are drawn; the table has all. */
const MOST_TOOLS = 24;
const MOST_EDGES = 60;
const NODE = { width: 148, height: 40 };
const COLUMN = 236;
const ROW = 76;
const PAD = 26;
/** Of lines that skip a column: each has a height of its own under the boxes. */
const LANE = 24;

export interface DrawnNode {
  name: string;
  /** how often it was called, or the episodes of the request and the answer */
  count: number;
  /** of its judged episodes, those that were solved; null: none is judged */
  solved: number | null;
  left: number;
  top: number;
}

export interface DrawnEdge {
  edge: ToolEdge;
  solved: number | null;
  /** SVG path */
  path: string;
  /** pixels */
  width: number;
  /** where its words stand */
  label: { x: number; y: number };
}

export interface Layout {
  width: number;
  height: number;
  node: typeof NODE;
  nodes: DrawnNode[];
  edges: DrawnEdge[];
  /** what is in the table alone */
  left: { tools: number; edges: number };
}

export const shareOf = ({ judged, solved }: { judged: number; solved: number }): number | null =>
  judged === 0 ? null : solved / judged;

export function toolGraphLayout({ nodes, edges }: ToolGraph): Layout {
  const shown = [...nodes].sort((a, b) => b.calls - a.calls).slice(0, MOST_TOOLS);
  const names = new Set([START, ...shown.map(({ tool }) => tool), ANSWER]);
  const among = edges.filter(({ from, to }) => names.has(from) && names.has(to));
  const kept = [...among].sort((a, b) => b.count - a.count).slice(0, MOST_EDGES);
  const columns = columnsOf(
    shown.map(({ tool }) => tool),
    among,
  );
  const rows = Math.max(...columns.map((column) => column.length));
  const height = rows * ROW + PAD;
  const ends: Record<string, ReturnType<typeof total>> = {
    [START]: total(edges, ({ from }) => from === START),
    [ANSWER]: total(edges, ({ to }) => to === ANSWER),
  };
  const byName = new Map(nodes.map((node) => [node.tool, node]));
  const drawn = columns.flatMap((column, c) =>
    column.map((name, r): DrawnNode => {
      const node = byName.get(name);
      return {
        name,
        count: node?.calls ?? ends[name]?.count ?? 0,
        solved: shareOf(node ?? ends[name] ?? { judged: 0, solved: 0 }),
        left: PAD + c * COLUMN,
        top: PAD + ((height - PAD) / column.length) * (r + 0.5) - NODE.height / 2,
      };
    }),
  );
  const places = new Map(drawn.map((node) => [node.name, node]));
  const most = Math.max(1, ...kept.map(({ count }) => count));
  let lanes = 0;
  const between = (edge: ToolEdge): Pick<DrawnEdge, 'path' | 'label'> => {
    const [from, to] = [places.get(edge.from)!, places.get(edge.to)!];
    const skips = Math.abs(to.left - from.left) > COLUMN || to.left < from.left;
    return skips ? lineUnder(from, to, height + LANE * lanes++) : lineBetween(from, to);
  };
  const lines = kept.map((edge) => ({
    edge,
    solved: shareOf(edge),
    width: 1 + 9 * Math.sqrt(edge.count / most),
    ...between(edge),
  }));
  return {
    width: (columns.length - 1) * COLUMN + NODE.width + 2 * PAD,
    height: height + PAD + LANE * lanes,
    node: NODE,
    nodes: drawn,
    edges: lines,
    left: { tools: nodes.length - shown.length, edges: edges.length - kept.length },
  };
}

/** The request, then each tool one column behind the tool that it mostly follows, then the answer. */
function columnsOf(tools: readonly string[], edges: readonly ToolEdge[]): string[][] {
  const depths = new Map<string, number>([[START, 0]]);
  const depthOf = (tool: string, seen: ReadonlySet<string>): number => {
    const known = depths.get(tool);
    if (known !== undefined) return known;
    const [main] = edges
      .filter(({ from, to }) => to === tool && !seen.has(from))
      .sort((a, b) => b.count - a.count || (a.from < b.from ? -1 : 1));
    return main ? 1 + depthOf(main.from, new Set([...seen, main.from])) : 1;
  };
  for (const tool of tools) depths.set(tool, depthOf(tool, new Set([tool])));
  const columns: string[][] = [[START]];
  for (const tool of tools) (columns[depths.get(tool)!] ??= []).push(tool);
  return [...Array.from(columns, (column) => column ?? []).filter((column) => column.length > 0), [ANSWER]];
}

/** To the next column from side to side; within a column, and to itself, in an arc beside the boxes. */
function lineBetween(from: DrawnNode, to: DrawnNode): Pick<DrawnEdge, 'path' | 'label'> {
  const { width, height } = NODE;
  const [y1, y2] = [from.top + height / 2, to.top + height / 2];
  if (from === to) {
    const [x, y] = [from.left + width / 2, from.top];
    return { path: `M${x - 18} ${y} C${x - 26} ${y - 30} ${x + 26} ${y - 30} ${x + 18} ${y}`, label: { x, y: y - 24 } };
  }
  if (to.left === from.left) {
    const [x, out] = [from.left + width, from.left + width + 44];
    return {
      path: `M${x} ${y1 + 6} C${out} ${y1} ${out} ${y2} ${x + 2} ${y2}`,
      label: { x: out - 6, y: (y1 + y2) / 2 },
    };
  }
  const [x1, x2] = [from.left + width, to.left];
  const bend = (x2 - x1) / 2;
  return {
    path: `M${x1} ${y1} C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`,
    label: { x: x1 + bend, y: (y1 + y2) / 2 },
  };
}

/** Back, or past a column: under all boxes, so that it crosses none of those between. */
function lineUnder(from: DrawnNode, to: DrawnNode, low: number): Pick<DrawnEdge, 'path' | 'label'> {
  const { width, height } = NODE;
  const isBack = to.left < from.left;
  const [x1, x2] = [from.left + (isBack ? 0 : width), to.left + (isBack ? width : 0)];
  const [y1, y2] = [from.top + height / 2, to.top + height / 2];
  const out = isBack ? -30 : 30;
  const [a, b] = [x1 + out, x2 - out];
  return {
    path:
      `M${x1} ${y1} C${a} ${y1} ${x1 + out / 2} ${low} ${a + out} ${low} L${b - out} ${low} ` +
      `C${x2 - out / 2} ${low} ${b} ${y2} ${x2} ${y2}`,
    label: { x: (a + b) / 2, y: low },
  };
}

function total(
  edges: readonly ToolEdge[],
  isOne: (edge: ToolEdge) => boolean,
): { count: number; judged: number; solved: number } {
  const sum = { count: 0, judged: 0, solved: 0 };
  for (const edge of edges.filter(isOne)) {
    sum.count += edge.count;
    sum.judged += edge.judged;
    sum.solved += edge.solved;
  }
  return sum;
}
