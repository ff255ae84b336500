/**
 * Section Tool graph: which tool followed which in the training traces. Nodes are tools, a line's width says how often,
 * its colour (and its words) how many of these episodes were solved. The arrows walk the nodes; under the picture stand
 * the steps that lead on from the one chosen, and all of it as a table.
 */
import { ANSWER, START, type ArgumentSource, type ToolEdge, type ToolGraph } from '../../../trainer/protocol/toolGraph';
import { progressRing } from '../../components/controls';
import { h, replace, svg } from '../../components/dom';
import { roving } from '../../components/roving';
import { table, type Column } from '../../components/table';
import { shareOf, toolGraphLayout, type DrawnNode, type Layout } from '../../derive/toolGraphLayout';
import { integer, percent } from '../../shared/format';
import type { Store } from '../../store';
import { t } from '../../shared/strings';

/** Lines with fewer than this share of the most frequent have their words in the table alone. */
const LABEL_FROM = 0.04;

export class ToolGraphSection {
  private readonly body = h('div', { class: 'tool-graph' });
  readonly element: HTMLDetailsElement;
  private drawn: unknown = null;

  constructor(private readonly store: Store) {
    this.element = h(
      'details',
      { class: 'fold pictures', on: { toggle: () => this.update() } },
      h('summary', null, t('toolGraph.title')),
      this.body,
    );
  }

  /** Nothing is asked for before the fold is opened. */
  update(): void {
    if (!this.element.open) return;
    const { graph, problem } = this.store.toolGraph();
    const shown = graph ?? problem;
    if (shown !== null && shown === this.drawn) return;
    this.drawn = shown;
    if (problem)
      replace(this.body, h('p', { class: 'muted' }, [problem.message, problem.hint].filter(Boolean).join('. ')));
    else if (graph) replace(this.body, graphPicture(graph));
    else replace(this.body, progressRing(t('toolGraph.loading')));
  }
}

function graphPicture(graph: ToolGraph): HTMLElement {
  const layout = toolGraphLayout(graph);
  const steps = h('div', { class: 'tool-graph-steps', 'aria-live': 'polite' });
  const choose = (node: DrawnNode, button: HTMLElement): void => {
    for (const other of box.querySelectorAll('.tool-graph-node')) other.removeAttribute('aria-current');
    button.setAttribute('aria-current', 'true');
    for (const line of box.querySelectorAll('.tool-graph-edge'))
      line.classList.toggle('chosen', line.getAttribute('data-from') === node.name);
    replace(steps, stepsFrom(node.name, graph));
  };
  const box = h(
    'div',
    {
      class: 'tool-graph-canvas',
      role: 'group',
      'aria-label': `${t('toolGraph.title')}. ${t('toolGraph.keys')}`,
      vars: { '--width': `${layout.width}px`, '--height': `${layout.height}px` },
    },
    lines(layout),
    ...layout.nodes.map((node) => nodeButton(node, layout, choose)),
  );
  roving(box, { selector: '.tool-graph-node', axis: 'both' });
  const { tools, edges } = layout.left;
  return h(
    'figure',
    { class: 'picture' },
    h('figcaption', { class: 'muted' }, t('toolGraph.about', { traces: integer(graph.traces) })),
    h('div', { class: 'picture-box' }, box),
    tools + edges > 0 ? h('p', { class: 'muted' }, t('toolGraph.left', { tools, edges })) : null,
    steps,
    twin(graph),
  );
}

function nodeButton(
  node: DrawnNode,
  { node: { width, height } }: Layout,
  choose: (node: DrawnNode, button: HTMLElement) => void,
): HTMLElement {
  const facts = `${integer(node.count)} · ${solvedText(node.solved)}`;
  const button: HTMLElement = h(
    'button',
    {
      type: 'button',
      class: `tool-graph-node ${node.name === START || node.name === ANSWER ? 'end' : ''}`,
      tabindex: '-1',
      title: `${nodeName(node.name)}: ${facts}`,
      vars: {
        '--left': `${node.left}px`,
        '--top': `${node.top}px`,
        '--width': `${width}px`,
        '--height': `${height}px`,
      },
      on: { click: () => choose(node, button), focus: () => choose(node, button) },
    },
    h('span', { class: 'tool-graph-name' }, nodeName(node.name)),
    h('span', { class: 'tool-graph-facts' }, facts),
  );
  return button;
}

/** Of what no episode is judged, a line is dashed. */
function lines({ width, height, edges }: Layout): SVGElement {
  const root = svg('svg', { class: 'tool-graph-lines', viewBox: `0 0 ${width} ${height}`, 'aria-hidden': 'true' });
  const most = Math.max(1, ...edges.map(({ edge }) => edge.count));
  const drawn = edges.map(({ edge, path, width: lineWidth, solved }) => {
    const line = svg(
      'path',
      {
        class: `tool-graph-edge ${solved === null ? 'unjudged' : ''}`,
        d: path,
        'data-from': edge.from,
        'marker-end': 'url(#tool-graph-arrow)',
      },
      svg('title', {}, `${stepName(edge)}: ${integer(edge.count)} · ${solvedText(solved)}`),
    );
    line.style.setProperty('--line', `${lineWidth.toFixed(1)}px`);
    line.style.setProperty('--solved', `${(100 * (solved ?? 0)).toFixed(0)}%`);
    return line;
  });
  const words = edges
    .filter(({ edge }) => edge.count >= LABEL_FROM * most)
    .map(({ edge, label, solved }) =>
      svg(
        'text',
        { class: 'tool-graph-words', x: label.x, y: label.y },
        solved === null ? integer(edge.count) : `${integer(edge.count)} · ${percent(solved, 0)}`,
      ),
    );
  root.append(arrowHead(), ...drawn, ...words);
  return root;
}

/** In the colour of its line. */
const arrowHead = (): SVGElement =>
  svg(
    'marker',
    {
      ...{ id: 'tool-graph-arrow', viewBox: '0 0 10 10', refX: 9, refY: 5, orient: 'auto' },
      ...{ markerUnits: 'userSpaceOnUse', markerWidth: 14, markerHeight: 14 },
    },
    svg('path', { d: 'M0 0 L10 5 L0 10 z', fill: 'context-stroke' }),
  );

function stepsFrom(name: string, graph: ToolGraph): HTMLElement {
  const from = graph.edges.filter((edge) => edge.from === name).sort((a, b) => b.count - a.count);
  if (from.length === 0) return h('p', { class: 'muted' }, t('toolGraph.noSteps', { tool: nodeName(name) }));
  return edgeTable(t('toolGraph.steps', { tool: nodeName(name) }), from, graph);
}

function twin(graph: ToolGraph): HTMLElement {
  const fold = h('details', { class: 'picture-twin' }, h('summary', null, t('picture.asTable')));
  const all = [...graph.edges].sort((a, b) => b.count - a.count);
  // Built when it is opened first: most never are.
  fold.addEventListener('toggle', () => fold.append(edgeTable(t('toolGraph.title'), all, graph)), { once: true });
  return fold;
}

function edgeTable(caption: string, edges: readonly ToolEdge[], { edges: all }: ToolGraph): HTMLElement {
  const left = new Map<string, number>();
  for (const { from, count } of all) left.set(from, (left.get(from) ?? 0) + count);
  const columns: Column<ToolEdge>[] = [
    { label: t('toolGraph.step'), cell: stepName, isHead: true },
    { label: t('toolGraph.count'), cell: ({ count }) => integer(count), isNumber: true },
    { label: t('toolGraph.share'), cell: ({ from, count }) => percent(count / left.get(from)!, 0), isNumber: true },
    { label: t('toolGraph.failed'), cell: ({ failed }) => integer(failed), isNumber: true },
    { label: t('toolGraph.solved'), cell: solvedCell, isNumber: true },
    { label: t('toolGraph.arguments'), cell: argumentsText },
  ];
  return table(caption, columns, edges);
}

const nodeName = (name: string): string =>
  name === START ? t('toolGraph.start') : name === ANSWER ? t('toolGraph.answer') : name;
const stepName = ({ from, to }: ToolEdge): string => `${nodeName(from)} → ${nodeName(to)}`;
const solvedText = (share: number | null): string =>
  share === null ? t('toolGraph.notJudged') : t('toolGraph.solvedShare', { share: percent(share, 0) });

const solvedCell = (edge: ToolEdge): string => {
  const share = shareOf(edge);
  return share === null ? t('toolGraph.notJudged') : percent(share, 0);
};

/** "order: [0].order of findOrders 40, the user's words 3" */
const argumentsText = ({ arguments: all }: ToolEdge): string =>
  Object.entries(all)
    .map(([name, sources]) => `${name}: ${sources.map((one) => `${sourceText(one)} ${integer(one.count)}`).join(', ')}`)
    .join('; ');

function sourceText({ kind, tool = '', path = '', value }: ArgumentSource): string {
  switch (kind) {
    case 'result':
      return path === '' ? t('toolGraph.source.whole', { tool }) : t('toolGraph.source.result', { path, tool });
    case 'argument':
      return t('toolGraph.source.argument', { path, tool });
    case 'constant':
      return t('toolGraph.source.constant', { value: JSON.stringify(value) });
    default:
      return t(`toolGraph.source.${kind}`);
  }
}
