/**
 * Shared by the discovery tests: texts in, tools and messages out, through one Discovery that keeps its library
 * parsed.
 */
import assert from 'node:assert/strict';
import type { JsonSchema, TypeScriptTool } from '../../trainer/protocol/task';
import { Discovery, type FoundTools } from '../../trainer/tools/sources/typescript/toolFile';

const shared = new Discovery();
/** The texts of these tests define no other tools. */
type FoundTypeScript = FoundTools & { tools: TypeScriptTool[] };
const FOLDER = '/virtual/project';

/** Discovers unsaved texts: one as `tools.ts`, or several by name. */
export function discover(texts: string | Record<string, string>, trainedBy: 'all' | 'file' = 'all'): FoundTypeScript {
  const files = typeof texts === 'string' ? { 'tools.ts': texts } : texts;
  const overlays = Object.fromEntries(Object.entries(files).map(([name, text]) => [`${FOLDER}/${name}`, text]));
  return shared.discover(Object.keys(overlays), overlays, trainedBy) as FoundTypeScript;
}

/** Names of the tools, in order. Fails on errors, unless they are expected. */
export function names(texts: string | Record<string, string>, expectsErrors = false): string[] {
  const { tools, diagnostics } = discover(texts);
  if (!expectsErrors)
    assert.deepEqual(
      diagnostics.filter(({ severity }) => severity === 'error'),
      [],
    );
  return tools.map(({ name }) => name);
}

/** The only tool. */
export function tool(texts: string | Record<string, string>): TypeScriptTool {
  const { tools, diagnostics } = discover(texts);
  assert.deepEqual(
    diagnostics.filter(({ severity }) => severity === 'error'),
    [],
  );
  assert.equal(tools.length, 1);
  return tools[0]!;
}

/** `line:column severity message` of each diagnostic. */
export function told(texts: string | Record<string, string>): string[] {
  return discover(texts).diagnostics.map(
    ({ line, column, severity, message }) => `${line}:${column} ${severity} ${message}`,
  );
}

/** Schema of the parameter `x` of a tool, given its type and what else the file declares. */
export function schemaOf(type: string, declarations = ''): JsonSchema {
  const found = tool(`${declarations}\n/** Does. @tool */\nexport function f(x: ${type}, other: string): void {}`);
  const properties = found.parameters.properties as Record<string, JsonSchema>;
  return properties.x!;
}

/** Parameters of a tool written as a signature: `(city: string)`. */
export function parametersOf(signature: string, declarations = '', docs = 'Does. @tool'): JsonSchema {
  return tool(`${declarations}\n/** ${docs} */\nexport function f${signature}: void {}`).parameters;
}
