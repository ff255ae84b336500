/** What the writer is asked for: kinds of requests, how hard, in which style. Pure. */
import type { Random } from '../../base/random';
import type { Task, ToolSchema } from '../../protocol/task';

export const KINDS = ['oneCall', 'chain', 'noTool', 'lacksParameter'] as const;
export type Kind = (typeof KINDS)[number];

export const KIND_WORDS: Readonly<Record<Kind, string>> = {
  oneCall: 'solved by exactly one call of one tool',
  chain:
    'solved by two calls in order: the first looks something up, the second uses a value of its ' +
    'result that the person does not know and does not say (a person names things as people know ' +
    'them, by name or title, and not by id)',
  noTool:
    'for which none of the tools may be called: small talk, general knowledge, or something in ' +
    'the same field that none of these tools can do ("calls" is [])',
  lacksParameter:
    'that mean one of the tools but leave out something it requires and nobody could guess, so ' +
    'that the right thing is to ask back and call nothing ("calls" is [])',
};

const STYLES = [
  'short commands, as one types them in a hurry',
  'polite questions in whole sentences',
  'chatty, with a reason or a remark around the request',
  'a statement of a need, without a question',
  'terse, words left out, small letters',
  'with a typo or two, as on a phone',
  'precise and formal',
  'with a detail that does not matter',
];
const DIFFICULTIES = [
  'easy: all values as they are',
  'medium: optional parameters left out, or numbers and dates in words',
  'hard: other words than those of the tool, more than one value, a distractor',
];

export interface Wish {
  kind: Kind;
  style: string;
  difficulty: string /** of the tool that the requests are about; null: any */;
  tool: string | null;
}

/**
 * Three fifths one call, a fifth chains (where there are two tools), the rest none; tools, styles and difficulties in
 * turn.
 */
export function wishes(tools: readonly ToolSchema[], count: number, random: Random): Wish[] {
  const kinds: Kind[] =
    tools.length > 1
      ? ['oneCall', 'oneCall', 'chain', 'oneCall', 'noTool', 'oneCall', 'chain', 'oneCall', 'lacksParameter', 'oneCall']
      : ['oneCall', 'oneCall', 'oneCall', 'noTool', 'oneCall', 'lacksParameter'];
  const [styles, difficulties, names] = [
    random.shuffle(STYLES),
    random.shuffle(DIFFICULTIES),
    random.shuffle(tools.map(({ name }) => name)),
  ];
  let about = 0;
  return Array.from({ length: count }, (_, i) => {
    const kind = kinds[i % kinds.length]!;
    return {
      kind,
      style: styles[i % styles.length]!,
      difficulty: difficulties[i % difficulties.length]!,
      tool: kind === 'noTool' || kind === 'chain' ? null : names[about++ % names.length]!,
    };
  });
}

/** Is the task of the kind that was asked for? */
export function isOfKind({ calls = [] }: Pick<Task, 'calls'>, kind: Kind): boolean {
  return kind === 'oneCall' ? calls.length === 1 : kind === 'chain' ? calls.length >= 2 : calls.length === 0;
}
