/**
 * One Python expression as a tree, with the precedence of Python's grammar (Language Reference, 6.17): literals,
 * names, calls, indexing and arithmetic.
 */
import { PythonError, tokensOf, type Token } from './pythonTokens';

export type Node =
  | { kind: 'constant'; value: null | boolean | bigint | number | string }
  | { kind: 'ellipsis' }
  | { kind: 'name'; name: string }
  | { kind: 'attribute'; of: Node; name: string }
  | { kind: 'call'; callee: Node; positional: Node[]; keywords: { name: string; value: Node }[] }
  | { kind: 'index'; of: Node; index: Node }
  | { kind: 'list' | 'tuple'; items: Node[] }
  | { kind: 'dict'; entries: { key: Node; value: Node }[] }
  | { kind: 'unary'; operator: string; operand: Node }
  | { kind: 'binary'; operator: string; left: Node; right: Node };

/** How tightly a binary operator binds; ** is apart, as it goes from the right. */
export const PRECEDENCE: Readonly<Record<string, number>> = {
  '|': 1,
  '^': 2,
  '&': 3,
  '<<': 4,
  '>>': 4,
  '+': 5,
  '-': 5,
  '*': 6,
  '/': 6,
  '//': 6,
  '%': 6,
  '@': 6,
};
const CONSTANTS: Readonly<Record<string, null | boolean>> = { None: null, True: true, False: false };
const MAX_DEPTH = 100;

/** @throws PythonError where the text is no such expression, or goes on behind it */
export function parseExpression(text: string): Node {
  const parser = new Parser(tokensOf(text));
  const node = parser.expression();
  parser.expectEnd();
  return node;
}

class Parser {
  private at = 0;
  private depth = 0;

  constructor(private readonly tokens: readonly Token[]) {}

  expression(): Node {
    if (++this.depth > MAX_DEPTH) throw new PythonError('nested too deeply');
    const node = this.binary(1);
    this.depth--;
    return node;
  }

  expectEnd(): void {
    if (this.next().kind !== 'end') throw new PythonError('something follows the calls');
  }

  private binary(least: number): Node {
    let left = this.unary();
    for (;;) {
      const token = this.token();
      const strength = token.kind === 'operator' ? PRECEDENCE[token.text] : undefined;
      if (token.kind !== 'operator' || strength === undefined || strength < least) return left;
      this.at++;
      left = { kind: 'binary', operator: token.text, left, right: this.binary(strength + 1) };
    }
  }

  private unary(): Node {
    for (const operator of ['-', '+', '~'])
      if (this.takes(operator)) return { kind: 'unary', operator, operand: this.nested(() => this.unary()) };
    const base = this.primary();
    return this.takes('**')
      ? { kind: 'binary', operator: '**', left: base, right: this.nested(() => this.unary()) }
      : base;
  }

  private primary(): Node {
    let node = this.atom();
    for (;;) {
      if (this.takes('.')) node = { kind: 'attribute', of: node, name: this.name() };
      else if (this.takes('(')) node = this.call(node);
      else if (this.takes('[')) {
        const index = this.items(']', [this.expression()]);
        node = {
          kind: 'index',
          of: node,
          index: index.items.length === 1 && !index.hasComma ? index.items[0]! : { kind: 'tuple', items: index.items },
        };
      } else return node;
    }
  }

  private call(callee: Node): Node {
    const positional: Node[] = [];
    const keywords: { name: string; value: Node }[] = [];
    while (!this.takes(')')) {
      const [token, after] = [this.token(), this.tokens[this.at + 1]];
      if (token.kind === 'name' && after?.kind === 'operator' && after.text === '=') {
        if (Object.hasOwn(CONSTANTS, token.text)) throw new PythonError(`${token.text} is no name of an argument`);
        this.at += 2;
        keywords.push({ name: token.text, value: this.expression() });
      } else {
        if (keywords.length > 0) throw new PythonError('an argument without a name follows one with a name');
        positional.push(this.expression());
      }
      if (!this.takes(',')) {
        this.expect(')');
        break;
      }
    }
    return { kind: 'call', callee, positional, keywords };
  }

  private atom(): Node {
    if (this.takes('[')) return { kind: 'list', items: this.items(']').items };
    if (this.takes('{')) return this.dict();
    if (this.takes('(')) {
      const { items, hasComma } = this.items(')');
      return items.length === 1 && !hasComma ? items[0]! : { kind: 'tuple', items };
    }
    const token = this.next();
    switch (token.kind) {
      case 'int':
      case 'float':
        return { kind: 'constant', value: token.value };
      case 'string':
        return { kind: 'constant', value: token.value + this.moreText() };
      case 'name':
        return Object.hasOwn(CONSTANTS, token.text)
          ? { kind: 'constant', value: CONSTANTS[token.text]! }
          : { kind: 'name', name: token.text };
      case 'operator':
        if (token.text === '...') return { kind: 'ellipsis' };
        throw new PythonError(`${token.text} can't stand there`);
      case 'end':
        throw new PythonError('it breaks off');
    }
  }

  /** Texts that follow each other are one. */
  private moreText(): string {
    let text = '';
    for (let token = this.token(); token.kind === 'string'; this.at++, token = this.token()) text += token.value;
    return text;
  }

  private items(close: string, begun: Node[] = []): { items: Node[]; hasComma: boolean } {
    const items = begun;
    let hasComma = false;
    if (begun.length > 0 && !this.takes(',')) return (this.expect(close), { items, hasComma });
    hasComma = begun.length > 0;
    while (!this.takes(close)) {
      items.push(this.expression());
      if (!this.takes(',')) {
        this.expect(close);
        break;
      }
      hasComma = true;
    }
    return { items, hasComma };
  }

  private dict(): Node {
    const entries: { key: Node; value: Node }[] = [];
    while (!this.takes('}')) {
      const key = this.expression();
      this.expect(':');
      entries.push({ key, value: this.expression() });
      if (!this.takes(',')) {
        this.expect('}');
        break;
      }
    }
    return { kind: 'dict', entries };
  }

  private nested(read: () => Node): Node {
    if (++this.depth > MAX_DEPTH) throw new PythonError('nested too deeply');
    const node = read();
    this.depth--;
    return node;
  }

  private token(): Token {
    return this.tokens[this.at] ?? { kind: 'end' };
  }

  private next(): Token {
    const token = this.token();
    this.at++;
    return token;
  }

  private name(): string {
    const token = this.next();
    if (token.kind !== 'name' || Object.hasOwn(CONSTANTS, token.text))
      throw new PythonError('a name is missing behind the dot');
    return token.text;
  }

  private takes(operator: string): boolean {
    const token = this.tokens[this.at];
    if (token?.kind !== 'operator' || token.text !== operator) return false;
    this.at++;
    return true;
  }

  private expect(operator: string): void {
    if (!this.takes(operator)) throw new PythonError(`${operator} is missing`);
  }
}
