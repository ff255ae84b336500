/** What each token belongs to (Tokens.kind): c call, t text, r tool result, u user's words, . none of them. */
import type { ChatTemplate, PromptTool } from '../../model/tokenizer/chatTemplate';
import type { Tokenizer } from '../../model/tokenizer/tokenizer';
import type { Message } from '../../protocol/trace';
import type { ToolCallParser } from '../parser';

/** Characters of a text. */
export interface KindRange {
  start: number;
  end: number;
  kind: 'c' | 't' | 'r' | 'u' | '.';
}

type Reader = Pick<Tokenizer, 'encode' | 'decode' | 'tokenBytes'>;

/**
 * One letter per token: that of the range that it reaches into (of several the last), else `rest`.
 * @param ids the text, token by token
 */
export function tokenKinds(
  tokenizer: Reader,
  ids: readonly number[],
  text: string,
  ranges: readonly KindRange[],
  rest: KindRange['kind'] = '.',
): string {
  const kinds: string[] = ids.map(() => rest);
  const ends = byteEnds(tokenizer, ids);
  // a tokenizer that writes the text otherwise (NFC) is asked how many tokens come before
  const isExact = (ends.at(-1) ?? 0) === Buffer.byteLength(text);
  const bytes = (at: number): number => Buffer.byteLength(text.slice(0, at));
  const asked = (at: number): number => tokenizer.encode(text.slice(0, at)).length;
  for (const { start, end, kind } of ranges) {
    if (end <= start) continue;
    const [first, last] = isExact ? [bytes(start), bytes(end)] : [asked(start), asked(end)];
    if (!isExact) kinds.fill(kind, first, last);
    else kinds.fill(kind, ends.filter((one) => one <= first).length, ends.filter((one) => one < last).length + 1);
  }
  return kinds.join('');
}

/** Behind how many bytes each token ends. */
function byteEnds(tokenizer: Reader, ids: readonly number[]): number[] {
  let sum = 0;
  return ids.map((id) => (sum += tokenizer.tokenBytes(id)?.length ?? Buffer.byteLength(tokenizer.decode([id], true))));
}

const KINDS: Partial<Record<Message['role'], KindRange['kind']>> = { user: 'u', tool: 'r' };
const MARK = (i: number): string => `coach-said-${i}-here`;

/** What the tokens of a model's dialogues belong to. */
export class TokenKinds {
  private readonly around = new WeakMap<readonly PromptTool[], Map<string, string[]>>();

  constructor(
    private readonly o: {
      tokenizer: Reader;
      template: Pick<ChatTemplate, 'render' | 'continuation'>;
      parser: Pick<ToolCallParser, 'spans'>;
      endIds: ReadonlySet<number>;
    },
  ) {}

  opening(ids: readonly number[], text: string, messages: readonly Message[], tools: readonly PromptTool[]): string {
    const render = (marked: Message[]): string => this.o.template.render(marked, tools, true);
    return tokenKinds(this.o.tokenizer, ids, text, this.find(messages, tools, text, 'opening', render));
  }

  appended(ids: readonly number[], text: string, messages: readonly Message[], tools: readonly PromptTool[]): string {
    const render = (marked: Message[]): string => this.o.template.continuation(marked, tools);
    return tokenKinds(this.o.tokenizer, ids, text, this.find(messages, tools, text, 'appended', render));
  }

  /** Calls, whether or not they can be read, and what is said beside them; the token that ends a turn is neither. */
  turn(ids: readonly number[], text: string, hasCalls: boolean): string {
    const { tokenizer, parser, endIds } = this.o;
    const calls = hasCalls ? parser.spans(text).map(([start, end]) => ({ start, end, kind: 'c' as const })) : [];
    const kinds = tokenKinds(tokenizer, ids, text, calls, 't');
    return endIds.has(ids.at(-1) ?? -1) ? `${kinds.slice(0, -1)}.` : kinds;
  }

  /**
   * What users and tools said, in what the template made of it: the same messages with marks in place of their words
   * show what it writes around them.
   * @returns none where it writes them in another order
   */
  private find(
    messages: readonly Message[],
    tools: readonly PromptTool[],
    text: string,
    what: 'opening' | 'appended',
    render: (marked: Message[]) => string,
  ): KindRange[] {
    const said = messages.filter(({ role, content }) => KINDS[role] !== undefined && content !== '');
    if (said.length === 0) return [];
    const marked = messages.map((message) =>
      said.includes(message) ? { ...message, content: MARK(said.indexOf(message)) } : message,
    );
    // names of calls are new each time; where a template writes them, it is asked again
    const key = what + JSON.stringify(marked.map(({ tool_call_id: _, ...message }) => message));
    const onTools = this.around.get(tools) ?? new Map<string, string[]>();
    this.around.set(tools, onTools);
    const known = onTools.get(key);
    const ranges = known && rangesIn(text, known, said);
    if (ranges) return ranges;
    const around = render(marked).split(/coach-said-\d+-here/);
    onTools.set(key, around);
    return rangesIn(text, around, said) ?? [];
  }
}

/** @param around what is written before, between and behind what was said @returns null: the text is not so */
function rangesIn(text: string, around: readonly string[], said: readonly Message[]): KindRange[] | null {
  const last = around.at(-1)!;
  if (around.length !== said.length + 1 || !text.startsWith(around[0]!) || !text.endsWith(last)) return null;
  const ranges: KindRange[] = [];
  let start = around[0]!.length;
  for (const [i, { role }] of said.entries()) {
    const isLast = i === said.length - 1;
    const end = isLast ? text.length - last.length : text.indexOf(around[i + 1]!, start);
    if (end < start) return null;
    ranges.push({ start, end, kind: KINDS[role]! });
    start = end + around[i + 1]!.length;
  }
  return ranges;
}
