/**
 * A tool as one token of the vocabulary (ToolGen, arXiv:2410.03439): prompts hold no tools, a call begins with its
 * tool's token, and behind that stands the tool's document, which the decoder writes by itself, so that the arguments
 * are written with the schema at hand as ever:
 *
 *   <|tool:searchEmails|> document of searchEmails <|call|>searchEmails{"query":"rent"}
 *
 * Token and document are no words of a turn: messages, parsed calls and rewards are as they are without.
 */
import { UserError } from '../../protocol/result';
import type { Message } from '../../protocol/trace';
import type { CallForm } from './chatFormat';
import type { ChatTemplate, PromptTool } from './chatTemplate';
import type { Tokenizer } from './tokenizer';
import { signature } from './toolPrompt';

export interface ToolToken {
  id: number;
  text: string;
  tool: PromptTool;
  /** what is written behind the token, before the call */
  document: string;
}

/** How a model is spoken to; with tokens for tools, or without. */
export interface Speech {
  tokenizer: Tokenizer;
  template: ChatTemplate;
  toolTokens?: ToolTokens;
}

const TOKEN = /<\|tool:.*?\|>/g;
const MARK = (id: number): string => `coach_tool_${id}_`;
/** What stands before a call's name. */
const OPENINGS: Record<CallForm, string> = {
  nano: '<\\|call\\|>',
  hermes: '<tool_call>\\s*\\{"name": ?"',
  llama: '(?:<\\|python_tag\\|>\\s*)?\\{"name": ?"',
};

export class ToolTokens {
  private readonly byName: ReadonlyMap<string, ToolToken>;
  private readonly byText: ReadonlyMap<string, ToolToken>;
  private readonly known = new WeakMap<PromptTool, ToolToken | null>();

  constructor(readonly all: readonly ToolToken[]) {
    this.byName = new Map(all.map((token) => [token.tool.name, token]));
    this.byText = new Map(all.map((token) => [token.text, token]));
  }

  /** Null where it has none: a tool of another name, or that says something else by now. */
  of(tool: PromptTool): ToolToken | null {
    let token = this.known.get(tool);
    if (token === undefined) {
      const named = this.byName.get(tool.name);
      token = named && isSame(named.tool, tool) ? named : null;
      this.known.set(tool, token);
    }
    return token;
  }

  /** Where in a text tokens stand, with the documents behind them, as characters. */
  places(text: string): [start: number, end: number][] {
    return [...text.matchAll(TOKEN)].flatMap(({ index, 0: match }): [number, number][] => {
      const token = this.byText.get(match);
      const behind = index + match.length;
      if (token === undefined) return [];
      return [[index, text.startsWith(token.document, behind) ? behind + token.document.length : behind]];
    });
  }

  /** The messages with a mark for the name of each tool that has a token; `written` makes tokens of the marks. */
  marked(messages: readonly Message[], tools: readonly PromptTool[]): readonly Message[] {
    const ids = new Map(tools.flatMap((tool) => (this.of(tool) ? [[tool.name, this.of(tool)!.id] as const] : [])));
    return messages.map((message) =>
      message.tool_calls?.some(({ function: { name } }) => ids.has(name))
        ? {
            ...message,
            tool_calls: message.tool_calls.map((call) => {
              const id = ids.get(call.function.name);
              return id === undefined ? call : { ...call, function: { ...call.function, name: MARK(id) } };
            }),
          }
        : message,
    );
  }

  /** @param text as the template wrote marked messages */
  written(text: string, form: CallForm): string {
    if (!text.includes('coach_tool_')) return text;
    const first = this.all[0]!.id;
    return text.replace(new RegExp(`(${OPENINGS[form]})coach_tool_(\\d+)_`, 'g'), (_, opening: string, id: string) => {
      const { text: token, document, tool } = this.all[Number(id) - first]!;
      return `${token}${document}${opening}${tool.name}`;
    });
  }
}

const isSame = (a: PromptTool, b: PromptTool): boolean =>
  a === b || (a.description === b.description && JSON.stringify(a.parameters) === JSON.stringify(b.parameters));

/**
 * @param known tools that have a token
 * @param where they are now, for messages
 * @throws UserError where the tools are others by now, so that some have no token, or a token no tool; a file that
 * shares none with them is another file, whose tools are written into the prompt
 */
export function checkToolTokens(known: readonly PromptTool[], now: readonly PromptTool[], where: string): void {
  const tokens = new Map(known.map((tool) => [tool.name, tool]));
  if (!now.some(({ name }) => tokens.has(name))) return;
  const without = now.filter((tool) => !tokens.has(tool.name)).map(({ name }) => name);
  const changed = now.filter((tool) => tokens.has(tool.name) && !isSame(tokens.get(tool.name)!, tool));
  const gone = known.filter(({ name }) => !now.some((tool) => tool.name === name));
  const said = [
    ['have no token', without],
    ['say something else than what their token was learnt for', changed.map(({ name }) => name)],
    ['have a token and are gone', gone.map(({ name }) => name)],
  ].flatMap(([what, names]) => (names!.length > 0 ? [`${(names as string[]).join(', ')} ${what as string}`] : []));
  if (said.length > 0)
    throw new UserError(
      'tool',
      `${where}: the run learnt a token for each of its tools (toolTokens), and these are others by now: ${said.join('; ')}`,
      'Undo the change, or train again on the tools as they are.',
    );
}

/**
 * A model's speech with a token for each tool, behind its vocabulary.
 * @param vocabSize of the model: the tokenizer may have fewer tokens, then names of no meaning stand between
 * @throws UserError where two tools have one name, or the tokenizer knows such a token
 */
export function withToolTokens(
  { tokenizer, template }: Speech,
  tools: readonly PromptTool[],
  vocabSize: number,
): Required<Speech> {
  const names = tools.map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice !== undefined)
    throw new UserError(
      'tool',
      `toolTokens: two tools are called ${twice}, and a token is one tool's`,
      'Rename one of them, or coach on a file that holds one of them.',
    );
  const documentOf = documents(template);
  const toolTokens = new ToolTokens(
    tools.map((tool, i) => ({
      id: vocabSize + i,
      text: `<|tool:${tool.name}|>`,
      tool,
      document: documentOf(tool),
    })),
  );
  const padding = Array.from({ length: vocabSize - tokenizer.vocabSize }, (_, i) => `<|unused-${i}|>`);
  return {
    tokenizer: tokenizer.withTokens([...padding, ...toolTokens.all.map(({ text }) => text)]),
    template: template.withToolTokens(toolTokens),
    toolTokens,
  };
}

/**
 * Of the embedded model the line that its template writes of a tool; of others, whose take hundreds of tokens, ours.
 */
function documents(template: ChatTemplate): (tool: PromptTool) => string {
  if (template.format.calls !== 'nano') return (tool) => `${signature(tool).replaceAll('<|', '< |')}\n`;
  const opening = (tools: PromptTool[]): string => template.render([{ role: 'user', content: 'x' }], tools, false);
  const without = opening([]).length;
  return (tool) => opening([tool]).slice(0, -without);
}
