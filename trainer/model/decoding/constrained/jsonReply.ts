import type { Tokenizer } from '../../tokenizer/tokenizer';
import type { Grammar, TurnConstraint } from './grammar';
import { roomOf, type Schema } from './jsonBytes';
import { JsonConstraint } from './jsonConstraint';

/** Of a free string, where nothing says how long a reply may be; and the least that is worth asking for. */
const STRING_TOKENS = 64;
const LEAST_STRING_TOKENS = 4;
/** Numbers are read to so many digits behind the point. */
const DECIMALS = 2;

/** Turns that are one JSON value by a schema, then the end of the turn. */
export class JsonReply {
  /** what a reply takes beside what its strings say, and how many these are */
  private readonly tokens: number;
  readonly strings: number;
  /** the shortest limit that a whole reply fits into, tokens */
  readonly least: number;

  /** @param end the id that ends a turn @throws Error where the schema says something that is not held to */
  constructor(
    private readonly tokenizer: Tokenizer,
    private readonly schema: Schema,
    private readonly end: number,
  ) {
    const room = roomOf(schema, (text) => tokenizer.encode(text).length, { decimals: DECIMALS });
    this.tokens = room.tokens + 1; // the end
    this.strings = room.strings;
    this.least = this.tokens + this.strings * LEAST_STRING_TOKENS;
  }

  /** What a reply takes at most, tokens. @param limit Infinity: none but that of its strings */
  most(limit: number): number {
    return limit === Infinity ? this.tokens + this.strings * STRING_TOKENS : limit;
  }

  /**
   * Each free string gets an equal share of what the rest of the reply leaves.
   * @throws RangeError for a limit under `least`; Error, UserError as JsonConstraint's
   */
  grammar(limit: number): Grammar {
    if (limit < this.least) throw new RangeError(`a reply of this shape takes ${this.least} tokens or more`);
    const share = Math.floor((this.most(limit) - this.tokens) / Math.max(1, this.strings));
    const stringTokens = Math.min(STRING_TOKENS * (limit === Infinity ? 1 : 2), share);
    return {
      turn: () =>
        new ReplyTurn(new JsonConstraint(this.tokenizer, this.schema, stringTokens, { decimals: DECIMALS }), this.end),
    };
  }
}

class ReplyTurn implements TurnConstraint {
  /** what must follow, one after the other, as the tokenizer cuts it */
  private forced: number[];

  constructor(
    private readonly json: JsonConstraint,
    private readonly end: number,
  ) {
    this.forced = this.ahead();
  }

  private ahead(): number[] {
    return this.json.isDone ? [this.end] : this.json.forced();
  }

  allowed(): Int32Array {
    const [next] = this.forced;
    return next === undefined ? this.json.allowed() : Int32Array.of(next);
  }

  advance(id: number): boolean {
    const [next] = this.forced;
    if (next !== undefined && next !== id) return false;
    if (this.json.isDone) return true;
    if (!this.json.advance(id)) {
      if (next !== undefined) throw new Error(`jsonReply: the constraint forced the token ${id} and refused it`);
      return false;
    }
    if (next !== undefined) this.forced.shift();
    if (this.forced.length === 0) this.forced = this.ahead();
    return true;
  }
}
