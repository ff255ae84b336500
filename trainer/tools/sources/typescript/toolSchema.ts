/** A candidate and its types -> what the policy sees of the tool and what the host needs to call it, or why not. */
import { ts } from 'ts-morph';
import type { JsonSchema, Mend, TypeScriptTool } from '../../../protocol/task';
import { type Candidate, type Problem, problemAt } from './discovery/candidate';
import { functionChangesOutside } from './discovery/changesOutside';
import { changesWorld } from './discovery/changesWorld';
import { constructorProblem } from './discovery/constructorProblem';
import { findTag, plainText } from './discovery/jsDoc';
import { skipType } from './discovery/parameterDocs';
import { convertParameters, type Parameters } from './discovery/parameters';
import { type Finding, makeContext, type ProgramTypes, type SchemaContext } from '../../schema/context';
import { convert } from '../../schema/convert';
import { readValue } from '../../schema/literals';

export interface BuiltTool {
  /** Null when an error keeps it from being called. */
  tool: TypeScriptTool | null;
  candidate: Candidate;
  problems: Problem[];
}

export const LEGAL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** @param path of the file, as it is told to the user */
export function buildTool(candidate: Candidate, file: ts.SourceFile, path: string, types: ProgramTypes): BuiltTool {
  const { checker } = types;
  const problems: Problem[] = [];
  const report = (node: ts.Node, message: string, severity: Problem['severity'] = 'error', mend?: Mend) =>
    problems.push(problemAt(file, isIn(node, file) ? node : candidate.nameNode, message, severity, mend));
  const { nameNode, node, docs, method } = candidate;

  const stated = statedOptions(candidate, checker, (at, message) => report(at, message));
  const name = stated.name ?? candidate.name;
  const renamed: Candidate = { ...candidate, name, isNamed: candidate.isNamed || stated.name !== undefined };
  if (!LEGAL_NAME.test(name)) {
    report(
      nameNode,
      `${name.slice(0, 70)}: the name of a tool has 1 to 64 letters, digits, "_" or "-" (${LEGAL_NAME.source})`,
    );
  }

  const context = makeContext(types, node, 'arguments', 4000);
  const parameters = convertParameters(node, docs, context);
  const place = (finding: Finding) =>
    parameters.places.get(/^[^.[]*/.exec(finding.path)![0]) ?? parameters.places.get('') ?? nameNode;
  const label = (finding: Finding) => (finding.path === '' ? name : `${name}.${finding.path}`);
  for (const finding of firstFew(context.unsendable))
    report(place(finding), `${label(finding)}: a caller can\u2019t send ${finding.what}`);
  const isBroken = problems.length > 0;

  const description = describe(candidate, stated.description);
  if (description === '')
    report(nameNode, `${name}: no description; the model chooses a tool by it`, 'warning', {
      kind: 'describeTool',
      of: name,
    });
  for (const each of parameters.undescribed) {
    const at = parameters.places.get(each) ?? nameNode;
    const mend: Mend | undefined = beginsIn(at, file) ? { kind: 'describeValue', of: each } : undefined;
    report(at, `${name}.${each}: no description`, 'warning', mend);
  }
  for (const finding of firstFew(context.anys)) {
    const at = place(finding);
    const mend: Mend | undefined = isUntyped(at, file) ? { kind: 'typeParameter', of: at.getText(file) } : undefined;
    report(at, `${label(finding)}: the type resolved to any, so every value is accepted`, 'warning', mend);
  }
  for (const finding of firstFew(context.remarks))
    report(place(finding), `${label(finding)}: ${finding.what}`, 'warning');
  if (isBroken) return { tool: null, candidate: renamed, problems };

  const returns = returnSchema(node, docs && findTag(docs, 'returns', 'return')?.text, types);
  const examples = (docs?.tags ?? []).filter((tag) => tag.name === 'example' && tag.text !== '').map((tag) => tag.text);
  const { line, character } = file.getLineAndCharacterOfPosition(nameNode.getStart(file));
  const tool: TypeScriptTool = {
    name,
    description,
    parameters: parameters.schema,
    source: { file: path, line: line + 1, column: character + 1 },
    ...(returns && { returns }),
    ...(examples.length > 0 && { examples }),
    binding: binding(
      candidate,
      parameters,
      context,
      method ? constructorProblem(method.classNode, checker) === null : true,
    ),
    changesWorld: changesWorld(name, description, docs, () => functionChangesOutside(node, file)),
    ...(findTag(docs, 'mock') && { isMocked: true }),
  };
  return { tool, candidate: renamed, problems };
}

/** A parameter or property whose own text begins with its name, so that a comment before it is read as its own. */
function beginsIn(name: ts.Node, file: ts.SourceFile): boolean {
  const { parent } = name;
  const isOwn = ts.isParameter(parent) || ts.isPropertySignature(parent) || ts.isPropertyDeclaration(parent);
  return isIn(name, file) && isOwn && ts.isIdentifier(name) && parent.getStart(file) === name.getStart(file);
}

/** A name in the brackets of a TypeScript function, with no type behind it. */
function isUntyped(name: ts.Node, file: ts.SourceFile): boolean {
  return (
    isIn(name, file) &&
    ts.isParameter(name.parent) &&
    ts.isIdentifier(name) &&
    !/\.[cm]?jsx?$/.test(file.fileName) &&
    /^\s*[,)]/.test(file.text.slice(name.getEnd()))
  );
}

/** At most three of each parameter: a type from a large library would fill the list with its parts. */
function firstFew(findings: readonly Finding[]): Finding[] {
  const counts = new Map<string, number>();
  return findings.filter(({ path }) => {
    const head = /^[^.[]*/.exec(path)![0];
    counts.set(head, (counts.get(head) ?? 0) + 1);
    return counts.get(head)! <= 3;
  });
}

function binding(
  { exportName, method }: Candidate,
  parameters: Parameters,
  context: SchemaContext,
  isConstructible: boolean,
): TypeScriptTool['binding'] {
  const { positional, injectsSignal } = parameters;
  const isInstance =
    method !== undefined &&
    !method.isStatic &&
    method.instanceExport !== null &&
    (!isConstructible || method.classExport === null);
  return {
    exportName: isInstance ? method.instanceExport! : exportName,
    ...(method && { member: method.member }),
    ...(method?.isStatic && { isStatic: true }),
    ...(isInstance && { isInstance: true }),
    positional,
    ...(injectsSignal && { injectsSignal: true }),
    // The host goes through them in order: a map's values before the map.
    ...(context.revive.size > 0 && { revive: Object.fromEntries([...context.revive].reverse()) }),
  };
}

/** Decorator before JSDoc; JSDoc's own text before what follows `@tool`. */
function describe({ docs, tagDescription }: Candidate, stated: string | undefined): string {
  if (stated !== undefined) return stated.trim();
  const own = docs?.description || plainText(findTag(docs, 'description', 'desc', 'summary')?.text ?? '');
  return [own, plainText(tagDescription)].filter((part) => part !== '').join('\n');
}

/** `name` and `description` of `@tool({ … })`: written out, or constants. */
function statedOptions(
  { method, name }: Candidate,
  checker: ts.TypeChecker,
  report: (at: ts.Node, message: string) => void,
): { name?: string; description?: string } {
  const stated: { name?: string; description?: string } = {};
  for (const property of method?.options?.properties ?? []) {
    const key =
      property.name && (ts.isIdentifier(property.name) || ts.isStringLiteralLike(property.name))
        ? property.name.text
        : null;
    if (key !== 'name' && key !== 'description') continue;
    const expression = ts.isPropertyAssignment(property)
      ? property.initializer
      : ts.isShorthandPropertyAssignment(property)
        ? property.name
        : null;
    const value =
      expression &&
      (ts.isShorthandPropertyAssignment(property)
        ? shorthandValue(property, checker)
        : readValue(expression, checker)?.value);
    if (key === 'name' && value === '') report(property, `${name}: the name given to @tool is empty`);
    else if (typeof value === 'string') stated[key] = value;
    else
      report(property, `${name}: the ${key} given to @tool must be a text that can be read without running the code`);
  }
  return stated;
}

function shorthandValue(property: ts.ShorthandPropertyAssignment, checker: ts.TypeChecker): unknown {
  const symbol = checker.getShorthandAssignmentValueSymbol(property);
  const type = symbol && checker.getTypeOfSymbolAtLocation(symbol, property);
  return type?.isStringLiteral() ? type.value : undefined;
}

/** What the tool resolves to. Undefined where that is not known, is nothing, or has no form in JSON. */
function returnSchema(
  node: ts.SignatureDeclaration,
  text: string | undefined,
  types: ProgramTypes,
): JsonSchema | undefined {
  const { checker } = types;
  const type = resolvedType(node, checker);
  if (!type) return undefined;
  if (
    type.flags &
    (ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.Void | ts.TypeFlags.Undefined | ts.TypeFlags.Never)
  )
    return undefined;
  const context = makeContext(types, node, 'returns', 600);
  const schema = convert(type, context, promisedNode(node.type));
  if (context.budget < 0 || context.unsendable.some(({ path }) => path === '') || 'not' in schema) return undefined;
  const description = plainText(skipType(text ?? '').replace(/^[-\u2013\u2014]\s+/, ''));
  return {
    ...schema,
    ...(description !== '' && { description }),
    ...(context.defs.size > 0 && { $defs: Object.fromEntries(context.defs) }),
  };
}

/** What the tool's promise gives, or its plain result. What is written out spares the look at the signature. */
function resolvedType(node: ts.SignatureDeclaration, checker: ts.TypeChecker): ts.Type | undefined {
  const signature = node.type ? undefined : checker.getSignatureFromDeclaration(node);
  const written = promisedNode(node.type);
  const type = written
    ? checker.getTypeFromTypeNode(written)
    : signature && checker.getReturnTypeOfSignature(signature);
  const mayBePromise = type && (type.isUnion() || (type.flags & ts.TypeFlags.Object && type.getProperty('then')));
  return mayBePromise ? (checker.getAwaitedType(type) ?? type) : type;
}

function promisedNode(node: ts.TypeNode | undefined): ts.TypeNode | undefined {
  return node && ts.isTypeReferenceNode(node) && ts.isIdentifier(node.typeName) && node.typeName.text === 'Promise'
    ? node.typeArguments?.[0]
    : node;
}

function isIn(node: ts.Node, file: ts.SourceFile): boolean {
  return node.getSourceFile() === file;
}
