/** What is said before a run on preferences: what so few can and can't show, and what training leaves out, and why. */
import * as vscode from 'vscode';
import type { TrainingForecast } from '../../trainer/protocol/messages';
import { preferenceCommands } from '../contributions';
import { FEW_PAIRS, LEAST_CHANGED, needsAsking } from './trainOnPreferences';

const REASONS_SHOWN = 5;

/** @returns false: the person would not, or marks on */
export async function askBeforeTraining(forecast: TrainingForecast): Promise<boolean> {
  if (!needsAsking(forecast)) return true;
  const { taken } = forecast;
  const train = vscode.l10n.t('Train');
  const mark = vscode.l10n.t('Mark More');
  const question =
    taken === 1 ? vscode.l10n.t('Train on {0} pair?', taken) : vscode.l10n.t('Train on {0} pairs?', taken);
  const detail = [fewWords(taken), ...droppedWords(forecast), countedWords(forecast)].filter(Boolean).join('\n\n');
  const buttons = taken < FEW_PAIRS ? [train, mark] : [train];
  const chosen = await vscode.window.showWarningMessage(question, { modal: true, detail }, ...buttons);
  if (chosen === mark) await vscode.commands.executeCommand(preferenceCommands.markPairs);
  return chosen === train;
}

const fewWords = (taken: number): string =>
  taken >= FEW_PAIRS
    ? ''
    : vscode.l10n.t(
        'So few pairs can teach these very answers. Whether it got better in general, they can not show: where fewer than {0} tasks change, any change may be chance, and other tasks may get worse. From {1} pairs on a result can be told from chance.',
        LEAST_CHANGED,
        FEW_PAIRS,
      );

function droppedWords({ dropped }: TrainingForecast): string[] {
  if (dropped.length === 0) return [];
  const more = dropped.length - REASONS_SHOWN;
  return [
    [
      vscode.l10n.t('Left out:'),
      ...dropped.slice(0, REASONS_SHOWN).map((reason) => `– ${reason}`),
      ...(more > 0 ? [vscode.l10n.t('and {0} more', more)] : []),
    ].join('\n'),
  ];
}

const countedWords = ({ ties, bothBad, skipped }: TrainingForecast): string =>
  ties + bothBad + skipped === 0
    ? ''
    : vscode.l10n.t('Nothing is trained on: {0} equally good, {1} both bad, {2} skipped.', ties, bothBad, skipped);
