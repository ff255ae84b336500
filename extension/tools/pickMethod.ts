/** The train pick's list of how is trained: a method, a pipeline, what a teacher shows, or a known recipe. */
import * as vscode from 'vscode';
import type { Method } from '../../trainer/protocol/runConfig';
import { RECIPES, type RecipeName } from '../../trainer/protocol/settings/recipes';
import { AUTO, readStages } from '../../trainer/protocol/stages';
import { checked, type PickHost } from './pickHost';
import { chooseTeacher, teacherName } from './pickTeacher';
import { PLAIN, type How } from './runChoices';
import { separator, type Row } from './trainPickInput';

const METHODS: [Method, string, string][] = [
  ['grpo', 'GRPO', vscode.l10n.t('it makes several attempts, rewards tell which were better')],
  ['sft', 'SFT', vscode.l10n.t('it is shown the right calls')],
  ['dpo', 'DPO', vscode.l10n.t('better against worse answers, mined from scored groups')],
];
const EXAMPLE = 'sft:48,grpo:64,dpo:32';
/** In a few words, for the row that starts. */
export function howWords({ method, stages, recipe, teacher }: How): string {
  if (teacher) {
    const name = teacherName(teacher);
    switch (teacher.next) {
      case 'sft':
        return vscode.l10n.t('distil from {0}', name);
      case 'grpo':
        return vscode.l10n.t('distil from {0}, then grpo', name);
      case 'auto':
        return vscode.l10n.t('distil from {0}, then a pipeline (auto)', name);
    }
  }
  if (stages === AUTO) return vscode.l10n.t('pipeline (auto)');
  if (stages !== null) return stages.replaceAll(',', ' → ');
  if (recipe !== null) return vscode.l10n.t('recipe {0}', recipe);
  return method;
}

export function chooseMethod(pick: PickHost): void {
  const { method, stages, recipe, teacher } = pick.choices;
  const isPlain = stages === null && recipe === null && teacher === null;
  const rows: Row[] = [
    ...METHODS.map(
      ([value, label, detail]): Row => ({
        label: checked(isPlain && value === method, label),
        description: detail,
        run: () => pick.change({ ...PLAIN, method: value }),
      }),
    ),
    separator(vscode.l10n.t('several methods, with a gate between')),
    {
      label: checked(stages === AUTO, vscode.l10n.t('Pipeline (auto)')),
      description: vscode.l10n.t('a rehearsal chooses the stages, and says why'),
      run: () => pick.change({ ...PLAIN, stages: AUTO }),
    },
    {
      label: checked(stages !== null && stages !== AUTO, vscode.l10n.t('Pipeline…')),
      description: stages !== null && stages !== AUTO ? stages : vscode.l10n.t('type its stages, {0}', EXAMPLE),
      run: () => typeStages(pick),
    },
    separator(vscode.l10n.t('a larger model shows how')),
    {
      label: checked(teacher !== null, vscode.l10n.t('Distil from a Teacher…')),
      description: teacher
        ? teacherName(teacher)
        : vscode.l10n.t('a server, or a GGUF file; what passes is learned from'),
      run: () => chooseTeacher(pick),
    },
    separator(vscode.l10n.t('settings of a paper')),
    ...(Object.keys(RECIPES) as RecipeName[]).map(
      (name): Row => ({
        label: checked(recipe === name, name),
        description: RECIPES[name].source,
        detail: RECIPES[name].what,
        run: () => pick.change({ ...PLAIN, recipe: name }),
      }),
    ),
  ];
  pick.list(
    vscode.l10n.t('Method'),
    vscode.l10n.t('Press Enter to choose'),
    rows,
    rows.find(({ label }) => label.startsWith('$(check)')),
  );
}

/** The stages as text; what is none is said while it is typed. */
function typeStages(pick: PickHost): void {
  const { stages } = pick.choices;
  const row = (text: string): Row => ({
    label: text.replaceAll(/\s/g, ''),
    description: vscode.l10n.t('each stage begins with what its gate passed on'),
    detail: /\bsft\b/.test(text)
      ? vscode.l10n.t('On generated tasks a step of sft is one of a warm start: many updates')
      : undefined,
    alwaysShow: true,
    run: () => pick.change({ ...PLAIN, stages: text.replaceAll(/\s/g, '') }),
  });
  const known = [...new Set([...(stages === null || stages === AUTO ? [] : [stages]), EXAMPLE, 'sft:48,grpo:64'])];
  pick.list(vscode.l10n.t('Pipeline'), vscode.l10n.t('Choose, or type METHOD:STEPS,…'), known.map(row));
  pick.typed((text) => {
    if (text.trim() === '') return [];
    if (readStages(text) !== null) return [row(text)];
    return [
      {
        label: vscode.l10n.t('$(warning) no pipeline yet'),
        description: vscode.l10n.t('METHOD:STEPS,… with grpo, sft and dpo, such as {0}', EXAMPLE),
        alwaysShow: true,
        run: () => undefined,
      },
    ];
  });
}
