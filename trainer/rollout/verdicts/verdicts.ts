/** The three verdicts on an episode, by rule. Pure but for `writeVerdicts`, which writes them onto its trace. */
import { allHold, type Difference, type Verdicts } from '../../protocol/verdicts';
import type { Task, ToolSchema } from '../../protocol/task';
import { withoutLookUps, type Trace } from '../../protocol/trace';
import { isTellingText } from '../../tasks/generate/pool/results';
import { otherLanguage } from '../../base/language';
import { answerOccurs, areMadeInOrder, meetsGold, outcomeOf, type Outcome } from '../../tasks/solved';
import { withoutThought } from '../parser';
import { differencesOf } from './differences';
import { grounding, statesSomething, type Said } from './grounded';

type Episode = Said & Pick<Trace, 'terminated' | 'truncated'>;

export interface Told {
  verdicts: Verdicts;
  answerFault: AnswerVerdict['why'];
  /** all that apply hold; null: the task names neither calls nor an answer */
  solved: boolean | null;
}

export interface AnswerVerdict {
  right: boolean | null;
  /** what is wrong with it; null: right, or not told */
  why: Extract<Difference, { what: 'noAnswer' | 'wrongAnswer' | 'notGrounded' | 'saysNothing' }> | null;
}

/**
 * Calls: those of the task are made, in order and with equal arguments, and nothing else changes the world
 * (`meetsGold`); null where the task names none.
 * Answer: see `answerVerdict`. Finished: the policy ended by itself.
 */
export function verdictsOf(task: Task, episode: Episode, outcome: Outcome, tools: readonly ToolSchema[]): Told {
  const { right, why } = answerVerdict(task, episode, outcome, tools);
  const verdicts = {
    callsRight: task.calls === undefined ? null : meetsGold({ ...task, answer: undefined }, outcome, tools),
    answerRight: right,
    finished: episode.terminated && episode.truncated === 'no',
  };
  const isToldByNothing = task.calls === undefined && task.answer === undefined;
  return { verdicts, answerFault: why, solved: isToldByNothing ? null : allHold(verdicts) };
}

/**
 * A task's own answer has to occur, and what stands beside it to be grounded (`grounding`) where calls were due: where
 * none were, it was worked out. Without one an answer has to be there, to say something where something was asked for
 * and found, and to be grounded; "No tool can do that" and a question back are answers where no call is due.
 * null: the request is in another language than English, whose words the rule does not know, and no answer is stated.
 */
function answerVerdict(task: Task, said: Said, outcome: Outcome, tools: readonly ToolSchema[]): AnswerVerdict {
  const reply = withoutThought(outcome.lastReply).trim();
  const wrong = (why: AnswerVerdict['why']): AnswerVerdict => ({ right: false, why });
  if (!/[\p{L}\p{N}]/u.test(reply)) return wrong({ what: 'noAnswer' });
  if (task.answer !== undefined) {
    if (!answerOccurs(task.answer, reply)) return wrong({ what: 'wrongAnswer' });
    const words = inventedBeside(task, task.answer, reply, said, tools);
    return words.length > 0 ? wrong({ what: 'notGrounded', words }) : { right: true, why: null };
  }
  if (otherLanguage(task.prompt) !== null) return { right: null, why: null };
  const { invented, saysSomething } = grounding(reply, ofDueCalls(task, said, outcome, tools), tools);
  if (invented.length > 0) return wrong({ what: 'notGrounded', words: invented });
  return isEnough(task, said, outcome, tools, { reply, saysSomething })
    ? { right: true, why: null }
    : wrong({ what: 'saysNothing' });
}

function inventedBeside(task: Task, answer: string, reply: string, said: Said, tools: readonly ToolSchema[]): string[] {
  if (!task.calls?.length || otherLanguage(task.prompt) !== null) return [];
  return grounding(reply, said, tools).invented.filter((word) => !answerOccurs(word, answer));
}

/** Words by which an answer refuses, or says that nothing could be done. */
export const REFUSES = /\b(?:no tool|can(?:'|’)?t|cannot|can not|unable|not able|(?:do not|don(?:'|’)t) know)\b/i;
const IS_DONE = /^\W*(?:it(?:'|’)?s |it is |all )?(?:done|ok|okay|set|complete|completed|finished)\b/i;
/** Words by which a request wants to be told something. */
const ASKS =
  /\b(?:what|which|who|whose|whom|when|where|why|how|whether|tell|show|list|find|look|search|check|know|number|price)\b/i;
/** A question beside what is to be done ("Here's B189, was it late?"), not a polite form of it ("Could you ...?"). */
const ASKS_BESIDES =
  /(?:^|[,;:.!?]\s*)(?:(?:and|so|but) )?(?!(?:how|what) about|why not|(?:do|are) you)(?:is|was|are|were|does|did|do|has|have|what|when|where|which|who|whose|why|how)\b[^.!?]*\?/i;
/** First words of tools that do something, though nothing of it stays; any other that changes nothing looks up. */
const ACTS = /^(?:play|start|stop|pause|resume|skip|turn|switch|open|close|lock|unlock|run|launch|print|ring|move)/i;
/** A sentence is not over with such a word: "I found no into." */
const ENDS_OPEN = /\b(?:a|an|the|and|or|nor|but|of|into|from|than|because|my|your|no)[^\p{L}\p{N}?]*$/iu;

function isEnough(
  task: Task,
  said: Said,
  outcome: Outcome,
  tools: readonly ToolSchema[],
  { reply, saysSomething }: { reply: string; saysSomething: boolean },
): boolean {
  const isDue = (task.calls?.length ?? 0) > 0;
  if (outcome.calls.length === 0) return !isDue && !(IS_DONE.test(reply) && !saysSomething);
  const due = ofDueCalls(task, said, outcome, tools).turns.flatMap(({ calls }) => calls);
  const ran = due.filter(({ result }) => result?.kind === 'ok');
  const found = ran.some(({ result }) => isTellingText(result!.content));
  if (REFUSES.test(reply)) return !found;
  const isAsDue = !isDue || isMade(task, outcome, tools);
  if (ENDS_OPEN.test(reply) && !/^\W*no\W*$/i.test(reply)) return false;
  // That nothing was found is no answer where something else was looked for; a failure may be told.
  if (ran.length > 0 && !found && !isAsDue) return false;
  if (saysSomething) return due.length > 0;
  if (ran.length > 0 && isAsDue && saysNoOrYes(reply, ran.at(-1)!.result!.content)) return true;
  // "Done." is not true where something else was done, or nothing, and tells nobody what was found.
  if (IS_DONE.test(reply) && task.calls && !isMade(task, outcome, tools)) return false;
  if (ran.length === 0) return !isDue && !IS_DONE.test(reply);
  return doneIsEnough(
    task.prompt,
    ran.map(({ name, result }) => ({ name, content: result!.content })),
    tools,
  );
}

/** That it was done answers a request for a change, or for an act of which there is nothing to tell. */
export function doneIsEnough(
  prompt: string,
  ran: readonly { name: string; content: string }[],
  tools: readonly ToolSchema[],
): boolean {
  const changed = ran.some(({ name }) => tools.find((tool) => tool.name === name)?.changesWorld);
  if (changed) return !ASKS_BESIDES.test(prompt);
  return !ASKS.test(prompt) && ran.every(({ name, content }) => ACTS.test(name) || !statesSomething(content));
}

/**
 * What has no words of its own is told by such: "I found none." of an empty result, "Yes." and "No." of a boolean one.
 */
function saysNoOrYes(reply: string, content: string): boolean {
  if (!isTellingText(content)) return SAYS_NONE.test(reply);
  const truth = /^\s*(?:(true)|false)\s*$/.exec(content);
  return truth !== null && (truth[1] ? /^\W*yes\b/i : /^\W*no\b/i).test(reply);
}
const SAYS_NONE = /\b(?:none|nothing|no one|nobody|not|no|zero|empty)\b/i;

const isMade = ({ calls = [] }: Task, outcome: Outcome, tools: readonly ToolSchema[]): boolean =>
  calls.length === 0 ? outcome.calls.length === 0 : areMadeInOrder(calls, outcome.calls, tools);

/**
 * An answer out of the results of other tools than those that were due is not what was asked. Where the right calls
 * were made, what else was looked up counts as well.
 */
function ofDueCalls(task: Task, said: Said, outcome: Outcome, tools: readonly ToolSchema[]): Said {
  if (!task.calls || isMade(task, outcome, tools)) return said;
  const due = new Set(task.calls.map(({ name }) => name));
  return {
    messages: said.messages,
    turns: said.turns.map(({ calls, ...turn }) => ({ ...turn, calls: calls.filter(({ name }) => due.has(name)) })),
  };
}

/** Writes onto the trace whether it solved the task, by which verdicts, and what differs from what was expected. */
export function writeVerdicts(trace: Trace, task: Task, tools: readonly ToolSchema[]): void {
  const told = withoutLookUps(trace);
  const { verdicts, answerFault, solved } = verdictsOf(task, told, outcomeOf(told), tools);
  const { calls, answer } = task;
  trace.solved = solved;
  trace.verdicts = verdicts;
  trace.expected = { ...(calls && { calls }), ...(answer !== undefined && { answer }) };
  trace.differences = differencesOf(task, told, verdicts, answerFault, tools);
}
