/** Quick picks of the Traces view: which moment of the run, and which traces. */
import * as vscode from 'vscode';
import { ERRORS, IS, isFiltering, parseTraceFilter, toolsOf } from '../../trainer/protocol/traceFilter';
import type { TraceSummary } from '../../trainer/protocol/trace';
import { latestMoment, moments, momentText, type Moment } from './traceGroups';
import type { TracesTree } from './tracesTree';

export async function chooseMoment(tree: TracesTree): Promise<void> {
  const all = moments(tree.traces());
  if (all.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('Coach: this run has recorded no traces yet.'));
    return;
  }
  const latest = latestMoment(all);
  const items: (vscode.QuickPickItem & { moment: Moment | null })[] = [
    {
      label: vscode.l10n.t('$(sync) Latest step'),
      description: latest ? vscode.l10n.t('now {0}', momentText(latest)) : '',
      moment: null,
    },
    ...[...all].reverse().map((moment) => ({
      label: momentText(moment),
      description: vscode.l10n.t('traces: {0}', moment.count),
      moment,
    })),
  ];
  const chosen = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Which traces?'),
    placeHolder: vscode.l10n.t('A step of training, or an evaluation'),
  });
  if (chosen) tree.choose(chosen.moment);
}

interface Row extends vscode.QuickPickItem {
  /** what Enter puts in the place of the last word; null: Enter applies the filter */
  term: string | null;
}

/**
 * One line to type, with what can stand in it below. The first row says what would be shown; Enter there applies it.
 */
export async function filterTraces(tree: TracesTree): Promise<void> {
  const pick = vscode.window.createQuickPick<Row>();
  pick.title = vscode.l10n.t('Filter Traces');
  pick.placeholder = vscode.l10n.t('Words, or tool:NAME  error:KIND  reward<0.5  step:10-30  is:marked');
  const offered = terms(tree.traces());
  const draw = (): void => {
    const { filter, problems } = parseTraceFilter(pick.value);
    const { groups, traces } = tree.count(filter);
    const apply: Row = {
      term: null,
      alwaysShow: true,
      label: `$(filter) ${isFiltering(filter) ? vscode.l10n.t('Show what matches') : vscode.l10n.t('Show all')}`,
      description: isFiltering(filter)
        ? vscode.l10n.t('tasks: {0}, traces: {1}, of the whole run', groups, traces)
        : '',
      ...(problems[0] === undefined ? {} : { detail: `$(warning) ${problems[0]}` }),
    };
    const last = /\S*$/.exec(pick.value)![0].toLowerCase();
    const rows = offered.filter(
      ({ term, label }) => !pick.value.split(/\s+/).includes(term!) && `${term} ${label}`.toLowerCase().includes(last),
    );
    pick.items = [
      apply,
      { label: vscode.l10n.t('Conditions'), kind: vscode.QuickPickItemKind.Separator, term: '' },
      ...rows.map((row) => ({ ...row, alwaysShow: true })),
    ];
    pick.activeItems = [apply];
  };
  pick.value = tree.filterText;
  draw();
  pick.onDidChangeValue(draw);
  await new Promise<void>((resolve) => {
    pick.onDidAccept(() => {
      const term = pick.activeItems[0]?.term ?? null;
      if (term === null) {
        tree.setFilter(pick.value.trim());
        return pick.hide();
      }
      const before = pick.value.replace(/\S*$/, '');
      pick.value = `${before}${term} `;
      draw();
    });
    pick.onDidHide(() => {
      pick.dispose();
      resolve();
    });
    pick.show();
  });
}

/** What can stand in a filter, of what this run has: its tools, the ways its calls failed. */
function terms(traces: readonly TraceSummary[]): Row[] {
  const tools = new Set(traces.flatMap((trace) => toolsOf(trace)));
  const errors = new Set<string>(traces.flatMap((trace) => trace.errors ?? []));
  const row = (term: string, description: string): Row => ({ label: term, description, term });
  return [
    ...IS.map((is) => row(`is:${is}`, IS_WORDS[is])),
    row('reward<0.5', 'or <=, >, >=, ='),
    ...[...tools].sort().map((tool) => row(`tool:${tool}`, vscode.l10n.t('calls it'))),
    ...ERRORS.filter((kind) => kind === 'any' || kind === 'unreadable' || errors.has(kind)).map((kind) =>
      row(
        `error:${kind}`,
        kind === 'any'
          ? vscode.l10n.t('some call failed')
          : kind === 'unreadable'
            ? vscode.l10n.t('a reply could not be read')
            : vscode.l10n.t('a call ended so'),
      ),
    ),
    row('step:10-30', vscode.l10n.t('of these steps of training (checkpoints)')),
    ...['before', 'after', 'validation', 'try'].map((phase) => row(`phase:${phase}`, '')),
  ];
}

const IS_WORDS: Record<(typeof IS)[number], string> = {
  solved: vscode.l10n.t('the task was solved'),
  failed: vscode.l10n.t('it was not'),
  truncated: vscode.l10n.t('cut off by a limit'),
  scored: vscode.l10n.t('a reward scored it'),
  unscored: vscode.l10n.t('no reward scored it'),
  judged: vscode.l10n.t('the judge ranked it'),
  unjudged: vscode.l10n.t('it did not'),
  marked: vscode.l10n.t('a person marked it'),
  unmarked: vscode.l10n.t('nobody did'),
};
