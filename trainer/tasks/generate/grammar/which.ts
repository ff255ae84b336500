/** Of a look-up that gives only some: "which tanks are empty?", "tell me which of the loans are overdue". */
import type { Random } from '../../../base/random';
import { fill } from './fill';
import { isBehind } from './flags';
import type { Part, Parts } from './parts';
import type { CoreKind } from './sentence';
import { plural } from './thing';
import type { ToolTalk } from './toolTalk';

/** So often the switch is what is asked. */
const ASKED = 0.35;

const QUESTIONS: readonly string[] = [
  'which {t} are {q}',
  'which {t} are {q}',
  'which of the {t} are {q}',
  'what {t} are {q}',
  'are there any {q} {t}',
  'do we have any {q} {t}',
  'are any of the {t} {q}',
  'any {q} {t}',
];
const LEADS: Readonly<Record<'order' | 'statement', readonly string[]>> = {
  order: ['tell me', 'show me', 'check', 'find out', 'see'],
  statement: ["I'd like to know", 'I need to know', 'I want to know', "I'm wondering"],
};
const INDIRECT: readonly string[] = ['which {t} are {q}', 'which of the {t} are {q}', 'what {t} are {q}'];

/** @returns null: it is not asked so; else the text, and the parts that it says */
export function whichOf(
  kind: Exclude<CoreKind, 'ellipsis'>,
  talk: ToolTalk,
  { all, identity }: Parts,
  random: Random,
): { text: string; said: readonly Part[] } | null {
  if (!talk.isPlural || identity !== null) return null;
  const part = all.find(({ parameter: { wanted }, said }) => wanted !== null && said !== false && !isBehind(wanted));
  if (!part || random.next() > ASKED) return null;
  const q = typeof part.said === 'string' ? part.said : part.parameter.wanted!;
  const asked = fill(random.pick(kind === 'question' ? QUESTIONS : INDIRECT), { t: plural(talk.nouns[0]!), q });
  return { text: kind === 'question' ? asked : `${random.pick(LEADS[kind])} ${asked}`, said: [part] };
}
