import type { Grammar } from '../../model/decoding/constrained/grammar';
import type { JsonReply } from '../../model/decoding/constrained/jsonReply';
import type { ChatTemplate, PromptTool } from '../../model/tokenizer/chatTemplate';
import type { Tokenizer } from '../../model/tokenizer/tokenizer';
import type { Message } from '../../protocol/trace';
import type { ToolCallParser } from '../parser';
import { LaneConversation } from './laneConversation';
import type { Conversation, Opening, Policy, ReplyFormat } from './policy';
import { saidIn, spanRanges } from './spanRanges';
import type { TokenKinds } from './tokenKinds';
import { Scheduler, type LaneBatch } from './scheduler';

/** What a policy of this process is made of. */
export interface LaneModel {
  tokenizer: Pick<Tokenizer, 'encode' | 'decode'>;
  /** encodeDialogue: for openings that go on from turns of the policy's own */
  template: Pick<ChatTemplate, 'render' | 'continuation'> & Partial<Pick<ChatTemplate, 'encodeDialogue'>>;
  parser: Pick<ToolCallParser, 'parse'>;
  /** says what tokens belong to; absent: nobody does */
  kinds?: TokenKinds;
  vocabSize: number;
  endIds: ReadonlySet<number>;
  /** null: anything may be said, until an end token */
  grammarOn(tools: readonly PromptTool[]): Grammar | null;
  /** turns of a shape @throws Error where the shape says something that they can't be held to */
  replyOf(format: ReplyFormat): Pick<JsonReply, 'least' | 'most' | 'strings' | 'grammar'>;
  /** ids that most prompts begin with: read once for all that do */
  prefix: readonly number[];
  /** how much of a prompt is read at once, which bounds the memory of its attention; default: all */
  startTokens?: number | undefined;
  /** @param prefix of all its prompts */
  openLanes(prefix: readonly number[]): LaneBatch;
}

/** An opening as the template writes it. */
export interface Prompt {
  ids: readonly number[];
  /** what users and tools said, as token ranges */
  said: readonly (readonly [start: number, end: number])[];
  /** what each token belongs to, as Tokens.kind */
  kind: string | undefined;
}

/**
 * A policy that samples token by token. Conversations that are open at the same time decode together; each draws from
 * a random stream of its own, so what one says does not depend on the others.
 */
export class LanePolicy implements Policy {
  version = 'base';
  private readonly schedulers = new Map<readonly number[], Scheduler>();
  private readonly prompts = new Map<readonly PromptTool[], Map<string, Prompt>>();
  private conversations = 0;

  constructor(
    readonly id: string,
    readonly constraint: Policy['constraint'],
    readonly model: LaneModel,
  ) {}

  /** What a turn of a shape takes, tokens: at least, at most, and how many free strings share it. */
  replyRoom(format: ReplyFormat, maxTurnTokens: number): Record<'least' | 'most' | 'strings', number> {
    const reply = this.model.replyOf(format);
    return { least: reply.least, most: reply.most(maxTurnTokens), strings: reply.strings };
  }

  /** How long an opening is that was not asked yet, tokens. */
  lengthOf({ messages, tools }: Pick<Opening, 'messages' | 'tools'>): number {
    return this.model.tokenizer.encode(this.model.template.render(messages, tools, true)).length;
  }

  /** @throws RangeError where no whole turn of the opening's format fits into sampling.maxTurnTokens */
  open({ messages, tools, format, goesOn = false, ...rest }: Opening): Conversation {
    const prompt = this.promptOf(messages, tools, goesOn);
    const { model } = this;
    const grammar = format ? model.replyOf(format).grammar(rest.sampling.maxTurnTokens) : model.grammarOn(tools);
    this.conversations++;
    return LaneConversation.open({
      ...rest,
      tools,
      prompt,
      model,
      grammar,
      isShaped: format !== undefined,
      scheduler: this.schedulerFor(prompt),
      onFork: () => this.conversations++,
      onClose: () => {
        if (--this.conversations === 0) this.prompts.clear();
      },
    });
  }

  /** Those that begin alike decode together; which of the two it is depends on the prompt alone. */
  private schedulerFor({ ids }: Prompt): Scheduler {
    const { prefix, openLanes, startTokens } = this.model;
    const own = ids.length > prefix.length && prefix.every((id, i) => ids[i] === id) ? prefix : NO_PREFIX;
    const scheduler = this.schedulers.get(own) ?? new Scheduler(() => openLanes(own), startTokens);
    this.schedulers.set(own, scheduler);
    return scheduler;
  }

  /** Rendered and tokenised once for all conversations that open alike at the same time. */
  private promptOf(messages: readonly Message[], tools: readonly PromptTool[], goesOn: boolean): Prompt {
    const onTools = this.prompts.get(tools) ?? new Map<string, Prompt>();
    this.prompts.set(tools, onTools);
    const key = JSON.stringify(messages);
    const write = goesOn ? writePromptOn : writePrompt;
    const known = onTools.get(key) ?? write(this.model, messages, tools);
    onTools.set(key, known);
    return known;
  }
}

const NO_PREFIX: readonly number[] = [];

type Writer = Pick<LaneModel, 'tokenizer' | 'template' | 'kinds'>;

function writePrompt(
  { tokenizer, template, kinds }: Writer,
  messages: readonly Message[],
  tools: readonly PromptTool[],
): Prompt {
  const text = template.render(messages, tools, true);
  const words = messages.filter(({ role }) => role === 'user').at(-1)?.content ?? '';
  const ids = tokenizer.encode(text);
  return { ids, said: [saidIn(tokenizer, text, words)], kind: kinds?.opening(ids, text, messages, tools) };
}

/** Of a dialogue that goes on: as if it had been read turn by turn, and as it is learnt from (recipes/steps/gold). */
function writePromptOn(
  { tokenizer, template, kinds }: Writer,
  messages: readonly Message[],
  tools: readonly PromptTool[],
): Prompt {
  if (!template.encodeDialogue) throw new Error('open: the template writes no dialogues that go on');
  const { ids, mask, opening } = template.encodeDialogue(tokenizer, messages, tools);
  const said = spanRanges(tokenizer, messages, opening, (t) => mask[t] === 1)(ids.length);
  const text = tokenizer.decode(ids, true);
  return { ids, said, kind: kinds?.opening(ids, text, messages, tools) };
}
