/** The train pick's questions about a teacher: who, its key, and what comes behind what it shows. */
import * as vscode from 'vscode';
import path from 'node:path';
import { modelName } from '../../trainer/protocol/modelName';
import type { PickHost } from './pickHost';
import { browseGguf } from './pickModel';
import { PLAIN, type TeacherChoice } from './runChoices';
import { separator, type Row } from './trainPickInput';

/** A server's address with the model's name there, or a model of this disk. */
export type Who = Pick<TeacherChoice, 'at' | 'model'>;

export const teacherName = ({ at, model }: Who): string => model ?? path.basename(modelName(at));

export function chooseTeacher(pick: PickHost): void {
  const { teacher } = pick.choices;
  const rows: Row[] = [
    ...(teacher
      ? [
          {
            label: `$(check) ${teacherName(teacher)}`,
            description: teacher.at,
            run: () => chooseThen(pick, teacher),
          },
          separator(vscode.l10n.t('another one')),
        ]
      : []),
    {
      label: vscode.l10n.t('$(server) Server…'),
      description: vscode.l10n.t('an OpenAI-compatible address, such as http://127.0.0.1:8080/v1'),
      run: () =>
        void pick.elsewhere(
          () => askServer(teacherQuestions(), teacher, pick.input.askTeacherKey),
          (who) => chooseThen(pick, who),
        ),
    },
    {
      label: vscode.l10n.t('$(file-binary) GGUF file…'),
      description: vscode.l10n.t('a whole model in one file, as llama.cpp, Ollama and LM Studio have them'),
      run: () => void pick.elsewhere(browseGguf, (at) => chooseThen(pick, { at, model: null })),
    },
  ];
  pick.list(vscode.l10n.t('Teacher'), vscode.l10n.t('Who shows the right calls?'), rows, rows[0]);
}

/** What is asked about a server, in words. */
export interface ServerQuestions {
  address: string;
  /** what it is sent */
  sent: string;
  model: string;
}

const teacherQuestions = (): ServerQuestions => ({
  address: vscode.l10n.t('Teacher: Address'),
  sent: vscode.l10n.t(
    'Of an OpenAI-compatible server. It is sent the requests of your tasks, your tools, and what they return.',
  ),
  model: vscode.l10n.t('Teacher: Model'),
});

/**
 * Address, model and key of a server; the key stays in the secret storage, for this server alone.
 * @param askKey whether the person answered
 */
export async function askServer(
  words: ServerQuestions,
  before: Who | null,
  askKey: (address: string) => Promise<boolean>,
): Promise<Who | undefined> {
  const at = await vscode.window.showInputBox({
    title: words.address,
    value: before?.model ? before.at : '',
    placeHolder: 'http://127.0.0.1:8080/v1',
    prompt: words.sent,
    ignoreFocusOut: true,
    validateInput: (text) =>
      text === '' || isAddress(text.trim()) ? undefined : vscode.l10n.t('An address is http://… or https://…'),
  });
  if (!at?.trim()) return undefined;
  const model = await vscode.window.showInputBox({
    title: words.model,
    value: before?.model ?? '',
    placeHolder: 'qwen3',
    prompt: vscode.l10n.t('As the server calls it.'),
    ignoreFocusOut: true,
  });
  if (!model?.trim()) return undefined;
  return (await askKey(at.trim())) ? { at: at.trim(), model: model.trim() } : undefined;
}

const isAddress = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

function chooseThen(pick: PickHost, who: Who): void {
  const row = (next: TeacherChoice['next'], label: string, description: string): Row => ({
    label,
    description,
    run: () => pick.change({ ...PLAIN, teacher: { at: who.at, model: who.model, next } }),
  });
  pick.list(vscode.l10n.t('Distil from {0}', teacherName(who)), vscode.l10n.t('What comes behind it?'), [
    row('sft', vscode.l10n.t('SFT on what it showed'), vscode.l10n.t('nothing behind it')),
    row('grpo', vscode.l10n.t('SFT, then GRPO'), vscode.l10n.t('as many steps each, with a gate between')),
    row('auto', vscode.l10n.t('Pipeline (auto)'), vscode.l10n.t('SFT first; a rehearsal chooses what follows')),
  ]);
}
