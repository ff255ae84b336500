import type { Tokenizer } from '../../tokenizer/tokenizer';
import { byteVocabulary, type ByteVocabulary } from './byteVocabulary';
import {
  END,
  jsonStates,
  onlyByte,
  QUOTE,
  stepBytes,
  type ByteState,
  type JsonOptions,
  type Schema,
} from './jsonBytes';

const SPACE = 0x20;

/**
 * Holds a model to a JSON Schema while it writes, token by token; for any byte-level vocabulary. A string is ended for
 * it once it has taken `stringTokens`
 * tokens, so that the whole ends; no other value is ever chosen in the model's place.
 */
export class JsonConstraint {
  private readonly vocabulary: ByteVocabulary;
  private states: readonly ByteState[];
  /** tokens of the string at hand */
  private written = 0;
  /** strings that were ended for the model */
  ended = 0;

  /** @throws Error, UserError as jsonStates and byteVocabulary do */
  constructor(
    tokenizer: Tokenizer,
    schema: Schema,
    private readonly stringTokens: number,
    options: JsonOptions = {},
  ) {
    this.vocabulary = byteVocabulary(tokenizer);
    this.states = jsonStates(schema, options);
  }

  /** Nothing may follow. */
  get isDone(): boolean {
    return this.states.every((state) => state === END[0]);
  }

  /** Ids that may follow, ascending. */
  allowed(): Int32Array {
    return this.vocabulary.allowed(this.states, this.mustClose ? QUOTE : null);
  }

  /** @returns false, and stays where it was, when the id may not follow */
  advance(id: number): boolean {
    const bytes = this.vocabulary.bytesOf(id);
    if (bytes === null || (this.mustClose && bytes[0] !== QUOTE)) return false;
    let { states } = this;
    for (const byte of bytes) states = stepBytes(states, byte);
    if (states.length === 0) return false;
    if (this.mustClose) this.ended++;
    this.states = states;
    this.written = states.some((state) => state.inString) ? this.written + 1 : 0;
    return true;
  }

  /**
   * What must follow, as the tokenizer cuts it: written without asking the model. A space before a choice is left to
   * the model, since in most vocabularies
   * it is part of the next word.
   */
  forced(): number[] {
    const bytes: number[] = [];
    let { states } = this;
    for (let byte = onlyByte(states); byte !== null; byte = onlyByte(states)) {
      bytes.push(byte);
      states = stepBytes(states, byte);
    }
    if (states !== END) while (bytes.at(-1) === SPACE) bytes.pop();
    return bytes.length === 0 ? [] : (this.vocabulary.encode(Buffer.from(bytes).toString('utf8')) ?? []);
  }

  private get mustClose(): boolean {
    return this.written >= this.stringTokens && this.states.some((state) => state.inString === 'text');
  }
}
