/**
 * One status bar item: the newest live run, or how the last one ended. Nothing while nothing was trained in this
 * window.
 */
import * as vscode from 'vscode';
import type { RunInfo } from '../../trainer/protocol/messages';
import type { RunState } from '../../trainer/protocol/runState';
import { commands } from '../contributions';
import { Owner } from '../window/disposables';
import type { Runs } from './runs';
import { resultText, runName, statusBarText } from './runText';

export class StatusBar extends Owner {
  private readonly item = this.own(
    vscode.window.createStatusBarItem('agentCoach.run', vscode.StatusBarAlignment.Left, 5),
  );
  /** the run that this window saw live last; it stays shown when it ends */
  private seen: string | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly runs: Runs) {
    super();
    this.item.name = 'Coach';
    this.own(runs.onDidChangeList(() => this.draw()));
    this.own(runs.onDidChangeRun(() => this.drawSoon()));
    const clock = setInterval(() => this.draw(), 5_000); // the time left runs on between steps
    this.own({
      dispose: () => {
        clearInterval(clock);
        clearTimeout(this.timer);
      },
    });
    this.draw();
  }

  private drawSoon(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.draw();
    }, 250);
  }

  private draw(): void {
    const live = this.runs.live();
    if (live.length > 0) this.seen = live[0]!.id;
    const info = this.seen === null ? undefined : this.runs.info(this.seen);
    const state = info && this.runs.known(info.id);
    if (!info || !state) return this.item.hide();
    const more = live.length > 1 ? ` (+${live.length - 1})` : '';
    this.item.text = lineOf(state) + more;
    this.item.tooltip = tooltipOf(info, state);
    this.item.command = { command: commands.openRun, title: vscode.l10n.t('Open Run'), arguments: [info] };
    this.item.accessibilityInformation = {
      label: vscode.l10n.t('{0}. Opens the run.', this.item.text.replace(/\$\([^)]*\)\s*/g, '')),
    };
    this.item.show();
  }
}

function lineOf(state: RunState): string {
  switch (state.status) {
    case 'running':
      return `$(sync~spin) ${statusBarText(state, Date.now())}`;
    case 'finished':
      return vscode.l10n.t('$(pass) Coach {0}', state.result ? resultText(state.result) : vscode.l10n.t('finished'));
    case 'stopped':
      return vscode.l10n.t('$(debug-pause) Coach stopped at {0}/{1}', state.step, state.manifest?.config.steps ?? '?');
    case 'failed':
      return vscode.l10n.t('$(error) Coach failed');
    case 'died':
      return vscode.l10n.t('$(debug-disconnect) Coach died');
  }
}

function tooltipOf(info: RunInfo, state: RunState): vscode.MarkdownString {
  const text = new vscode.MarkdownString();
  text.appendMarkdown(`**${runName(info)}**`);
  const line = (name: string, value: string) => text.appendMarkdown(`\n\n${name}: `).appendText(value);
  const manifest = state.manifest;
  if (manifest) {
    line(vscode.l10n.t('Engine'), `${manifest.engine.name} (${manifest.engine.why})`);
    line(vscode.l10n.t('Threads'), String(manifest.engine.threads));
    line(vscode.l10n.t('Model'), manifest.config.model);
    line(vscode.l10n.t('Seed'), String(manifest.config.seed));
  }
  if (state.error) line(vscode.l10n.t('Why'), state.error.message);
  for (const note of state.notes.filter(({ level }) => level === 'warning').slice(-3))
    line(vscode.l10n.t('Warning'), note.message);
  return text;
}
