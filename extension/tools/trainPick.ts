/**
 * Starting a run: one quick pick. Enter starts; every other row changes one thing, in the same pick, and comes back to
 * it.
 * What was started last on a file is offered first the next time.
 */
import * as vscode from 'vscode';
import path from 'node:path';
import type { FoundModel } from '../../trainer/protocol/messages';
import { EMBEDDED_WORDS } from '../../trainer/protocol/modelName';
import type { ToolNetwork, ToolPolicy } from '../../trainer/protocol/runConfig';
import { tasksFileName } from '../../trainer/protocol/taskFileName';
import { CONFIGURATION } from '../contributions';
import type { TaskPreview } from './taskPreview';
import { Owner } from '../window/disposables';
import { checked, type PickHost } from './pickHost';
import { chooseMethod, howWords } from './pickMethod';
import { chooseModel, nameOfModel } from './pickModel';
import { chooseSteps, stepsText } from './pickSteps';
import { PLAIN, stepsOf } from './runChoices';
import {
  type TrainPickInput,
  type Choices,
  type Row,
  mockedTools,
  rewardAndJudge,
  taskRows,
  sourcesOf,
  whichRun,
  smallest,
  separator,
  whereFound,
  otherSettings,
} from './trainPickInput';

const POLICIES: [ToolPolicy | 'auto', string, string][] = [
  ['auto', vscode.l10n.t('mock what changes the world'), vscode.l10n.t('all other tools really run')],
  ['real', vscode.l10n.t('run all'), vscode.l10n.t('also tools that send, delete, pay or write')],
  ['mock', vscode.l10n.t('mock all'), vscode.l10n.t('no tool runs')],
  ['ask', vscode.l10n.t('ask me'), vscode.l10n.t('once for each tool; without a window the tool is mocked')],
];
const NETWORK: Record<ToolNetwork, string> = {
  allow: vscode.l10n.t('tools can reach it'),
  deny: vscode.l10n.t('walled off, or the run is refused'),
};

/** @returns what to start with; undefined: the user thought better of it */
export function pickTraining(input: TrainPickInput): Promise<Choices | undefined> {
  return new Promise((resolve) => new TrainPick(input, resolve).show());
}

class TrainPick extends Owner implements PickHost {
  private readonly pick = this.own(vscode.window.createQuickPick<Row>());
  choices: Choices;
  private isChanged = false;
  private isSettled = false;
  private back: (() => void) | null = null;
  /** while a list takes what is typed */
  private typing: vscode.Disposable | null = null;
  /** null: not asked for yet */
  private preview: TaskPreview | null = null;
  /** by method and model; null: on its way, or not to be told */
  private readonly memory = new Map<string, string | null>();
  /** null: not looked for yet */
  private found: FoundModel[] | null = null;

  constructor(
    readonly input: TrainPickInput,
    private readonly settle: (choices: Choices | undefined) => void,
  ) {
    super();
    const { method, model, steps, toolPolicy } = input.last ?? input.settings;
    this.choices = { ...PLAIN, ...input.last, method, model, steps, toolPolicy };
    this.pick.ignoreFocusOut = false;
    this.own(this.pick.onDidAccept(() => (this.pick.activeItems[0] ?? this.pick.selectedItems[0])?.run()));
    this.own(this.pick.onDidTriggerButton(() => this.back?.()));
    this.own(this.pick.onDidHide(() => this.end(undefined)));
    this.own({ dispose: () => this.typing?.dispose() });
  }

  show(): void {
    this.main();
    this.pick.show();
    void this.lookForModels();
  }

  private end(choices: Choices | undefined): void {
    if (this.isSettled) return;
    this.isSettled = true;
    this.settle(choices);
    this.dispose();
  }

  /** The first list. `focus`: the row that was just changed keeps the cursor only until Enter would start. */
  main(): void {
    const { model, steps, toolPolicy } = this.choices;
    const { tools, file, faults, last, withoutTasks } = this.input;
    const mocked = mockedTools(tools, toolPolicy).length;
    const real = smallest(this.found ?? []);
    const how = howWords(this.choices);
    this.back = null;
    this.typing?.dispose();
    this.pick.buttons = [];
    this.pick.value = '';
    const counts = [
      tools.length === 1 ? vscode.l10n.t('{0} tool', tools.length) : vscode.l10n.t('{0} tools', tools.length),
      ...(mocked > 0 ? [vscode.l10n.t('{0} mocked', mocked)] : []),
      ...(faults > 0 ? [vscode.l10n.t('{0} unusable', faults)] : []),
    ].join(', ');
    this.pick.title = vscode.l10n.t('Train Agent on These Tools · {0} ({1})', path.basename(file), counts);
    this.pick.placeholder = vscode.l10n.t('Enter starts; the other rows change one thing each');
    const start: Row = {
      label:
        last && !this.isChanged
          ? vscode.l10n.t('$(play) Train with the last settings')
          : vscode.l10n.t('$(play) Start'),
      description: [
        nameOfModel(model, this.found),
        how,
        stepsText(stepsOf(this.choices)),
        this.input.estimate(this.choices) ?? vscode.l10n.t('time not known: no run like it yet'),
        this.memoryText(),
      ]
        .filter(Boolean)
        .join(' · '),
      ...(withoutTasks.length > 0 && {
        detail: vscode.l10n.t(
          '$(warning) no task for {0}: a quick fix at the tool writes an @example',
          withoutTasks.join(', '),
        ),
      }),
      run: () => this.end(this.choices),
    };
    const change = (label: string, description: string, run: () => void, detail?: string): Row => ({
      label,
      description: `${description}  ›`,
      ...(detail ? { detail } : {}),
      run,
    });
    this.pick.items = [
      start,
      separator(''),
      change(vscode.l10n.t('$(beaker) Method'), how, () => chooseMethod(this)),
      change(
        vscode.l10n.t('$(chip) Model'),
        model === 'nano' ? `nano, ${EMBEDDED_WORDS}` : nameOfModel(model, this.found),
        () => this.chooseModel(),
      ),
      ...(model === 'nano' && real
        ? [
            {
              label: vscode.l10n.t('$(sparkle) Take {0}', real.name),
              description: vscode.l10n.t('a language model on this computer: {0}', whereFound(real)),
              run: () => this.change({ model: real.path }),
            },
          ]
        : []),
      change(vscode.l10n.t('$(graph-line) Steps'), String(steps), () => chooseSteps(this)),
      change(
        vscode.l10n.t('$(shield) Tool policy'),
        POLICIES.find(([value]) => value === toolPolicy)?.[1] ?? toolPolicy,
        () => this.chooseOf(vscode.l10n.t('Tool policy'), POLICIES, toolPolicy, (value) => ({ toolPolicy: value })),
        whichRun(tools, toolPolicy),
      ),
      change(vscode.l10n.t('$(list-unordered) Tasks'), this.tasksText(), () => void this.showTasks()),
      change(vscode.l10n.t('$(star) Reward'), rewardAndJudge(this.input.settings), () => this.openSettings('rewards')),
      change(vscode.l10n.t('$(globe) Network'), NETWORK[this.input.settings.toolNetwork], () =>
        this.openSettings('toolNetwork'),
      ),
      change(vscode.l10n.t('$(settings-gear) Everything else'), otherSettings(this.input.settings), () =>
        this.openSettings('training'),
      ),
    ];
    this.pick.activeItems = [start];
  }

  /** Nothing while it is reckoned. */
  private memoryText(): string | null {
    const { method, model } = this.choices;
    const key = `${method} ${model}`;
    const known = this.memory.get(key);
    if (known !== undefined) return known;
    this.memory.set(key, null);
    void this.input.memory(this.choices).then((words) => {
      this.memory.set(key, words);
      if (!this.isSettled && words !== null) this.redraw();
    });
    return null;
  }

  private tasksText(): string {
    if (this.preview) return sourcesOf(this.preview);
    return this.input.hasTaskFile
      ? tasksFileName(this.input.file)
      : vscode.l10n.t('made when the run starts; choose to see them now');
  }

  /** Their number by who wrote them, five of them, and the way to all in an editor. */
  private async showTasks(): Promise<void> {
    this.pick.busy = true;
    this.pick.enabled = false;
    let problem: string | null = null;
    try {
      this.preview ??= (await this.input.preview(this.choices)) ?? null;
    } catch (error) {
      problem = (error as Error).message;
    }
    if (this.isSettled) return;
    this.pick.busy = false;
    this.pick.enabled = true;
    const { preview } = this;
    if (problem === null && !preview) return this.main();
    const rows = preview
      ? taskRows(preview, {
          open: () => {
            this.end(undefined);
            void this.input.openPreview(preview);
          },
          back: () => this.main(),
        })
      : [{ label: vscode.l10n.t('$(warning) There is no task'), detail: problem ?? '', run: () => this.main() }];
    this.list(vscode.l10n.t('Tasks'), vscode.l10n.t('What the model is asked'), rows, rows[0]);
  }

  private openSettings(key: 'toolNetwork' | 'training' | 'rewards'): void {
    this.end(undefined);
    void vscode.commands.executeCommand('workbench.action.openSettings', `${CONFIGURATION}.${key}`);
  }

  change(changes: Partial<Choices>): void {
    if (changes.toolPolicy !== undefined) this.preview = null; // tools that run give other values
    this.choices = { ...this.choices, ...changes };
    this.isChanged = true;
    this.main();
  }

  /** A list of values in the place of the first one; the back button returns. */
  list(title: string, placeholder: string, rows: Row[], active?: Row): void {
    this.back = () => this.main();
    this.typing?.dispose();
    this.pick.value = '';
    this.pick.title = `${title} · ${path.basename(this.input.file)}`;
    this.pick.placeholder = placeholder;
    this.pick.buttons = [vscode.QuickInputButtons.Back];
    this.pick.items = rows;
    this.pick.activeItems = active ? [active] : [];
  }

  private chooseOf<T extends string>(
    title: string,
    values: [T, string, string][],
    current: T,
    toChange: (value: T) => Partial<Choices>,
  ): void {
    const rows = values.map(
      ([value, label, detail]): Row => ({
        label: checked(value === current, label),
        description: detail,
        run: () => this.change(toChange(value)),
      }),
    );
    this.list(
      title,
      vscode.l10n.t('Press Enter to choose'),
      rows,
      rows[values.findIndex(([value]) => value === current)],
    );
  }

  /** Rows for what is typed, before those of the list that is shown. */
  typed(rowsFor: (text: string) => Row[]): void {
    const rows = this.pick.items;
    this.typing?.dispose();
    this.typing = this.pick.onDidChangeValue((text) => {
      this.pick.items = [...rowsFor(text), ...rows];
    });
  }

  private chooseModel(): void {
    chooseModel(this, this.found ?? []);
    if (this.found === null && !this.pick.busy) void this.lookForModels();
  }

  /** The list that is shown, with what was found, the cursor where it was. */
  private redraw(): void {
    const [active] = this.pick.activeItems;
    if (this.pick.title?.startsWith(`${vscode.l10n.t('Model')} ·`)) this.chooseModel();
    else if (this.back === null && this.pick.value === '')
      this.main(); // who types is not disturbed
    else return;
    const same = this.pick.items.find(({ label }) => label === active?.label);
    if (same) this.pick.activeItems = [same];
  }

  /** Reads the heads of files of some GB: shown when it is done. */
  private async lookForModels(): Promise<void> {
    this.pick.busy = true;
    const all = await this.input.foundModels().catch(() => []);
    this.found = all.filter((each) => each.problem === null);
    if (this.isSettled) return;
    this.pick.busy = false;
    if (this.found.length > 0) this.redraw();
  }

  async elsewhere<T>(ask: () => Promise<T | undefined>, then: (answer: T) => void): Promise<void> {
    this.isSettled = true; // hiding it now is not a refusal
    const answer = await ask();
    this.isSettled = false;
    this.found = null; // a model may be new on this disk
    if (answer === undefined) this.main();
    else then(answer);
    this.pick.show();
  }
}
