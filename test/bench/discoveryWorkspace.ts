/**
 * A workspace to measure discovery on: 1,000 files of ordinary TypeScript, every fifth of which holds one to three
 * tools.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Workspace {
  files: number;
  lines: number;
  tools: number;
  toolFiles: string[];
}

const FILES = 1000;
const PER_FOLDER = 20;

/** Writes the workspace; the same text on every call. */
export function writeWorkspace(folder: string): Workspace {
  const workspace: Workspace = { files: 0, lines: 0, tools: 0, toolFiles: [] };
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        strict: true,
        target: 'ES2022',
        module: 'ESNext',
        moduleResolution: 'Bundler',
        experimentalDecorators: true,
      },
      include: ['**/*.ts'],
    }),
  );
  writeFileSync(
    join(folder, 'decorator.ts'),
    'export function tool(...args: any[]): any { return args.length < 2 ? () => {} : undefined; }\n',
  );
  for (let i = 0; i < FILES; i++) {
    const group = Math.floor(i / PER_FOLDER);
    const path = join(folder, `area${group}`, `module${i}.ts`);
    if (i % PER_FOLDER === 0) mkdirSync(join(folder, `area${group}`), { recursive: true });
    const count = i % 5 === 2 ? 1 + (((i / 5) | 0) % 3) : 0;
    const text = i % PER_FOLDER === 0 ? shapesFile(group) : moduleFile(i, group, count);
    writeFileSync(path, text);
    workspace.files++;
    workspace.lines += text.split('\n').length;
    workspace.tools += count;
    if (count > 0) workspace.toolFiles.push(path);
  }
  return workspace;
}

/** Types that the tools of one folder share. */
function shapesFile(group: number): string {
  const shapes = Array.from(
    { length: 7 },
    (_, i) => `
/** Record ${i} of area ${group}. */
export interface Shape${group}_${i} {
  /** Identifier. @pattern ^[a-z0-9-]+$ */
  id: string;
  /** How many. @minimum 0 */
  amount: number;
  kind: 'small' | 'medium' | 'large' | 'kind${i}';
  created?: Date;
  tags: string[];
  parent?: Shape${group}_${i};
}`,
  ).join('\n');
  return `${shapes}\n\nexport type Patch${group} = Partial<Omit<Shape${group}_0, 'id'>>;\nexport enum Level${group} { Low = 'low', Mid = 'mid', High = 'high' }\n`;
}

function moduleFile(i: number, group: number, tools: number): string {
  const neighbour = group * PER_FOLDER + 1 + ((i + 7) % (PER_FOLDER - 1));
  const parts = [
    `import type { Level${group}, Patch${group}, Shape${group}_1 } from './module${group * PER_FOLDER}';`,
    ...(neighbour !== i ? [`import { helper${neighbour}_0 } from './module${neighbour}';`] : []),
    ...(tools === 3 ? [`import { tool } from '../decorator';`] : []),
  ];
  if (tools > 0) parts.push(functionTool(i, group));
  if (tools === 2) parts.push(functionTool(i, group, 'Again'));
  if (tools === 3) parts.push(classTools(i, group));
  const call = neighbour !== i ? `helper${neighbour}_0(String(total), depth + 1)` : 'total';
  for (let part = 0; part < (tools > 0 ? 4 : 6); part++) parts.push(helper(i, part, part === 0 ? 'total' : call));
  return `${parts.join('\n')}\n`;
}

function functionTool(i: number, group: number, suffix = ''): string {
  const name = `find${i}${suffix}`;
  const docs = `
/**
 * Finds records of area ${group} that match, number ${i}.
 *
 * @tool
 * @param query - what to look for
 * @param limit - how many at most
 * @minimum 1
 * @param level - how urgent
 * @param shape - an example of what is wanted
 */`;
  const parameters = `(query: string, limit = 10, level?: Level${group} | null, shape?: Shape${group}_1)`;
  const body = `{
  const found: { id: string; score: number }[] = [];
  for (let at = 0; at < limit; at++) found.push({ id: query + String(at), score: at / limit });
  return found.filter((each) => each.score > 0 && level !== null && shape?.id !== each.id);
}`;
  // Three in four write their result out, and a third are arrow functions.
  const result = i % 4 !== 0 ? ': Promise<{ id: string; score: number }[]>' : '';
  return i % 3 === 0
    ? `${docs}\nexport const ${name} = async ${parameters}${result} => ${body};`
    : `${docs}\nexport async function ${name}${parameters}${result} ${body}`;
}

function classTools(i: number, group: number): string {
  return `
export class Records${i} {
  private readonly known = new Map<string, number>();

  /**
   * Changes a record of area ${group}.
   * @param id - which one
   * @param patch - what is to be different
   */
  @tool()
  change${i}(id: string, patch: Patch${group}): boolean {
    this.known.set(id, patch.amount ?? 0);
    return this.known.has(id);
  }

  @tool({ description: 'Counts the records of one area.' })
  async count${i}({ area, deep = false }: { /** Which area. */ area: string; /** Below it too. */ deep?: boolean }): Promise<number> {
    return deep ? this.known.size : (this.known.get(area) ?? 0);
  }
}`;
}

function helper(i: number, part: number, call: string): string {
  return `
/** Weighs the parts of a text, variant ${part}; depth bounds the work. */
export function helper${i}_${part}(text: string, depth: number): number {
  let total = 0;
  const seen = new Set<string>();
  for (const word of text.split(/\\s+/)) {
    if (seen.has(word)) continue;
    seen.add(word);
    const weight = word.length * ${part + 1} + depth;
    if (weight > 100) total -= weight;
    else if (weight > 10) total += weight / 2;
    else total += weight;
  }
  if (depth < 3) total += Number(${call});
  return total;
}`;
}

const DEFINED_FILES = 100;
const MENTIONING_FILES = 300;

/** To the same workspace: files that define tools by a library, two each, and files that only say `tool(`. */
export function addDefinedFiles(folder: string, workspace: Workspace): Workspace {
  mkdirSync(join(folder, 'defined'), { recursive: true });
  const texts = [
    ...Array.from({ length: DEFINED_FILES }, (_, i) => definingFile(i)),
    ...Array.from({ length: MENTIONING_FILES }, (_, i) => mentioningFile(i)),
  ].map((text, i) => `${text}\n${moduleFile(5 * i, 0, 0).replace(/^import .*$/gm, '')}`);
  texts.forEach((text, i) => writeFileSync(join(folder, 'defined', `defined${i}.ts`), text));
  const lines = texts.reduce((sum, text) => sum + text.split('\n').length, 0);
  return {
    ...workspace,
    files: workspace.files + texts.length,
    lines: workspace.lines + lines,
    tools: workspace.tools + 2 * DEFINED_FILES,
  };
}

function definingFile(i: number): string {
  const schema = `z.object({ id: z.string().describe('Identifier'), amount: z.number().min(${i}).describe('How many') })`;
  const [one, two] = [`first${i}`, `second${i}`];
  const run = 'async ({ id, amount }) => ({ id, amount })';
  switch (i % 4) {
    case 0:
      return `import { tool } from 'ai';\nimport { z } from 'zod';
export const tools = { ${one}: tool({ description: 'First ${i}.', inputSchema: ${schema}, execute: ${run} }), ${two}: tool({ description: 'Second ${i}.', inputSchema: ${schema}, execute: ${run} }) };`;
    case 1:
      return `import { tool as define } from '@openai/agents';\nimport { z } from 'zod';
export const tools = [define({ name: '${one}', description: 'First ${i}.', parameters: ${schema}, execute: ${run} }), define({ name: '${two}', description: 'Second ${i}.', parameters: ${schema}, execute: ${run} })];`;
    case 2:
      return `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';\nimport { z } from 'zod';
const server = new McpServer({ name: 'bench', version: '1' });
server.registerTool('${one}', { description: 'First ${i}.', inputSchema: ${schema} }, ${run});
server.registerTool('${two}', { description: 'Second ${i}.', inputSchema: ${schema} }, ${run});`;
    default:
      return `const parameters = { type: 'object', properties: { id: { type: 'string' } } };
export const tools = [{ type: 'function', function: { name: '${one}', description: 'First ${i}.', parameters } }, { type: 'function', function: { name: '${two}', description: 'Second ${i}.', parameters } }];
export const handlers = { ${one}: ${run}, ${two}: ${run} };`;
  }
}

/** A function of the file's own, one of another file, a text. */
const mentioningFile = (i: number): string =>
  [
    `function tool(name: string): string { return name; }\nexport const used${i} = tool('a');`,
    `import { tool } from '../decorator';\nexport const used${i} = tool(1, 2);`,
    `// call tool({ … }) there\nexport const text${i} = 'tool({})';`,
  ][i % 3]!;
