/** Wires what people say about answers: queue, marking, rewriting, reasons, and training on it. */
import * as vscode from 'vscode';
import type { PairState, QueuedPair } from '../../trainer/protocol/preferenceState';
import { preferenceCommands, views, type PreferenceCommandId } from '../contributions';
import { Owner } from '../window/disposables';
import type { Log } from '../window/log';
import type { RunActions } from '../runs/runActions';
import type { Runs } from '../runs/runs';
import type { Service } from '../processes/service';
import type { ToolIndex } from '../tools/toolIndex';
import type { TraceNode } from '../traces/tracesTree';
import { ToolLens } from './lenses';
import { Marking } from './marking';
import { MarkingPage } from './markingPage';
import { Preferences } from './preferences';
import { PreferencesTree, type PreferenceNode } from './preferencesTree';
import { Reasons } from './reasons';
import { Rewriting } from './rewriting';
import { TraceDocuments, traceUri } from './traceDocuments';
import { TraceReading } from './traceReading';
import { preferenceConfig } from './trainOnPreferences';
import { exchange } from './exchange';
import { askBeforeTraining } from './askBeforeTraining';

export interface PreferenceParts {
  service: Service;
  runs: Runs;
  index: ToolIndex;
  actions: RunActions;
  log: Log;
  /** brings the panel's page Marking to the front */
  showMarking: (runId: string | null) => void;
}

type Handler = (...args: unknown[]) => unknown;

export class PreferenceDesk extends Owner {
  readonly preferences: Preferences;
  readonly page: MarkingPage;
  private readonly lens: ToolLens;
  readonly handlers: Record<PreferenceCommandId, Handler>;

  constructor({ service, runs, index, actions, log, showMarking }: PreferenceParts) {
    super();
    const preferences = this.own(new Preferences(service, runs, log));
    this.preferences = preferences;
    const documents = this.own(new TraceDocuments(service));
    this.own(new TraceReading(documents, index, runs));
    const marking = this.own(new Marking(preferences, service, showMarking));
    const reasons = this.own(new Reasons(preferences, marking, documents, service));
    const trainOn = (isAsked = false): Promise<void> => train({ preferences, service, runs, actions }, isAsked);
    this.page = new MarkingPage(marking, new Rewriting(preferences, marking, service), reasons, trainOn);
    this.lens = this.own(new ToolLens(index, runs, preferences, service, log));
    const tree = this.own(new PreferencesTree(preferences, marking));
    tree.attach(this.own(vscode.window.createTreeView(views.preferences, { treeDataProvider: tree })));
    const { importFile, exportFile } = exchange(preferences, service);

    this.handlers = {
      [preferenceCommands.markPairs]: (tool) => marking.next(typeof tool === 'string' ? tool : null),
      [preferenceCommands.openPair]: (queued) => marking.open(queued as QueuedPair),
      [preferenceCommands.aIsBetter]: () => marking.mark('a'),
      [preferenceCommands.bIsBetter]: () => marking.mark('b'),
      [preferenceCommands.tie]: () => marking.mark('tie'),
      [preferenceCommands.bothBad]: () => marking.mark('bothBad'),
      [preferenceCommands.skipPair]: () => marking.mark('skip'),
      [preferenceCommands.undoMark]: () => marking.undo(),
      [preferenceCommands.rewriteAnswer]: () => marking.askForOriginal(),
      [preferenceCommands.addReason]: (reply) => reasons.add(reply as vscode.CommentReply),
      [preferenceCommands.goodStep]: (reply) => reasons.add(reply as vscode.CommentReply, 'up'),
      [preferenceCommands.badStep]: (reply) => reasons.add(reply as vscode.CommentReply, 'down'),
      [preferenceCommands.openTraceText]: async (node) => {
        const { trace } = node as Extract<TraceNode, { kind: 'trace' }>;
        if (!preferences.run) return;
        const uri = traceUri(preferences.run, trace, trace.id);
        await vscode.window.showTextDocument(uri, { preview: true });
      },
      [preferenceCommands.markTraces]: async (runId, traceIds) => {
        const run = runs.info(runId as string);
        const { workspace } = preferences;
        if (!run || workspace === null) throw new Error(vscode.l10n.t('the run is not in this workspace any more'));
        runs.select(run.id); // marks are kept with its tools
        const { pair } = await service.ask('pairOf', {
          workspace,
          dir: run.dir,
          traceIds: traceIds as [string, string],
        });
        if (!pair)
          throw new Error(
            vscode.l10n.t(
              'there is nothing to decide between these two: they say the same, or part by what a tool answered',
            ),
          );
        await preferences.refresh();
        await marking.open(pair);
      },
      [preferenceCommands.takeBack]: (node) => takeBack(preferences, node as PreferenceNode),
      [preferenceCommands.openPreferences]: async () => {
        const { workspace } = preferences;
        if (workspace !== null)
          await vscode.window.showTextDocument(
            vscode.Uri.joinPath(vscode.Uri.file(workspace), '.coach', 'preferences.jsonl'),
          );
      },
      [preferenceCommands.trainOnPreferences]: (how) => trainOn((how as { ask?: boolean } | undefined)?.ask === false),
      [preferenceCommands.importPreferences]: importFile,
      [preferenceCommands.exportPreferences]: exportFile,
    };
  }

  refresh(): void {
    this.lens.refresh();
  }
}

/** Every mark and rewrite of that row, each by a line of its own. */
async function takeBack(preferences: Preferences, node: PreferenceNode): Promise<void> {
  const ids =
    node.kind === 'said'
      ? (node.state as PairState).marks.map(({ id }) => id)
      : node.kind === 'rewrite'
        ? [node.line.id]
        : [];
  if (ids.length > 0) await preferences.record(ids.map((of) => ({ type: 'undo', of })));
}

/** @param isAsked nothing is asked: whoever calls the command has said what he wants */
async function train(
  {
    preferences,
    service,
    runs,
    actions,
  }: Pick<PreferenceParts, 'service' | 'runs' | 'actions'> & {
    preferences: Preferences;
  },
  isAsked = false,
): Promise<void> {
  await preferences.refresh();
  const { workspace, run, trainable } = preferences;
  if (preferences.problem !== null) throw new Error(preferences.problem);
  if (workspace === null || run === null)
    throw new Error(vscode.l10n.t('there is no run here to go on from; train one first'));
  if (trainable === 0)
    throw new Error(
      vscode.l10n.t(
        'nothing to train on yet: mark some pairs, or rewrite an answer (equally good, both bad and skipped teach nothing)',
      ),
    );
  const forecast = await service.ask('trainingForecast', { workspace, dir: run.dir });
  const { taken, dropped } = forecast;
  if (taken === 0)
    throw new Error(vscode.l10n.t('nothing to train on: all of it is left out. {0}', dropped.join('. ')));
  if (!isAsked && !(await askBeforeTraining(forecast))) return;
  const { manifest, checkpointStep, result } = await runs.load(run.id);
  if (!manifest) throw new Error(vscode.l10n.t("run {0} can't be read", run.id));
  const from = checkpointStep !== null || result !== null ? run.dir : null;
  await actions.trainWith(
    preferenceConfig(manifest.config, { workspace, from, pairs: taken }),
    workspace,
    taken === 1
      ? vscode.l10n.t('Starting to train on {0} preference', taken)
      : vscode.l10n.t('Starting to train on {0} preferences', taken),
  );
}
