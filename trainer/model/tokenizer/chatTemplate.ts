import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readModelJson } from '../modelJson';
import { UserError } from '../../protocol/result';
import type { Message } from '../../protocol/trace';
import { BoundedTemplate } from './boundedTemplate';
import { chatFormatOf, PROBE_CALL, SAID, type ChatFormat } from './chatFormat';
import type { Tokenizer } from './tokenizer';
import { withToolPrompt } from './toolPrompt';
import type { ToolTokens } from './toolTokens';
import { readTextFile } from '../../base/storage';

export interface PromptTool {
  name: string;
  description: string;
  parameters: Record<string, unknown>;
}

/**
 * Templates that write today's date get Llama 3.2's own default instead: the same seed must give the same prompt
 * tomorrow.
 */
const DATE = '26 Jul 2024';
const SPECIALS = ['bos_token', 'eos_token', 'pad_token', 'unk_token'] as const;
type Specials = Partial<Record<(typeof SPECIALS)[number], string>>;

/**
 * Messages -> text, by the model's own Jinja template; the only place that knows how a dialogue is written. A dialogue
 * is never re-written: what the
 * policy sampled stays as it is, and `continuation` is what is appended to it.
 */
export class ChatTemplate {
  private readonly template: BoundedTemplate;
  private decided: ChatFormat | null = null;

  /**
   * @param specials texts of the tokens that templates know by name (bos_token, …), from tokenizer_config.json or a
   * GGUF's metadata
   */
  constructor(
    readonly source: string,
    private readonly specials: Specials = {},
    private readonly toolTokens: ToolTokens | null = null,
  ) {
    try {
      this.template = new BoundedTemplate(source);
    } catch (error) {
      if (error instanceof UserError) throw error;
      throw new UserError(
        'config',
        `chat template: ${(error as Error).message}`,
        'take the template that belongs to the model',
      );
    }
  }

  /** chat_template.jinja, else tokenizer_config.json's chat_template; of several by name the one for tools. */
  static load(folder: string): ChatTemplate {
    const file = join(folder, 'chat_template.jinja');
    const configFile = join(folder, 'tokenizer_config.json');
    const config = existsSync(configFile) ? readModelJson(configFile) : {};
    const specials = Object.fromEntries(
      SPECIALS.flatMap((name) => {
        const token = config[name] as string | { content?: string } | null | undefined;
        const text = typeof token === 'string' ? token : token?.content;
        return text ? [[name, text]] : [];
      }),
    );
    if (existsSync(file)) return new ChatTemplate(readTextFile(file), specials);
    const stored = config['chat_template'];
    const named = Array.isArray(stored) ? (stored as { name?: string; template?: string }[]) : [];
    const source =
      typeof stored === 'string'
        ? stored
        : (named.find((t) => t.name === 'tool_use') ?? named.find((t) => t.name === 'default'))?.template;
    if (typeof source !== 'string')
      throw new UserError('config', `${folder}: no chat template`, 'add chat_template.jinja to the model folder');
    return new ChatTemplate(source, specials);
  }

  /** The same for a policy whose tools are tokens: these are not listed, and their calls begin with their tokens. */
  withToolTokens(tokens: ToolTokens): ChatTemplate {
    return new ChatTemplate(this.source, this.specials, tokens);
  }

  /** How calls are written, and who writes the tools. @throws UserError where the template can't hold a dialogue */
  get format(): ChatFormat {
    if (!this.decided) {
      this.decided = chatFormatOf((messages, tools, addGenerationPrompt) =>
        this.raw(messages, tools, addGenerationPrompt),
      );
      if (this.source.includes('enable_thinking'))
        this.decided.notes.push(
          'thinking is switched off in the chat template (enable_thinking = false): a turn here is short',
        );
    }
    return this.decided;
  }

  /** @throws UserError with the template's own words where it refuses the messages */
  render(messages: readonly Message[], tools: readonly PromptTool[], addGenerationPrompt: boolean): string {
    const { toolTokens: tokens } = this;
    if (tokens === null) return this.renderAll(messages, tools, addGenerationPrompt);
    const listed = tools.filter((tool) => tokens.of(tool) === null);
    const text = this.renderAll(tokens.marked(messages, tools), listed, addGenerationPrompt);
    return tokens.written(text, this.format.calls);
  }

  private renderAll(messages: readonly Message[], tools: readonly PromptTool[], addGenerationPrompt: boolean): string {
    const { format } = this;
    const escape = format.calls === 'nano' ? escapeSpecials : escapeMarks;
    const safe = messages.map((m) => ({
      ...m,
      content: (m.role === 'assistant' ? escapeSpecials : escape)(m.content),
    }));
    const safeTools =
      format.calls === 'nano'
        ? tools.map((t) => ({ ...t, description: escapeSpecials(t.description) }))
        : (deepEscape(
            tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
          ) as PromptTool[]);
    try {
      return format.toolsBy === 'coach'
        ? this.raw(withToolPrompt(safe, safeTools, format.hasSystem), [], addGenerationPrompt)
        : this.raw(safe, safeTools, addGenerationPrompt);
    } catch (error) {
      if (error instanceof UserError) throw error;
      throw new UserError(
        'config',
        `chat template: ${(error as Error).message}`,
        'the template refuses this dialogue; give another template, or tasks that it can write',
      );
    }
  }

  /**
   * What is written behind an assistant's turn: the rest of its closing, then tool results or a user's words, and the
   * opening of the next turn. Found by
   * rendering a stand-in for the dialogue so far, so that it does not depend on how the template would write what was
   * sampled.
   * @param appended messages that follow the turn; the first is not the assistant's
   */
  continuation(appended: readonly Message[], tools: readonly PromptTool[], addGenerationPrompt = true): string {
    const turn: Message = appended[0]?.role === 'tool' ? PROBE_CALL : { role: 'assistant', content: SAID };
    const shown = appended.some(({ role }) => role === 'user') ? tools : this.someOf(tools);
    const text = this.render([{ role: 'user', content: 'x' }, turn, ...appended], shown, addGenerationPrompt);
    const said = text.indexOf(SAID);
    const at = said < 0 ? -1 : text.indexOf(this.format.end, said);
    if (at < 0)
      throw new UserError(
        'config',
        `chat template: ${this.format.end} does not close a turn with a call`,
        'take the template that belongs to the model',
      );
    return text.slice(at + this.format.end.length);
  }

  /**
   * A whole dialogue as ids, with 1 where an assistant message was written, closing token included (SFT's completion
   * mask). Each part is encoded for
   * itself, so ids equal those of a rollout that appends turn by turn. opening: what stands before the first of them.
   * @throws UserError where the template writes an assistant's turn otherwise than behind its own generation prompt
   */
  encodeDialogue(
    tokenizer: Pick<Tokenizer, 'encode'>,
    messages: readonly Message[],
    tools: readonly PromptTool[],
  ): { ids: number[]; mask: (0 | 1)[]; opening: string } {
    let opening = '';
    const ids: number[] = [];
    const mask: (0 | 1)[] = [];
    const add = (text: string, m: 0 | 1): void => {
      for (const id of tokenizer.encode(text)) {
        ids.push(id);
        mask.push(m);
      }
    };
    let last = -1;
    const others = (until: number): void =>
      add(
        last < 0
          ? (opening = this.render(messages.slice(0, until), tools, true))
          : this.continuation(messages.slice(last + 1, until), tools),
        0,
      );
    messages.forEach((message, i) => {
      if (message.role !== 'assistant') return;
      others(i);
      add(this.assistantText(message, tools), 1);
      last = i;
    });
    if (last !== messages.length - 1) others(messages.length);
    return { ids, mask, opening };
  }

  /** What the policy would have had to write for this message, up to its closing token. */
  private assistantText(message: Message, tools: readonly PromptTool[]): string {
    const before: Message[] = [{ role: 'user', content: 'x' }];
    const some = this.someOf(tools);
    const opening = this.render(before, some, true);
    const text = this.render([...before, message], some, false);
    const end = text.lastIndexOf(this.format.end);
    if (!text.startsWith(opening) || end < opening.length)
      throw new UserError(
        'config',
        'chat template: it writes an assistant turn otherwise than behind its generation prompt',
        'choose a template that only appends',
      );
    return text.slice(opening.length, end + this.format.end.length);
  }

  /** As many as it takes to write what no tool changes: listing hundreds again for each turn is most of the work. */
  private someOf(tools: readonly PromptTool[]): readonly PromptTool[] {
    return this.toolTokens === null && this.format.turnsIgnoreTools ? tools.slice(0, 1) : tools;
  }

  /** Tools are passed as OpenAI function objects; no tools are passed as null, never as [] (some templates differ). */
  private raw(messages: readonly Message[], tools: readonly PromptTool[], addGenerationPrompt: boolean): string {
    return this.template.render({
      ...Object.fromEntries(SPECIALS.map((name) => [name, this.specials[name] ?? ''])),
      messages: messages.map((m) => ({ ...m })),
      tools: tools.length ? tools.map((t) => ({ type: 'function', function: { ...t } })) : null,
      add_generation_prompt: addGenerationPrompt,
      enable_thinking: false,
      date_string: DATE,
      strftime_now: () => DATE,
    });
  }
}

/** Text of users and tools must not become special tokens: "<|" gets a space. */
function escapeSpecials(text: string): string {
  return text.replaceAll('<|', '< |');
}

/**
 * The same for the marks that real models' tokenizers know as tokens, or that divide a turn: nobody but the policy may
 * open a call.
 */
function escapeMarks(text: string): string {
  return escapeSpecials(text).replace(/<(?=\/?(?:tool_call|tool_response|tools|think|s)>)/g, '< ');
}

function deepEscape(value: unknown): unknown {
  if (typeof value === 'string') return escapeMarks(value);
  if (Array.isArray(value)) return value.map(deepEscape);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([k, v]) => [escapeMarks(k), deepEscape(v)]));
  return value;
}
