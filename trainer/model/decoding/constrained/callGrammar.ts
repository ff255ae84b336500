import { isSignedChange } from '../../../base/signedChange';
import { timeUnitOf, type TimeUnit } from '../../../base/durations';
import { spanNames } from '../../../base/spans';
import { propertiesOf, requiredOf, resolveRef } from '../../../protocol/arguments';
import type { PromptTool } from '../../tokenizer/chatTemplate';
import type { Tokenizer } from '../../tokenizer/tokenizer';
import type { ToolTokens } from '../../tokenizer/toolTokens';
import { AnswerWords } from './answerWords';
import { Constraint, literal, madeOnce, type Grammar, type SpanSource, type State, type Then } from './grammar';
import { SaidValues } from './saidValues';
import { ShownIds } from './shownIds';
import { NOTHING, textOf, withoutItem, withoutSaid, type Said, type Source } from './source';
import { spanStates, type Copied } from './spans';
import { specialIds, type SpecialIds } from './specialIds';

type Schema = Record<string, unknown>;

const MAX_ITEMS = 8;
const DIGITS = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'];
const MAX_DEPTH = 5;

/** What follows a value; told what was taken from what was said. */
type ThenSaid = (said?: Said) => readonly State[];

/**
 * Schema-constrained decoding: a turn is either text or one call whose name, keys, structure, enums and numbers follow
 * the tools' schemas. With
 * `spans`, strings and numbers must be spans of what users and tools wrote (for small models) that keep the schema's
 * pattern, format and bounds, so that a
 * tool whose required values nobody said can't be called, and an optional one that nobody said is left out; else
 * strings are free. With `words`, text
 * holds only words that were said, and function words. It is a setting named in the run, the same before, while and
 * after training; the logprobs
 * recorded and trained are those of the constrained distribution.
 */
export class CallGrammar implements Grammar {
  private readonly encoded = new Map<string, number[]>();
  private readonly special: SpecialIds;
  private readonly notInString: ReadonlySet<number>;

  private readonly words: AnswerWords | null;
  private readonly ids: ShownIds;

  /**
   * @param words whether an answer holds only known words (answerWords.ts)
   * @param tokens of tools that have one: it stands in the place of a call's mark and name, which follow by themselves
   */
  constructor(
    private readonly tokenizer: Tokenizer,
    private readonly tools: readonly PromptTool[],
    private readonly spans: boolean,
    words = false,
    private readonly tokens?: ToolTokens,
  ) {
    this.words = words ? new AnswerWords(tokenizer, tools) : null;
    this.ids = new ShownIds(tools);
    this.special = specialIds(tokenizer);
    this.notInString = this.special.notInString;
  }

  /** The constraint of one turn of the policy. */
  turn(given: SpanSource): Constraint {
    const source: Source = {
      ...given,
      said: this.spans ? new SaidValues(this.tokenizer, given, this.special.notInSpan) : null,
      taken: NOTHING,
      unit: null,
      isSigned: false,
      kind: null,
    };
    const done: Then = () => [];
    const end: Then = () => literal([this.special.end], done);
    const more = (): readonly State[] => [
      { edges: [{ id: this.special.end, to: done }], free: { except: this.special.all, to: more } },
    ];
    const text: readonly State[] = this.words?.states(source, end) ?? [
      { edges: [], free: { except: this.special.all, to: more } },
    ];
    const callable = this.tools.filter(({ parameters }) => this.canFill(parameters, parameters, source, 0));
    const named = (tool: PromptTool): readonly State[] =>
      this.seq(tool.name, () => this.object(tool.parameters, tool.parameters, source, 0, end));
    const behindTokens = callable.flatMap((tool) => {
      const token = this.tokens?.of(tool);
      return token ? this.seq(token.text + token.document, () => literal([this.special.call], () => named(tool))) : [];
    });
    const others = this.tokens ? callable.filter((tool) => !this.tokens!.of(tool)) : callable;
    const call: State = { edges: [{ id: this.special.call, to: () => others.flatMap(named) }] };
    return new Constraint([...(others.length ? [call] : []), ...behindTokens, ...text], this.tokenizer.vocabSize);
  }

  private seq(text: string, then: Then): readonly State[] {
    let ids = this.encoded.get(text);
    if (!ids) this.encoded.set(text, (ids = this.tokenizer.encode(text)));
    return literal(ids, then);
  }

  /**
   * Keys in the schema's order; optional ones may be left out. Blanks stand where the chat template writes them:
   * within values, not around the arguments.
   */
  private object(schema: Schema, root: Schema, source: Source, depth: number, then: Then): readonly State[] {
    const properties = Object.entries(propertiesOf(schema));
    const required = new Set(requiredOf(schema));
    const [comma, colon] = depth === 0 ? [',', ':'] : [', ', ': '];
    const [start, end] = spanOf(schema) ?? [];
    type Rest = (from: number, spoken: readonly string[], left: Source, after?: string) => readonly State[];
    /** @param spoken by the arguments before: what stands at several places was taken at the first of them */
    const behind: Rest = (from, spoken, left, after) => {
      const out: State[] = [];
      for (let j = from; j < properties.length; j++) {
        const [key, value] = properties[j]!;
        const isRequired = required.has(key);
        // "62 kilos" is said once: no optional argument beside it may be 62, too
        const taken = isRequired ? source.taken : { ...left.taken, isLong: isLong(key) };
        const free = isRequired || isLong(key) ? source : left;
        const bounds =
          key === end ? { after, isOptional: !isRequired } : { hasEnd: key === start && required.has(end!) };
        const own = {
          ...free,
          taken,
          said: free.said?.within(bounds) ?? null,
          unit: unitOf(key, value),
          isSigned: isSignedChange(key, value),
          kind: this.ids.kindOf(key),
        };
        if (!isRequired && !this.canFill(value, root, own, depth + 1, true)) continue;
        out.push(
          ...this.seq(`${spoken.length === 0 ? '' : comma}${JSON.stringify(key)}${colon}`, () =>
            this.value(value, root, own, depth + 1, (said) => {
              const isWhen = typeof said === 'object' && 'when' in said;
              const others = said === undefined || isWhen || isLong(key) ? left : withoutSaid(left, said);
              const begun = isWhen && key === start ? said.when : after;
              return rest(j + 1, [...spoken, textOf(said, source)], others, begun);
            }),
          ),
        );
        if (isRequired) return out;
      }
      return [...out, ...this.seq('}', then)];
    };
    const rest = madeOnce<Parameters<Rest>>((from, spoken, _, after) => JSON.stringify([from, after, spoken]), behind);
    return this.seq('{', () => rest(0, [], source));
  }

  private value(schema: Schema, root: Schema, source: Source, depth: number, then: ThenSaid): readonly State[] {
    if (typeof schema.$ref === 'string')
      return depth > MAX_DEPTH
        ? this.seq('null', then)
        : this.value(resolveRef(root, schema.$ref), root, source, depth + 1, then);
    const choices = (schema.enum ?? (schema.const !== undefined ? [schema.const] : undefined)) as unknown[] | undefined;
    if (choices) return (source.said?.choices(choices) ?? choices).flatMap((c) => this.seq(JSON.stringify(c), then));
    const union = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined;
    if (union) return union.flatMap((s) => this.value(s, root, source, depth, then));
    const types = [schema.type ?? ['string', 'number', 'boolean']].flat() as string[];
    return types.flatMap((type) => this.ofType(type, schema, root, source, depth, then));
  }

  private ofType(
    type: string,
    schema: Schema,
    root: Schema,
    source: Source,
    depth: number,
    then: ThenSaid,
  ): readonly State[] {
    switch (type) {
      case 'string':
        return this.string(schema, source, then);
      case 'integer':
      case 'number':
        return this.number(type, schema, source, then);
      case 'boolean':
        return [...this.seq('true', then), ...this.seq('false', then)];
      case 'array':
        return this.array(schema, root, source, depth, then);
      case 'object':
        return this.object(schema, root, source, depth, then);
      default:
        return this.seq('null', then);
    }
  }

  private string(schema: Schema, source: Source, then: ThenSaid): readonly State[] {
    const close: Then = () => this.seq('"', then);
    const closeWhen = (when: string) => (): readonly State[] => this.seq('"', () => then({ when }));
    const closeSpan = (span: Copied): readonly State[] => this.seq('"', () => then(span));
    if (source.said) {
      const { spans: formed, restated } = source.said.accepted(schema, source.kind);
      const states = formed
        ? formed.flatMap((ids) => literal(ids, closeWhen(this.tokenizer.decode(ids, true))))
        : spanStates(this.tokenizer, source, this.special.notInSpan, closeSpan, source.taken);
      if (formed && formed.length + restated.length === 0) return [];
      if (formed || states.length > 0)
        return this.seq('"', () => [...states, ...restated.flatMap((text) => this.seq(text, closeWhen(text)))]);
    }
    const more = (): readonly State[] => [...close(), { edges: [], free: { except: this.notInString, to: more } }];
    return this.seq('"', more);
  }

  private number(type: 'integer' | 'number', schema: Schema, source: Source, then: ThenSaid): readonly State[] {
    const said = source.said?.numbers(type, schema, false, source) ?? null;
    if (said) return said.flatMap((n) => this.seq(n, () => then(source.isSigned ? n.replace('-', '') : n)));
    const digits = (left: number, after: Then, from = 0): readonly State[] =>
      DIGITS.slice(from).flatMap((d) => this.seq(d, () => [...(left > 0 ? digits(left - 1, after) : []), ...after()]));
    const fraction: Then = () => (type === 'number' ? [...this.seq('.', () => digits(5, then)), ...then()] : then());
    const whole: Then = () => [...this.seq('0', fraction), ...digits(8, fraction, 1)]; // JSON has no leading zeros
    return [...this.seq('-', whole), ...whole()];
  }

  /**
   * Is there anything that `value` could say? @param isOptional then a number that nobody said is left out; where one
   * is required, the model has to make one up
   */
  private canFill(schema: Schema, root: Schema, source: Source, depth: number, isOptional = false): boolean {
    const { said } = source;
    if (said === null || schema.enum !== undefined || schema.const !== undefined) return true;
    if (typeof schema.$ref === 'string')
      return depth > MAX_DEPTH || this.canFill(resolveRef(root, schema.$ref), root, source, depth + 1, isOptional);
    const union = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined;
    if (union) return union.some((s) => this.canFill(s, root, source, depth, isOptional));
    const properties = propertiesOf(schema);
    return ([schema.type ?? ['string', 'number', 'boolean']].flat() as string[]).some((type) => {
      switch (type) {
        case 'string': {
          const { spans: formed, restated } = said.accepted(schema, source.kind);
          const isLeft = formed ? formed.length > 0 : source.taken.spans.length === 0 || this.hasSpan(source);
          return isLeft || restated.length > 0;
        }
        case 'integer':
        case 'number':
          return (said.numbers(type, schema, isOptional, source)?.length ?? (isOptional ? 0 : 1)) > 0;
        case 'array':
          return (
            Number(schema.minItems ?? 0) === 0 ||
            this.canFill((schema.items ?? { type: 'string' }) as Schema, root, source, depth + 1)
          );
        case 'object':
          return requiredOf(schema).every((key) => {
            const own = { ...source, kind: this.ids.kindOf(key) };
            return properties[key] === undefined || this.canFill(properties[key], root, own, depth + 1);
          });
        default:
          return true;
      }
    });
  }

  private hasSpan(source: Source): boolean {
    return spanStates(this.tokenizer, source, this.special.notInSpan, () => [], source.taken).length > 0;
  }

  private array(schema: Schema, root: Schema, source: Source, depth: number, then: Then): readonly State[] {
    const items = (schema.items ?? { type: 'string' }) as Schema;
    const close: Then = () => this.seq(']', then);
    type List = (held: readonly string[], left: Source) => readonly State[];
    /** @param left without what the list holds, which is said again only where it stands there again */
    const item = (start: string, held: readonly string[], left: Source): readonly State[] =>
      held.length === MAX_ITEMS || !this.canFill(items, root, left, depth + 1)
        ? []
        : this.seq(start, () =>
            this.value(items, root, left, depth + 1, (said) =>
              more([...held, textOf(said, left)], said === undefined ? left : withoutItem(left, said)),
            ),
          );
    const more = madeOnce<Parameters<List>>(
      (held) => JSON.stringify(held),
      (held, left) => [...close(), ...item(', ', held, left)],
    );
    return this.seq('[', () => [...(Number(schema.minItems ?? 0) > 0 ? [] : close()), ...item('', [], source)]);
  }
}

/** Asked for again and again, in each turn of each episode. */
const units = new WeakMap<Schema, TimeUnit | null>();

function unitOf(key: string, schema: Schema): TimeUnit | null {
  let unit = units.get(schema);
  if (unit === undefined) units.set(schema, (unit = timeUnitOf(key, schema.description)));
  return unit;
}

/** What is long may well hold what another argument names. */
const isLong = (key: string): boolean =>
  /body|message|text|notes?$|comment|content|description|summary|reason|details?$/i.test(key);

/** Names of a stretch's start and end among the arguments. */
const spans = new WeakMap<Schema, ReturnType<typeof spanNames>>();

function spanOf(schema: Schema): ReturnType<typeof spanNames> {
  let span = spans.get(schema);
  if (span === undefined) spans.set(schema, (span = spanNames(Object.keys(propertiesOf(schema)))));
  return span;
}
