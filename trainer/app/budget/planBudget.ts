/**
 * The limits of a run's episodes, from what the prompt of its tools, a turn and a result take, inside the model's
 * context. Runs, `coach evaluate` and tries plan
 * alike, and before and after are measured with one budget. What was always enough stays as it was: a run whose longest
 * task fits into the least limits has those.
 */
import type { Budget } from '../../protocol/budget';
import { UserError } from '../../protocol/result';
import type { Note, NoteCode } from '../../protocol/note';
import type { Limits, RunConfig } from '../../protocol/runConfig';
import type { GoldCall, Task, ToolSchema } from '../../protocol/task';
import { DEFAULTS, type UpdateSize } from '../../protocol/settings/defaults';
import { leastLimits } from '../settings';
import { TextLengths, type Reader } from './measureTexts';
import { FIND_TOOLS, foundAtOnce, foundResult } from '../../tools/retrieval/findTools';
import { longestTools } from '../../tools/retrieval/shownTools';
import { shorten, SHORTENINGS } from './shorten';
import { updateTokens } from './updateTokens';
import { LEAST_ANSWER, UNSEEN_RESULT, needsOf, type Needs } from './needs';

/** A call that was made while tasks were, and what the policy would have read. */
export interface SeenResult extends GoldCall {
  content: string;
}

export interface BudgetOptions {
  config: RunConfig;
  tools: readonly ToolSchema[];
  tasks: readonly Task[];
  seen: readonly SeenResult[];
}

export interface PlannedBudget {
  limits: Limits;
  budget: Budget;
  /** as the policy is to read them */
  tools: ToolSchema[];
  /** of one update on demonstrations, worked out for who trains; null where there are no tasks */
  updateSize(): UpdateSize | null;
  notes: Note[];
}

/** Of the context a result may take this share: two of them leave most of it to the tools. */
const RESULT_SHARE = 1 / 8;
const LEAST_RESULT = 32;

export const roundUp = (n: number, to: number): number => Math.ceil(n / to) * to;
const figure = (n: number): string => n.toLocaleString('en');

/** @throws UserError where the tools don't fit into the model, with numbers */
export function planBudget({ config, tools, tasks, seen }: BudgetOptions, reader: Reader): PlannedBudget {
  const lengths = new TextLengths(reader);
  const { context } = reader;
  const shownOf = (of: readonly ToolSchema[]): readonly ToolSchema[] => longestShown(config, of, tasks, lengths);
  const least = leastLimits(config);
  const needs = withLookUp(needsOf(lengths, tools, tasks, seen, context), config, tools, lengths);
  const turn = config.maxTurnTokens ?? Math.max(least.maxTurnTokens, Math.min(roundUp(needs.turn + 8, 16), context));
  const cap = Math.max(LEAST_RESULT, Math.floor((context * RESULT_SHARE) / 16) * 16);
  const planned =
    config.maxTokens === undefined
      ? fit(needs, tools, { lengths, shownOf, context, cap })
      : { tools: [...tools], shortened: {}, result: Math.min(cap, resultOf(needs)) };
  const opening = lengths.opening(shownOf(planned.tools));
  const prompt = opening + needs.request;
  const calls = Math.max(1, Math.min(config.maxTurns - 1, Math.max(2, needs.calls)));
  const whole = needs.taskAt(opening, Infinity);
  const isEnough = whole <= Math.min(context, least.maxTokens);
  const task = isEnough || config.maxTokens !== undefined ? whole : needs.taskAt(opening, planned.result);
  const wanted = roundUp(Math.max(task, prompt + calls * (turn + planned.result) + turn), 64);
  const maxTokens = config.maxTokens ?? Math.min(context, isEnough ? least.maxTokens : wanted);
  const room = isEnough ? Math.max(LEAST_RESULT, maxTokens - prompt - needs.call - needs.answer) : planned.result;
  const isCut = config.toolOutputBytes === undefined && needs.result > room;
  const toolOutputBytes =
    config.toolOutputBytes ??
    (isCut || (!isEnough && config.maxTokens === undefined)
      ? Math.max(64, Math.min(least.toolOutputBytes, Math.floor(room * needs.bytesPerToken)))
      : least.toolOutputBytes);
  const set = (['maxTokens', 'maxTurnTokens', 'toolOutputBytes'] as const).filter((name) => config[name] !== undefined);
  const budget: Budget = {
    context,
    prompt,
    turn,
    result: isEnough ? Math.min(room, Math.max(planned.result, needs.result)) : planned.result,
    longestResult: needs.result,
    calls,
    task,
    maxTokens,
    set,
    shortened: planned.shortened,
  };
  return {
    limits: { maxTokens, maxTurnTokens: turn, toolOutputBytes },
    budget,
    tools: planned.tools,
    updateSize: () => {
      const tokens = updateTokens(config, shownOf(planned.tools), tasks, lengths, {
        resultOf: (call) => {
          const result = needs.resultOf(call);
          return result && Math.min(result, budget.result);
        },
        mostTold: LEAST_ANSWER,
      });
      return tokens === null ? null : { tokens, weights: reader.weights };
    },
    notes: notesOf(budget, needs, isCut),
  };
}

/** The longest of those that one request may be shown, by the settings; all where nothing is said. */
function longestShown(
  { shownTools, shownAlways = [], findTools = DEFAULTS.findTools }: RunConfig,
  tools: readonly ToolSchema[],
  tasks: readonly Task[],
  lengths: TextLengths,
): readonly ToolSchema[] {
  if (!shownTools) return tools;
  const own = findTools ? [FIND_TOOLS] : [];
  const sizeOf = ({ calls = [] }: Task): number => new Set([...shownAlways, ...calls.map(({ name }) => name)]).size;
  const most = tasks.reduce((size, task) => Math.max(size, sizeOf(task)), shownTools);
  return [...own, ...longestTools(tools, most, (tool) => lengths.tool(tool))];
}

/** A look-up by the words of the longest request, and what it finds, are read with it in one prompt. */
function withLookUp(
  needs: Needs,
  { shownTools, shownAlways = [], findTools }: RunConfig,
  tools: readonly ToolSchema[],
  lengths: TextLengths,
): Needs {
  if (!findTools || !shownTools) return needs;
  const found = longestTools(tools, foundAtOnce(shownTools - shownAlways.length), (tool) => tool.description.length);
  const call = lengths.call({ name: FIND_TOOLS.name, arguments: { query: '' } }, FIND_TOOLS) + needs.request;
  const room = call + lengths.result(foundResult(found), FIND_TOOLS);
  return {
    ...needs,
    request: needs.request + room,
    turn: Math.max(needs.turn, call),
    taskAt: (opening, result) => needs.taskAt(opening, result) + room,
  };
}

/** The room that is kept for a result. */
const resultOf = ({ result }: Needs): number => Math.max(LEAST_RESULT, roundUp(result || UNSEEN_RESULT, 16));

interface Fitted {
  tools: ToolSchema[];
  shortened: Budget['shortened'];
  result: number;
}

/**
 * The tools' text made shorter, what matters least first and the longest tool before the others, until the longest
 * task fits; then the results' room.
 */
function fit(
  needs: Needs,
  tools: readonly ToolSchema[],
  {
    lengths,
    shownOf,
    context,
    cap,
  }: {
    lengths: TextLengths;
    /** the longest of them that stand in one prompt */
    shownOf(tools: readonly ToolSchema[]): readonly ToolSchema[];
    context: number;
    /** of a result */
    cap: number;
  },
): Fitted {
  const fitted: Fitted = { tools: [...tools], shortened: {}, result: Math.min(cap, resultOf(needs)) };
  const openingNow = (): number => lengths.opening(shownOf(fitted.tools));
  const needed = (): number => needs.taskAt(openingNow(), fitted.result);
  let length = needed();
  for (const how of SHORTENINGS) {
    for (const { i } of fitted.tools
      .map((tool, at) => ({ i: at, length: lengths.tool(tool) }))
      .sort((a, b) => b.length - a.length)) {
      if (length <= context) return fitted;
      const [tool, shorter] = [fitted.tools[i]!, shorten(fitted.tools[i]!, how)];
      if (lengths.tool(shorter) >= lengths.tool(tool)) continue;
      fitted.tools[i] = shorter;
      (fitted.shortened[tool.name] ??= []).push(how);
      length = needed();
    }
  }
  while (needed() > context && fitted.result > LEAST_RESULT) fitted.result -= 16;
  if (needed() <= context) return fitted;
  const longest = [...fitted.tools]
    .sort((a, b) => lengths.tool(b) - lengths.tool(a))
    .slice(0, 3)
    .map((tool) => `${tool.name} ${figure(lengths.tool(tool))}`)
    .join(', ');
  const shown = shownOf(fitted.tools).length;
  throw new UserError(
    'config',
    `${shown < tools.length ? `${shown} of ` : ''}${tools.length} tools do not fit into this model: their prompt takes ` +
      `${figure(openingNow() + needs.request)} tokens as short as it can be, the ` +
      `longest task with its calls and results ${figure(needed())}, the model holds ` +
      `${figure(context)}. The longest: ${longest}`,
    'Coach on fewer tools (a file or folder that holds some of them), show each request fewer (--set shownTools=5), ' +
      'shorten the first sentences and lists of choices of the longest, or take a model with a longer context (--model).',
  );
}

const LEFT_OUT = {
  examples: 'examples',
  parameters: 'descriptions of parameters',
  sentences: 'all but the first sentence',
} as const;

function notesOf(b: Budget, needs: Needs, isCut: boolean): PlannedBudget['notes'] {
  const notes: PlannedBudget['notes'] = [
    {
      level: 'info',
      code: 'budget',
      message:
        `Budget: prompt ${figure(b.prompt)} tokens, a turn up to ${figure(b.turn)}, results up to ` +
        `${figure(b.result)}: maxTokens ${figure(b.maxTokens)} of ` +
        `${figure(b.context)}${b.set.length > 0 ? ` (${b.set.join(', ')} as set)` : ''}`,
    },
  ];
  const warn = (code: NoteCode, message: string): void => void notes.push({ level: 'warning', code, message });
  const shortened = Object.entries(b.shortened);
  if (shortened.length > 0)
    warn(
      'toolTextShortened',
      `the text of ${shortened.length} tool${shortened.length === 1 ? '' : 's'} is longer than ` +
        'this model can hold, so the policy does not see ' +
        `${shortened.map(([name, how]) => `${name}'s ${how.map((one) => LEFT_OUT[one]).join(' and ')}`).join(', ')}`,
    );
  if (isCut)
    warn(
      'resultsCut',
      `the longest result that a tool gave takes ${figure(b.longestResult)} tokens; results are ` +
        `cut in their middle to about ${figure(b.result)}. Let the tools return less, or set toolOutputBytes`,
    );
  if (b.set.includes('maxTokens') && b.prompt >= b.maxTokens)
    warn(
      'promptTooLong',
      `maxTokens ${figure(b.maxTokens)} leaves no room to write: the prompt alone takes up to ` +
        `${figure(b.prompt)} tokens. Leave maxTokens out, and it is planned`,
    );
  else if (b.set.includes('maxTokens') && b.task > b.maxTokens)
    warn(
      'taskTooLong',
      `maxTokens ${figure(b.maxTokens)} is too small for the longest task: solved by its gold ` +
        `calls it takes ${figure(b.task)} tokens. Leave maxTokens out, and it is planned`,
    );
  if (b.set.includes('maxTurnTokens') && needs.call > b.turn)
    warn(
      'callTooLong',
      `maxTurnTokens ${figure(b.turn)} is too small for the longest gold call, which takes ` +
        `${figure(needs.call)} tokens. Leave maxTurnTokens out, and it is planned`,
    );
  return notes;
}
