/** The train pick's list of steps. */
import * as vscode from 'vscode';
import { checked, type PickHost } from './pickHost';
import type { Row } from './trainPickInput';

const STEPS = [24, 64, 128, 256];

export const stepsText = (steps: number): string =>
  steps === 1 ? vscode.l10n.t('{0} step', steps) : vscode.l10n.t('{0} steps', steps);

export function chooseSteps(pick: PickHost): void {
  const { steps } = pick.choices;
  const values = [...new Set([...STEPS, steps])].sort((a, b) => a - b);
  const rows = values.map(
    (value): Row => ({
      label: checked(value === steps, stepsText(value)),
      description: pick.input.estimate({ ...pick.choices, steps: value }) ?? '',
      run: () => pick.change({ steps: value }),
    }),
  );
  pick.list(vscode.l10n.t('Steps'), vscode.l10n.t('Choose, or type a number'), rows, rows[values.indexOf(steps)]);
  pick.typed((text) => {
    const value = Number(text);
    const isNew = /^\d+$/.test(text.trim()) && value >= 1 && value <= 100_000 && !values.includes(value);
    return isNew ? [{ label: stepsText(value), alwaysShow: true, run: () => pick.change({ steps: value }) }] : [];
  });
}
