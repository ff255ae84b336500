import type { PromptTool } from '../../tokenizer/chatTemplate';
import type { CallForm } from '../../tokenizer/chatFormat';
import type { Tokenizer } from '../../tokenizer/tokenizer';
import type { ToolTokens } from '../../tokenizer/toolTokens';
import { byteVocabulary, type ByteVocabulary } from './byteVocabulary';
import { propertiesOf, resolveRef } from '../../../protocol/arguments';
import type { Grammar, TurnConstraint } from './grammar';
import { END, jsonStates, literal, stepBytes, type ByteState, type Schema } from './jsonBytes';

const OPEN = '<tool_call>';
const CLOSE = '</tool_call>';
const PYTHON_TAG = '<|python_tag|>';
const MAX_DEPTH = 5;
const ANY_BYTE = new Uint8Array(256).fill(1);
type States = readonly ByteState[];

/**
 * Calls of models that write JSON, held to the tools' schemas: Hermes' and Qwen's `<tool_call>{"name",
 * "arguments"}</tool_call>` anywhere in a turn, Llama's
 * `{"name", "parameters"}` as the whole of one. Beside calls anything may be said. Keys come in the schema's order,
 * values of their types, enums and ranges; what a
 * schema says beyond that (patterns, lengths, free keys) the schema check before a call looks after. Strings are free.
 */
export class JsonCallGrammar implements Grammar {
  private readonly vocabulary: ByteVocabulary;
  /** ids of marks that are tokens of their own, in the tokenizers that have them */
  readonly marks: { open: number | null; close: number | null; python: number | null };
  /** text[m]: anything, where the last m bytes are the beginning of OPEN */
  private readonly text: readonly States[];
  private readonly beforeText: States;
  private readonly special: Int32Array;
  /** tools that are called by their names, and those that are by tokens, by these */
  private readonly named: readonly PromptTool[];
  private readonly byToken: ReadonlyMap<number, { tool: PromptTool; document: readonly number[] }>;
  /** where anything may follow but the mark of a call, as all tools are called by tokens; else null */
  private readonly withoutOpen: Int32Array | null;

  /**
   * @param ends ids that end a turn @throws UserError where the tokenizer is no byte-level BPE; Error where a schema
   * has a type that there is not
   */
  constructor(
    tokenizer: Tokenizer,
    private readonly tools: readonly PromptTool[],
    private readonly form: Exclude<CallForm, 'nano'>,
    private readonly ends: ReadonlySet<number>,
    tokens?: ToolTokens,
  ) {
    const tokenOf = (tool: PromptTool): ReturnType<ToolTokens['of']> => tokens?.of(tool) ?? null;
    this.named = tools.filter((tool) => tokenOf(tool) === null);
    this.byToken = new Map(
      tools.flatMap((tool) => {
        const token = tokenOf(tool);
        return token ? [[token.id, { tool, document: tokenizer.encode(token.document) }] as const] : [];
      }),
    );
    this.vocabulary = byteVocabulary(tokenizer);
    const markOf = (text: string): number | null => {
      const [id, ...others] = tokenizer.encode(text);
      return id !== undefined && others.length === 0 && tokenizer.tokenBytes(id) === null ? id : null;
    };
    this.marks =
      form === 'hermes'
        ? { open: markOf(OPEN), close: markOf(CLOSE), python: null }
        : { open: null, close: null, python: markOf(PYTHON_TAG) };
    this.special = Int32Array.from({ length: tokenizer.vocabSize }, (_, id) => id).filter(
      (id) => tokenizer.tokenBytes(id) === null,
    );
    const isWatched = form === 'hermes' && tools.length > 0;
    this.text = isWatched
      ? matching(Buffer.from(OPEN), () => this.call(this.named))
      : [[{ bytes: ANY_BYTE, to: () => this.anyText }]];
    const beginning: States = [
      {
        bytes: ANY_BYTE.map((_, byte) => Number(byte !== 0x7b)),
        to: (byte) => (byte <= 0x20 ? beginning : this.anyText),
      },
    ];
    this.beforeText = beginning;
    const { open } = this.marks;
    this.withoutOpen =
      this.byToken.size > 0 && this.named.length === 0 && open !== null
        ? Int32Array.from({ length: tokenizer.vocabSize }, (_, id) => id).filter((id) => id !== open)
        : null;
    for (const tool of tools) jsonStates(heldTo(tool.parameters, tool.parameters));
  }

  turn(): TurnConstraint {
    const start =
      this.form === 'hermes' || this.tools.length === 0 ? this.anyText : [...this.beforeText, ...this.call(this.named)];
    return new CallTurn(this, start);
  }

  /** null: anything, with the model's own marks. */
  allowed(states: States): Int32Array | null {
    if (states === this.anyText) return this.withoutOpen;
    const ids = this.vocabulary.allowed(states, null);
    const marks = this.marksAt(states);
    return marks.length === 0 ? ids : Int32Array.from(new Set([...ids, ...marks])).sort();
  }

  /** What a tool's token leads to, where one may stand: its document, token by token, and the call behind it. */
  behindToken(states: States, id: number): { document: readonly number[]; call: States } | null {
    const token = this.isText(states) ? this.byToken.get(id) : undefined;
    if (!token) return null;
    const call = (): States => this.call([token.tool]);
    const { open } = this.marks;
    if (open !== null) return { document: [...token.document, open], call: call() };
    return { document: token.document, call: this.form === 'llama' ? call() : literal(OPEN, call) };
  }

  /** @returns null where the id may not follow */
  step(states: States, id: number): States | null {
    const bytes = this.vocabulary.bytesOf(id);
    if (bytes === null) {
      if (states !== this.anyText && !this.marksAt(states).includes(id)) return null;
      if ((id === this.marks.open && this.tools.length > 0) || (id === this.marks.python && states !== this.anyText)) {
        const call = this.call(this.named);
        return call.length > 0 ? call : null;
      }
      return this.anyText;
    }
    let at = states;
    for (const byte of bytes) at = stepBytes(at, byte);
    return at.length === 0 ? null : at;
  }

  /** Tokens that are no text and may stand here. */
  private marksAt(states: States): readonly number[] | Int32Array {
    if (this.isText(states)) return this.special;
    if (!states.includes(END[0]!)) return [];
    return this.form === 'llama' ? [...this.ends] : [this.marks.close!];
  }

  /** where anything may follow */
  private get anyText(): States {
    return this.text[0]!;
  }

  private isText(states: States): boolean {
    return this.text.includes(states) || states.includes(this.beforeText[0]!);
  }

  /** A call of one of the tools, from its first brace to behind its closing mark. */
  private call(tools: readonly PromptTool[]): States {
    if (tools.length === 0) return [];
    const key = this.form === 'hermes' ? 'arguments' : 'parameters';
    const calls: Schema = {
      anyOf: tools.map((tool) => ({
        type: 'object',
        properties: { name: { const: tool.name }, [key]: heldTo(tool.parameters, tool.parameters) },
        required: ['name', key],
      })),
    };
    if (this.form === 'llama') return jsonStates(calls);
    const closing = (): States => (this.marks.close === null ? literal(CLOSE, () => this.anyText) : END);
    const json = jsonStates(calls, {}, () => [...closing(), ...literal('\n', closing)]);
    return [...json, ...literal('\n', () => json)];
  }
}

class CallTurn implements TurnConstraint {
  /** the rest of a document, which is written before anything else */
  private document: readonly number[] = [];

  constructor(
    private readonly grammar: JsonCallGrammar,
    private states: States,
  ) {}

  allowed(): Int32Array | null {
    return this.document.length > 0 ? Int32Array.of(this.document[0]!) : this.grammar.allowed(this.states);
  }

  advance(id: number): boolean {
    if (this.document.length > 0) {
      if (id !== this.document[0]) return false;
      this.document = this.document.slice(1);
      return true;
    }
    const token = this.grammar.behindToken(this.states, id);
    if (token) {
      this.document = token.document;
      this.states = token.call;
      return true;
    }
    const next = this.grammar.step(this.states, id);
    if (next === null) return false;
    this.states = next;
    return true;
  }
}

/**
 * Knuth, Morris and Pratt: states of how much of a pattern the text ends with. @param found where its last byte leads
 */
function matching(pattern: Uint8Array, found: () => States): States[] {
  const longest = (said: readonly number[]): number => {
    for (let n = Math.min(said.length, pattern.length); n > 0; n--)
      if (said.slice(-n).every((byte, i) => byte === pattern[i])) return n;
    return 0;
  };
  const states: States[] = Array.from(pattern, (_, m) => [
    {
      bytes: ANY_BYTE,
      to: (byte: number) => {
        const n = longest([...pattern.slice(0, m), byte]);
        return n === pattern.length ? found() : states[n]!;
      },
    },
  ]);
  return states;
}

/** What of a tool's schema is held to while decoding; any plain value where it does not say. */
function heldTo(schema: Schema, root: Schema, depth = 0): Schema {
  if (typeof schema.$ref === 'string')
    return depth > MAX_DEPTH ? { type: 'null' } : heldTo(resolveRef(root, schema.$ref), root, depth + 1);
  if (Array.isArray(schema.enum) || 'const' in schema)
    return schema.enum ? { enum: schema.enum } : { const: schema.const };
  const union = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined;
  if (union) return { anyOf: union.map((one) => heldTo(one, root, depth + 1)) };
  const type = schema.type ?? (schema.properties ? 'object' : ['string', 'number', 'boolean', 'null']);
  const properties = Object.entries(propertiesOf(schema)).map(
    ([key, one]) => [key, heldTo(one, root, depth + 1)] as const,
  );
  return {
    type,
    properties: Object.fromEntries(properties),
    required: schema.required ?? [],
    ...([type].flat().includes('array') ? { items: heldTo((schema.items ?? {}) as Schema, root, depth + 1) } : {}),
    ...Object.fromEntries(
      ['minItems', 'maxItems', 'minimum', 'maximum'].flatMap((name) =>
        schema[name] === undefined ? [] : [[name, schema[name]]],
      ),
    ),
  };
}
