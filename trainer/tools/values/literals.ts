/**
 * What stands written in the user's own files: constants, records, tables, comparisons, calls with literal arguments,
 * and data files. Nothing is run.
 */
import { constants } from 'node:os';
import { basename } from 'node:path';
import { ts } from 'ts-morph';
import type { ToolSchema } from '../../protocol/task';
import { factsOf, isScalar, MAX_TEXT, wordsOf, type Fact, type Place } from './facts';
import { DATA, dataFile, moduleGraph, type GraphFile } from './moduleGraph';
import { readData } from './readData';
import {
  unwrap,
  signature,
  parameterNames,
  unread,
  isDefinition,
  isMcpResultLiteral,
  isSchema,
  COMPARISONS,
  nameOf,
  patternNames,
  typeWords,
} from './literalSyntax';

const MOST_FACTS = 6000;

/**
 * Facts from the module graph of the tools' files. @param workspace what their hosts may read beside the folders of
 * the code
 */
export function literalFacts(tools: readonly ToolSchema[], workspace?: string): Fact[] {
  const facts: Fact[] = [];
  const names = new Set<unknown>(tools.map(({ name }) => name)); // `case 'find_orders':` is no value of anything
  const isNone = ({ value }: Fact): boolean =>
    names.has(value) || (typeof value === 'string' && (value in constants.errno || !/[\p{L}\p{N}]/u.test(value)));
  const add = (fact: Fact): void => void (facts.length < MOST_FACTS && !isNone(fact) && facts.push(fact));
  const done = new Set<string>();
  for (const file of moduleGraph([...new Set(tools.flatMap(({ source }) => source?.file ?? []))])) {
    if (done.has(file.path)) continue;
    done.add(file.path);
    if (DATA.test(file.path)) dataFacts(file, add);
    else {
      for (const names of new Reader(file, add).read()) {
        const data = dataFile(names, folderTexts(file), file.path, workspace);
        if (!data || done.has(data.path)) continue;
        done.add(data.path);
        dataFacts(data, add);
      }
    }
  }
  return facts;
}

function dataFacts(file: GraphFile, add: (fact: Fact) => void): void {
  const name = basename(file.path).replace(/\.\w+$/, '');
  const value = readData(file);
  if (value !== undefined)
    factsOf(value, { key: name, nouns: wordsOf(name), from: 'literal', where: basename(file.path) }, add);
}

/** Texts of a file that may be folders: 'data', './fixtures'. */
function folderTexts({ text }: GraphFile): string[] {
  return [
    ...new Set(
      [...text.matchAll(/['"`]((?:\.{1,2}\/)*[\w.-]+(?:\/[\w.-]+)*)\/?['"`]/g)]
        .map((match) => match[1]!)
        .filter((part) => !DATA.test(part) && part.length <= 40),
    ),
  ].slice(0, 40);
}

class Reader {
  private readonly named: string[][] = [];
  private readonly source: ts.SourceFile;
  private readonly constants = new Map<string, unknown>();
  private readonly callables = new Map<string, { names: string[]; nouns: string[] }>();

  constructor(
    file: GraphFile,
    private readonly add: (fact: Fact) => void,
  ) {
    this.source = ts.createSourceFile(
      file.path,
      file.text,
      ts.ScriptTarget.ES2022,
      true,
      /x$/.test(file.path) ? ts.ScriptKind.TSX : undefined,
    );
  }

  /** @returns the data files that the code names, as parts of a path */
  read(): string[][] {
    this.declare(this.source);
    this.visit(this.source);
    return this.named;
  }

  /**
   * Constants and enum members that literals may name, functions and classes whose parameters name the arguments of
   * their calls.
   */
  private declare(node: ts.Node): void {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer) {
      const value = this.valueOf(node.initializer);
      if (isScalar(value)) this.constants.set(node.name.text, value);
      const inner = unwrap(node.initializer);
      if (ts.isArrowFunction(inner) || ts.isFunctionExpression(inner))
        this.callables.set(node.name.text, signature(inner, node.name.text));
    } else if (ts.isFunctionDeclaration(node) && node.name)
      this.callables.set(node.name.text, signature(node, node.name.text));
    else if (ts.isClassDeclaration(node) && node.name) {
      const made = node.members.find(ts.isConstructorDeclaration);
      if (made) this.callables.set(node.name.text, { names: parameterNames(made), nouns: wordsOf(node.name.text) });
    } else if (ts.isEnumDeclaration(node)) {
      for (const member of node.members) {
        const value = member.initializer && this.valueOf(member.initializer);
        if (isScalar(value)) this.constants.set(`${node.name.text}.${member.name.getText()}`, value);
      }
    }
    ts.forEachChild(node, (child) => this.declare(child));
  }

  private visit(node: ts.Node): void {
    if (
      ts.isImportDeclaration(node) ||
      ts.isExportDeclaration(node) ||
      ts.isTypeNode(node) ||
      ts.isDecorator(node) ||
      ts.isInterfaceDeclaration(node) ||
      ts.isTypeAliasDeclaration(node)
    )
      return;
    if (ts.isObjectLiteralExpression(node) && (isSchema(node) || isMcpResultLiteral(node))) return;
    if (ts.isObjectLiteralExpression(node) && isDefinition(node))
      return ts.forEachChild(node, (one) => this.visit(one));
    if (ts.isObjectLiteralExpression(node) || ts.isArrayLiteralExpression(node)) {
      factsOf(this.valueOf(node), this.placeOf(node), this.add);
      for (const rest of unread(node)) this.visit(rest);
      return;
    }
    if (ts.isTemplateExpression(node)) this.nameData([node.templateSpans.at(-1)!.literal.text.replace(/^[/\\]/, '')]);
    else if (ts.isStringLiteralLike(node)) this.nameData([node.text]);
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) this.readCall(node);
    else if (ts.isBinaryExpression(node) && COMPARISONS.has(node.operatorToken.kind))
      this.readComparison(node.left, node.right);
    else if (ts.isCaseClause(node)) this.readComparison(node.parent.parent.expression, node.expression);
    else if (ts.isVariableDeclaration(node) || ts.isPropertyDeclaration(node)) this.readText(node);
    ts.forEachChild(node, (child) => this.visit(child));
  }

  /** `ROOM = 'R-1'`, and a table written as text. */
  private readText(node: ts.VariableDeclaration | ts.PropertyDeclaration): void {
    const text = node.initializer && unwrap(node.initializer);
    if (!text || !ts.isStringLiteralLike(text) || !ts.isIdentifier(node.name)) return;
    const place = { ...this.place(node.name.text, node), key: node.name.text };
    if (text.text.length <= MAX_TEXT && !text.text.includes('\n')) factsOf(text.text, place, this.add);
    else {
      const value = readData({ path: '.json', text: text.text }) ?? readData({ path: '.csv', text: text.text });
      if (value !== undefined) factsOf(value, place, this.add);
    }
  }

  /**
   * `book('BK-1', 'Helga', …)` of a function or class of this file: its parameters name the values. Texts that name a
   * data file are read.
   */
  private readCall(node: ts.CallExpression | ts.NewExpression): void {
    const args = [...(node.arguments ?? [])];
    this.nameData(args.flatMap((arg) => (ts.isStringLiteralLike(arg) ? [arg.text] : [])));
    const callee = node.expression;
    if (
      ts.isPropertyAccessExpression(callee) &&
      callee.name.text === 'includes' &&
      args[0] &&
      ts.isArrayLiteralExpression(unwrap(callee.expression))
    ) {
      const name = nameOf(args[0]);
      if (name)
        factsOf(
          this.valueOf(callee.expression),
          { key: name, nouns: [], from: 'literal', where: this.where(node) },
          this.add,
        );
      return;
    }
    if (ts.isPropertyAccessExpression(callee) && callee.name.text === 'set' && args.length === 2)
      return this.readEntry(callee.expression, args[0]!, args[1]!, node);
    const known = ts.isIdentifier(callee) ? this.callables.get(callee.text) : undefined;
    if (!known || args.length === 0) return;
    const values = Object.fromEntries(
      args
        .map((arg, i) => [known.names[i] ?? `argument${i}`, this.valueOf(arg)])
        .filter(([, value]) => value !== undefined),
    );
    const { key, nouns } = this.placeOf(node);
    factsOf(values, { key, nouns: [...known.nouns, ...nouns], from: 'literal', where: this.where(node) }, this.add);
  }

  private nameData(texts: string[]): void {
    const end = texts.findIndex((text) => DATA.test(text));
    if (end >= 0) this.named.push(texts.slice(0, end + 1));
  }

  /** `rooms.set('R-1', { … })` */
  private readEntry(map: ts.Expression, key: ts.Expression, value: ts.Expression, node: ts.Node): void {
    const [name, id, rest] = [nameOf(map), this.valueOf(key), this.valueOf(value)];
    if (name && isScalar(id))
      factsOf(
        { [id]: rest ?? {} },
        { key: name, nouns: wordsOf(name), from: 'literal', where: this.where(node), indexKey: 'id' },
        this.add,
      );
  }

  private readComparison(left: ts.Expression, right: ts.Expression): void {
    for (const [side, other] of [
      [left, right],
      [right, left],
    ] as const) {
      const [name, value] = [nameOf(side), this.valueOf(other)];
      if (name && isScalar(value) && typeof value === 'string')
        factsOf(value, { key: name, nouns: [], from: 'literal', where: this.where(side) }, this.add);
    }
  }

  /** What an expression is worth, as far as it is written out; members that are not are left out. */
  private valueOf(expression: ts.Expression): unknown {
    const node = unwrap(expression);
    if (ts.isStringLiteralLike(node)) return node.text;
    if (ts.isNumericLiteral(node)) return Number(node.text);
    if (
      ts.isPrefixUnaryExpression(node) &&
      node.operator === ts.SyntaxKind.MinusToken &&
      ts.isNumericLiteral(node.operand)
    )
      return -Number(node.operand.text);
    if (node.kind === ts.SyntaxKind.TrueKeyword || node.kind === ts.SyntaxKind.FalseKeyword)
      return node.kind === ts.SyntaxKind.TrueKeyword;
    if (ts.isIdentifier(node) || ts.isPropertyAccessExpression(node)) return this.constants.get(node.getText());
    if (ts.isArrayLiteralExpression(node))
      return node.elements.map((item) => this.valueOf(item)).filter((item) => item !== undefined);
    if (
      ts.isNewExpression(node) &&
      ts.isIdentifier(node.expression) &&
      node.arguments?.length === 1 &&
      /^(Date|Set|Map|URL)$/.test(node.expression.text)
    )
      return this.valueOf(node.arguments[0]!);
    if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && ts.isIdentifier(node.expression)) {
      const known = this.callables.get(node.expression.text);
      if (known)
        return Object.fromEntries(
          [...(node.arguments ?? [])]
            .map((arg, i) => [known.names[i] ?? `argument${i}`, this.valueOf(arg)])
            .filter(([, value]) => value !== undefined),
        );
    }
    if (!ts.isObjectLiteralExpression(node) || isDefinition(node)) return undefined;
    const out: Record<string, unknown> = {};
    for (const property of node.properties) {
      const name =
        property.name &&
        (ts.isIdentifier(property.name) || ts.isStringLiteralLike(property.name) || ts.isNumericLiteral(property.name)
          ? property.name.text
          : ts.isComputedPropertyName(property.name)
            ? this.valueOf(property.name.expression)
            : undefined);
      const value = ts.isPropertyAssignment(property) ? this.valueOf(property.initializer) : undefined;
      if (value !== undefined && (typeof name === 'string' || typeof name === 'number')) out[name] = value;
    }
    return out;
  }

  /** What the literal is called: the constant, property or parameter that it is given to, and its declared type. */
  private placeOf(node: ts.Node): Place {
    let columns: string[] | undefined;
    for (let parent = node.parent; parent; parent = parent.parent) {
      if (ts.isVariableDeclaration(parent) || ts.isPropertyDeclaration(parent) || ts.isParameter(parent))
        return { ...this.place(parent.name.getText(), parent), ...(columns && { columns }) };
      if (ts.isPropertyAssignment(parent))
        return { ...this.place(parent.name.getText().replace(/['"]/g, ''), parent), ...(columns && { columns }) };
      if (ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.EqualsToken)
        return { ...this.place(nameOf(parent.left) ?? '', parent), ...(columns && { columns }) };
      if (ts.isPropertyAccessExpression(parent) && parent.name.text === 'map' && ts.isCallExpression(parent.parent))
        columns ??= patternNames(parent.parent.arguments[0]);
      if (ts.isFunctionLike(parent)) break;
    }
    return { key: '', nouns: [], from: 'literal', where: this.where(node) };
  }

  private place(name: string, node: ts.Node & { type?: ts.TypeNode; initializer?: ts.Expression }): Place {
    const made =
      node.initializer && ts.isNewExpression(node.initializer)
        ? node.initializer.typeArguments?.map((each) => each)
        : undefined;
    const { nouns, indexKey } = typeWords(node.type, made);
    return {
      key: name,
      nouns: [...new Set([...wordsOf(name), ...nouns])],
      from: 'literal',
      where: this.where(node),
      ...(indexKey && { indexKey }),
    };
  }

  private where(node: ts.Node): string {
    return `${basename(this.source.fileName)}:${this.source.getLineAndCharacterOfPosition(node.getStart(this.source)).line + 1}`;
  }
}
