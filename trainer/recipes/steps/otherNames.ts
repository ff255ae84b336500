/**
 * Other names for tools and their arguments, as plausible as their own: a policy that meets the same tools under many
 * names learns to read definitions instead of remembering names. In training alone (`renameTools`).
 * After AdaReasoner (arXiv:2601.18631), which gives tools and arguments random names; here they stay words for the same
 * act and thing, since a request speaks of them, too.
 */
import type { Random } from '../../base/random';
import type { GoldCall, ToolSchema } from '../../protocol/task';
import type { Message, ToolResult, Trace } from '../../protocol/trace';
import { isRecord } from '../../protocol/arguments';
import { actsOf } from '../../tasks/generate/grammar/acts';
import { nounSynonyms } from '../../tasks/generate/grammar/synonyms';
import { splitWords } from '../../base/words';
import { singular } from '../../tools/schema/words';
import type { ToolHosts } from '../../tools/hosts/callTool';
import { argumentValidator } from '../../tools/schema/validateArguments';
import { failure, unknownTool, type CallOutcome } from '../../tools/sources/toolSource';

/** Own name -> other name. An argument has one other name in all tools, so that a result still fits where it did. */
export interface Names {
  tools: Record<string, string>;
  arguments: Record<string, string>;
}

/** Chance that a word of a name is changed, where another is known. */
const CHANGED = 0.8;
/** What else is at the end of names. */
const ENDINGS: Readonly<Record<string, readonly string[]>> = {
  id: ['key', 'number', 'code', 'ref'],
  key: ['id', 'code'],
  name: ['title', 'label'],
  query: ['text', 'search', 'words'],
  text: ['body', 'content', 'words'],
  limit: ['max', 'count', 'most'],
  from: ['start', 'origin', 'since'],
  to: ['end', 'target', 'until'],
  on: ['active', 'enabled'],
};
const KEPT = new Set('by of for in at with and or all is as per'.split(' '));
/** Behind a name for which no other word is known. */
const ADDED = { tools: ['item', 'data', 'entry', 'info'], arguments: ['value', 'input', 'given', 'field'] };

/** Draws other names for all tools of a prompt; none of them is an own name of any, or stands twice. */
export function drawNames(tools: readonly ToolSchema[], random: Random): Names {
  const own = [...new Set(tools.flatMap((tool) => renamableOf(tool)))];
  const taken = new Set([...tools.map(({ name }) => name), ...own]);
  const drawn = (name: string, kind: keyof Names): string => {
    for (let attempt = 0; ; attempt++) {
      const words = splitWords(name).flatMap((word, at) =>
        random.next() < CHANGED ? otherWord(word, kind === 'tools' && at === 0, random) : [word],
      );
      const other = inStyleOf(name, attempt < 3 ? words : [...words, random.pick(ADDED[kind])]);
      const free = attempt < 12 ? other : `${other}${attempt}`;
      if (taken.has(free)) continue;
      taken.add(free);
      return free;
    }
  };
  return {
    tools: Object.fromEntries(tools.map(({ name }) => [name, drawn(name, 'tools')])),
    arguments: Object.fromEntries(own.map((name) => [name, drawn(name, 'arguments')])),
  };
}

function otherWord(word: string, isVerb: boolean, random: Random): string[] {
  if (KEPT.has(word)) return [word];
  const acts = isVerb ? actsOf(word) : [];
  const one = singular(word);
  const others = acts.length > 0 ? acts[0]!.verbs : [...(ENDINGS[word] ?? nounSynonyms(one))];
  const fit = others.filter((other) => other !== word && /^[a-z][a-z ]*$/.test(other));
  if (fit.length === 0) return [word];
  return `${random.pick(fit)}${acts.length === 0 && one !== word ? 's' : ''}`.split(' ');
}

/** findCity, find_city, FindCity and find-city stay as they are written. */
function inStyleOf(name: string, words: readonly string[]): string {
  const mark = /[a-z\d]([_-])[a-z\d]/i.exec(name)?.[1];
  if (mark) return words.join(mark);
  const text = words.map((word, i) => (i === 0 ? word : word[0]!.toUpperCase() + word.slice(1))).join('');
  return /^\p{Lu}/u.test(name) ? text[0]!.toUpperCase() + text.slice(1) : text;
}

/** Only those of a plain list of properties can be renamed; other keywords may speak of names, too. */
const renamableOf = ({ parameters }: ToolSchema): string[] =>
  isRecord(parameters.properties) && Object.keys(parameters).every((key) => PLAIN.has(key))
    ? Object.keys(parameters.properties)
    : [];
const PLAIN = new Set(['type', 'properties', 'required', 'additionalProperties', 'description', '$defs', '$schema']);

/** Tools, calls, results and whole dialogues under other names, and traces under their own again. */
export class Renamed {
  readonly tools: ToolSchema[];
  /** Both ways: what is called by an own name, which was not offered, is no call of that tool. */
  private readonly swapped: Names;
  /** tools with a plain list of properties, by either name */
  private readonly plain: Set<string>;
  /** a result as the policy read it -> as the tool gave it */
  private readonly results = new WeakMap<ToolResult, ToolResult>();

  constructor(
    own: readonly ToolSchema[],
    readonly names: Names,
  ) {
    this.swapped = { tools: bothWays(names.tools), arguments: bothWays(names.arguments) };
    const plain = own.filter((tool) => renamableOf(tool).length > 0);
    this.plain = new Set(plain.flatMap(({ name }) => [name, names.tools[name]!]));
    this.tools = own.map((tool) => this.tool(tool));
  }

  private tool(tool: ToolSchema): ToolSchema {
    const { parameters } = tool;
    const { properties, required } = parameters;
    const rename = (name: unknown): string => this.names.arguments[String(name)] ?? String(name);
    return {
      ...tool,
      name: this.names.tools[tool.name]!,
      description: this.text(tool.description),
      parameters: !this.plain.has(tool.name)
        ? parameters
        : {
            ...parameters,
            properties: keysBy(properties as Record<string, unknown>, rename),
            ...(Array.isArray(required) ? { required: required.map(rename) } : {}),
          },
    };
  }

  /** A text's names of tools, and of arguments that are written like no word of plain language. */
  private text(text: string): string {
    return text.replace(/[\p{L}_$][\p{L}\p{N}_$]*/gu, (word) => {
      const isWord = /^\p{L}\p{Ll}*$/u.test(word);
      return isWord ? word : (this.names.tools[word] ?? this.names.arguments[word] ?? word);
    });
  }

  /** A call under the other names, and one under those under its own. */
  call<C extends GoldCall>(call: C): C {
    const rename = (key: string): string => this.swapped.arguments[key] ?? key;
    return {
      ...call,
      name: this.swapped.tools[call.name] ?? call.name,
      arguments: this.plain.has(call.name) ? keysBy(call.arguments, rename) : call.arguments,
    };
  }

  /** Members of a result that are called as an argument is get its other name; an error speaks of the other names. */
  content(content: string): string {
    let value: unknown;
    try {
      value = JSON.parse(content);
    } catch {
      return content; // cut
    }
    if (isRecord(value) && typeof value.error === 'string' && Object.keys(value).length === 1)
      return JSON.stringify({ error: this.text(value.error) });
    if (isRecord(value) && value.error === 'unknown_tool' && Array.isArray(value.valid_tools))
      return unknownTool(value.valid_tools.map((name) => this.names.tools[String(name)] ?? String(name))).content;
    const renamed = this.members(value);
    return renamed === value ? content : JSON.stringify(renamed);
  }

  private members(value: unknown): unknown {
    if (Array.isArray(value)) {
      const items = value.map((item) => this.members(item));
      return items.some((item, i) => item !== value[i]) ? items : value;
    }
    if (!isRecord(value)) return value;
    let isSame = true;
    const entries = Object.entries(value).map(([key, member]): [string, unknown] => {
      const other = this.names.arguments[key];
      const name = other === undefined || other in value ? key : other;
      const renamed = this.members(member);
      isSame &&= name === key && renamed === member;
      return [name, renamed];
    });
    return isSame ? value : Object.fromEntries(entries);
  }

  messages(messages: readonly Message[]): Message[] {
    return messages.map((message) => {
      if (message.role === 'tool')
        return {
          ...message,
          ...(message.name === undefined ? {} : { name: this.names.tools[message.name] ?? message.name }),
          content: this.content(message.content),
        };
      if (message.role !== 'assistant' || !message.tool_calls) return message;
      const tool_calls = message.tool_calls.map((call) => ({ ...call, function: this.call(call.function) }));
      return { ...message, tool_calls };
    });
  }

  /**
   * The tools' own hosts behind the other names: what is called by a name that was not offered, or with arguments that
   * were not, is refused as hosts refuse it.
   */
  hosts(hosts: Pick<ToolHosts, 'open'>, now: () => number): Pick<ToolHosts, 'open'> {
    const validators = new Map(this.tools.map((tool) => [tool.name, argumentValidator(tool)]));
    const refused = (outcome: CallOutcome): ToolResult => ({
      policy: 'real',
      ...outcome,
      startedAt: now(),
      durationMs: 0,
    });
    return {
      open: (id) => {
        const session = hosts.open(id);
        return {
          call: async (name, args, signal) => {
            const checked = validators.get(name)?.(args);
            if (!checked) return refused(unknownTool(validators.keys()));
            if (!checked.ok && !this.areOffered(name, args))
              return refused(failure('invalidArguments', checked.message));
            const call = this.call({ name, arguments: args });
            const result = await session.call(call.name, call.arguments, signal);
            const read = { ...result, content: this.content(result.content) };
            this.results.set(read, result);
            return read;
          },
          close: () => session.close(),
        };
      },
    };
  }

  /** Then the host says what is wrong with them, if its settings want it. */
  private areOffered(name: string, args: Record<string, unknown>): boolean {
    const { properties } = this.tools.find((tool) => tool.name === name)!.parameters;
    return isRecord(properties) && Object.keys(args).every((key) => key in properties);
  }

  /**
   * A trace under the tools' own names, for rewards and readers. Its tokens and the text of its turns stay as they were
   * sampled; `renamed` says what the tools were called in them.
   */
  restored(trace: Trace): Trace {
    const resultOf = (result: ToolResult): ToolResult => this.results.get(result) ?? result;
    const calls = trace.turns.flatMap((turn) => turn.calls);
    return {
      ...trace,
      renamed: this.names,
      ...(trace.shownTools && { shownTools: trace.shownTools.map((name) => this.swapped.tools[name] ?? name) }),
      turns: trace.turns.map((turn) => ({
        ...turn,
        calls: turn.calls.map((call) => ({ ...this.call(call), result: call.result && resultOf(call.result) })),
      })),
      messages: trace.messages.map((message): Message => {
        if (message.role === 'assistant' && message.tool_calls)
          return {
            ...message,
            tool_calls: message.tool_calls.map((call) => ({ ...call, function: this.call(call.function) })),
          };
        if (message.role !== 'tool') return message;
        const result = calls.find(({ id }) => id === message.tool_call_id)?.result;
        return {
          ...message,
          ...(message.name === undefined ? {} : { name: this.swapped.tools[message.name] ?? message.name }),
          content: result ? resultOf(result).content : message.content,
        };
      }),
    };
  }
}

const bothWays = (names: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(names).flatMap(([own, other]) => [
      [own, other],
      [other, own],
    ]),
  );

const keysBy = (value: Record<string, unknown>, rename: (key: string) => string): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).map(([key, member]) => [rename(key), member]));
