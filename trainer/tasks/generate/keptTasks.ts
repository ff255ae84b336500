/** The tasks that are taken: none is said twice, no content too often, and some phrasings are kept for held-out ones. */
import type { Random } from '../../base/random';
import type { Arguments } from '../../protocol/arguments';
import { REFUSAL_TAG } from '../../protocol/agentMetrics';
import type { Task, ToolSchema } from '../../protocol/task';
import { wordCount } from '../../tools/schema/words';
import { ASKS_TAG, contentKey, FINDS_NOTHING_TAG, HELD_OUT_ZONE, hashOf, NEW_PHRASING } from '../taskset';
import { isSaid } from './draftParts';
import type { Said } from './grammar/say';

export type Kind = 'oneCall' | 'chain' | 'noTool' | 'conditional' | 'rejection';
/** A task but for its words; `topic`: what one without calls is about. */
export interface Draft {
  topic?: string;
  calls: { name: string; arguments: Arguments }[];
  answer?: string;
  findsNothing?: boolean;
  /** what the request lacks, in words */
  lacks?: string;
}

const MAX_WORDS = 30;
const MOST_PER_CONTENT = { grammar: 16, schema: 6 };
/** Of a tool that takes nothing there is one content, and hundreds of chains may begin with it. */
const MOST_WITHOUT_ARGUMENTS = 96;
const NEW_SHARE = 0.5;
/** As many as heldOutTasks by default. */
const MOST_HELD_OUT = 240;

interface Keeping {
  /** `kind:name` of the phrasings that held-out tasks alone have */
  newFamilies: ReadonlySet<string>;
  /** how many tasks are wanted */
  count: number;
  /** counts why a draft is not taken */
  drop(reason: string): null;
}

interface Worded {
  kind: Kind;
  draft: Draft;
  prompt: string;
  family: string;
  isNew: boolean;
  source: 'grammar' | 'schema';
}

export class KeptTasks {
  private readonly prompts = new Set<string>();
  private readonly perContent = new Map<string, number>();

  constructor(
    private readonly tools: readonly ToolSchema[],
    private readonly keeping: Keeping,
  ) {}

  /** May it have a new phrasing, by its content, and does it? */
  isNew(draft: Draft, random: Random): boolean {
    return this.isInZone(this.keyOf(draft, '-')) && random.next() < NEW_SHARE;
  }

  /**
   * Contents with such a hash may have a new phrasing and are then held out; of many tasks a smaller part, so that
   * held-out does not grow with them.
   */
  private isInZone(key: string): boolean {
    return hashOf(key) < Math.min(HELD_OUT_ZONE, MOST_HELD_OUT / this.keeping.count);
  }

  private keyOf(draft: Draft, prompt: string): string {
    return contentKey({ id: '-', prompt: draft.topic ?? prompt, calls: draft.calls }, this.tools);
  }

  /** A task of the grammar, unless it was said before or its content was said often enough. */
  keep(kind: Kind, draft: Draft, said: Said | null, isNew = false): Task | null {
    if (said === null) return this.keeping.drop('that could not be worded');
    if (this.prompts.has(said.text)) return this.keeping.drop('that were said before');
    const key = this.keyOf(draft, draft.calls.length > 0 ? '-' : said.text);
    const isBare = draft.calls.length > 0 && draft.calls.every((call) => Object.keys(call.arguments).length === 0);
    if ((this.perContent.get(key) ?? 0) >= (isBare ? MOST_WITHOUT_ARGUMENTS : MOST_PER_CONTENT.grammar))
      return this.keeping.drop('on a content said often enough');
    const { answer, lacks } = said;
    const asked = { ...draft, ...(answer !== undefined && { answer }), ...(lacks !== undefined && { lacks }) };
    return this.counted(key, {
      kind,
      draft: asked,
      prompt: said.text,
      family: `said-${said.form}`,
      isNew,
      source: 'grammar',
    });
  }

  /** The task, counted to its content and its words. */
  private counted(key: string, { kind, draft, prompt, family, isNew, source }: Worded): Task {
    this.prompts.add(prompt);
    this.perContent.set(key, (this.perContent.get(key) ?? 0) + 1);
    const tags = [
      kind,
      ...new Set(draft.calls.map((call) => call.name)),
      `family:${family}`,
      ...(isNew ? [NEW_PHRASING] : []),
      ...(kind === 'rejection' ? [REFUSAL_TAG] : []),
      ...(draft.findsNothing ? [FINDS_NOTHING_TAG] : []),
      ...(draft.lacks === undefined ? [] : [ASKS_TAG + draft.lacks]),
    ];
    return {
      id: '-',
      prompt,
      calls: draft.calls,
      ...(draft.answer === undefined ? {} : { answer: draft.answer }),
      tags,
      source,
    };
  }

  /** Chooses a family that the content's place allows, says it, and checks that nothing got lost in the words. */
  finish<F extends { name: string }>(
    kind: Kind,
    draft: Draft,
    random: Random,
    families: readonly F[],
    say: (family: F) => string | null,
    fromResult?: unknown,
  ): Task | null {
    const key = this.keyOf(draft, '-');
    if ((this.perContent.get(key) ?? 0) >= MOST_PER_CONTENT.schema)
      return this.keeping.drop('on a content said often enough');
    const isNew = this.isInZone(key) && random.next() < NEW_SHARE;
    const family = random.pick(
      families.filter(({ name }) => this.keeping.newFamilies.has(`${kind}:${name}`) === isNew),
    );
    const prompt = say(family);
    if (prompt === null || wordCount(prompt) > MAX_WORDS) return this.keeping.drop('that could not be worded');
    if (this.prompts.has(prompt)) return this.keeping.drop('that were said before');
    if (!draft.calls.every((call) => isSaid(call.arguments, prompt, fromResult)))
      return this.keeping.drop('whose words lost a value');
    return this.counted(key, { kind, draft, prompt, family: family.name, isNew, source: 'schema' });
  }
}
