/** Ids that descriptions show ("e.g. PT-2004"): a patient's is none of an appointment. */
import { propertiesOf } from '../../../protocol/arguments';
import { splitWords } from '../../../base/words';
import type { PromptTool } from '../../tokenizer/chatTemplate';

/** How the ids of a parameter begin, and how those of other things do. */
export interface IdKind {
  own: string;
  others: readonly string[];
}

type Schema = Record<string, unknown>;
const SHOWN = /\b(?:e\.\s?g\.|such as|like|for example|example:),?\s*["'`(]?([A-Za-z]{1,6}[-_]?)\d{2,}/i;
/** Of two ends of one kind each may show another. */
const NO_THING = /^(?:from|to|source|target|parent|child|other|new|old|first|second|next|previous)$/;

/** The kinds of ids of a set of tools, by the parameters' names: "patientId". */
export class ShownIds {
  private readonly kinds: ReadonlyMap<string, IdKind>;

  constructor(tools: readonly PromptTool[]) {
    const shownFor = new Map<string, Set<string>>();
    for (const { parameters } of tools)
      for (const [name, schema] of Object.entries(propertiesOf(parameters))) {
        const shown = isIdName(name) ? shownIn(schema) : null;
        if (shown !== null) shownFor.set(name, (shownFor.get(name) ?? new Set()).add(shown));
      }
    // one that shows two says nothing
    const own = [...shownFor].flatMap(([name, [one, another]]) =>
      another === undefined ? [[name, one!] as const] : [],
    );
    const all = [...new Set(own.map(([, prefix]) => prefix))];
    const kindOf = (prefix: string): IdKind => ({ own: prefix, others: all.filter((one) => one !== prefix) });
    this.kinds = new Map(all.length < 2 ? [] : own.map(([name, prefix]) => [name, kindOf(prefix)]));
  }

  /** null: nothing is shown for it, or for no other */
  kindOf(name: string): IdKind | null {
    return this.kinds.get(name) ?? null;
  }
}

/** patientId, pupil_ids: of a thing. */
function isIdName(name: string): boolean {
  const words = splitWords(name);
  return words.length > 1 && /^ids?$/.test(words.at(-1)!) && !words.some((word) => NO_THING.test(word));
}

function shownIn({ description, items }: Schema): string | null {
  const inner = typeof items === 'object' && items !== null ? (items as Schema).description : undefined;
  const told = [description, inner].find((one) => typeof one === 'string' && SHOWN.test(one));
  return told === undefined ? null : SHOWN.exec(told as string)![1]!;
}

/** Is the text such an id? */
export const isIdOf = (prefix: string, text: string): boolean =>
  text.startsWith(prefix) && /^\d+$/.test(text.slice(prefix.length));
