/** Which calls define tools, by syntax alone: names, places, and what to write where they can't be read. */
import assert from 'node:assert/strict';
import type { FileTool } from '../../trainer/protocol/task';
import { mayHoldTools } from '../../trainer/protocol/toolMarks';
import { discover as discoverTexts } from './discoverySupport';

const discover = (texts: string | Record<string, string>) => {
  const { tools, diagnostics } = discoverTexts(texts);
  return {
    tools: tools as FileTool[],
    said: diagnostics.map(({ line, severity, message }) => `${line} ${severity}: ${message}`),
  };
};
const libraryOf = ({ name, binding }: FileTool): string =>
  `${name} ${binding.kind === 'defined' ? binding.library : 'typescript'}`;

describe('discovery of defined tools', () => {
  it('takes the name of a key or a variable for the AI SDK', () => {
    const { tools, said } = discover(`import { tool as define } from 'ai';
const weatherTool = define({ description: 'Weather.', inputSchema: {}, execute });
export const tools = {
  weather: weatherTool,
  'get-time': define({ description: 'Time.', inputSchema: {}, execute }) as Tool,
};
export default define({ description: 'Alone.', inputSchema: {}, execute });`);
    assert.deepEqual(said, []);
    assert.deepEqual(tools.map(libraryOf), ['weather ai', 'get-time ai', 'tools ai']);
    assert.deepEqual(
      tools.map(({ source, description }) => [source.line, description]),
      [
        [2, 'Weather.'],
        [5, 'Time.'],
        [7, 'Alone.'],
      ],
    );
  });

  it('follows aliases, namespaces, require and re-exports of the user’s own files', () => {
    const { tools, said } = discover({
      'sdk.ts': `export { tool as defineTool } from 'ai';\nexport * from './agents.js';`,
      'agents.ts': `import * as sdk from '@openai/agents/realtime';\nexport const agentTool = sdk.tool;`,
      'tools.ts': `import { defineTool, agentTool } from './sdk';
import * as langchain from '@langchain/core/tools';
export const one = defineTool({ description: 'One.', inputSchema: {}, execute });
export const two = agentTool({ name: 'second', description: 'Two.', parameters: {}, execute });
export const three = langchain.tool(run, { name: 'third', description: 'Three.', schema: {} });
export const four = new langchain.DynamicStructuredTool({ name: 'fourth', description: 'Four.', schema: {}, func });`,
      'script.cjs': `const { tool } = require('ai');\nexports.five = tool({ description: 'Five.', inputSchema: {}, execute });`,
    });
    assert.deepEqual(said, []);
    assert.deepEqual(tools.map(libraryOf), [
      'one ai',
      'second openai-agents',
      'third langchain',
      'fourth langchain',
      'five ai',
    ]);
  });

  it('finds a default export in a folder of tools, a table of definitions, and a name before the object', () => {
    const { tools, said } = discover({
      'tools/kiln/index.ts': `import { z } from 'zod';
import type { ToolAnnotations } from 'sdk';
export const name = 'fire_kiln';
export const description = 'Fire the kiln.';
export const execute = async () => 'hot';
export default { name, description, inputSchema: z.object({ degrees: z.number() }).shape, execute };`,
      'tools/lathe.ts': `export const turnSchema = { name: 'turn_bowl', description: 'Turn a bowl.', inputSchema: { type: 'object' } } as const;`,
      'definitions.ts': `import { z } from 'zod';
export const clayToolDefs = {
  list_clays: { description: 'List clays.', parameters: z.object({}) },
  get_clay: { description: 'Get a clay.', parameters: z.object({ id: z.string() }) },
};
export const glazes = { red: { description: 'Red.', parameters: z.object({}) } };`,
      'named.ts': `import { tool, z } from '@some/core';
const NAMES = { mix: 'mix_glaze' };
export const glaze = tool(NAMES.mix, { description: 'Mix a glaze.', input: z.object({}), handler: async () => 1 });
const kind = tool('no name', { description: 'None.', input: z.object({}), handler: async () => 1 });`,
    });
    assert.deepEqual(tools.map(libraryOf), [
      'fire_kiln own',
      'turn_bowl mcp',
      'list_clays own',
      'get_clay own',
      'mix_glaze own',
      'kind own',
    ]);
    assert.deepEqual(
      said.map((text) => text.replace(/:.*/s, '')),
      ['1 warning', '3 warning', '4 warning'],
    );
  });

  it('reads names that stand in another file, and of LangChain what has no function', () => {
    const { tools, said } = discover({
      'names.ts': `export const NAMES = { find: 'find_boat' } as const;\nexport const HIRE = 'hire_boat';`,
      'index.ts': `export * from './names';`,
      'tools.ts': `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { tool } from '@langchain/core/tools';
import { NAMES, HIRE } from './index';
const server = new McpServer({ name: 'boats', version: '1' });
server.registerTool(NAMES.find, { description: 'Find a boat.', inputSchema: {} }, find);
server.registerTool(HIRE, { description: 'Hire a boat.', inputSchema: {} }, hire);
export const remember = tool({ name: 'remember_boat', description: 'Remember a boat.', schema: {} });`,
    });
    assert.deepEqual(tools.map(libraryOf), ['find_boat mcp', 'hire_boat mcp', 'remember_boat langchain']);
    assert.deepEqual(said, ['7 warning: remember_boat: it has no func, so its results are always mocked']);
  });

  it('sees a change of the file that hands the library on', () => {
    const text = `import { tool } from './sdk';\nexport const one = tool({ description: 'One.', inputSchema: {}, execute });`;
    assert.equal(discover({ 'tools.ts': text, 'sdk.ts': `export { tool } from 'ai';` }).tools.length, 1);
    assert.equal(discover({ 'tools.ts': text, 'sdk.ts': `export const tool = (x) => x;` }).tools.length, 0);
    assert.equal(discover({ 'tools.ts': text, 'sdk.ts': `export { tool } from 'ai';` }).tools.length, 1);
  });

  it('reads names that are constants, and says what to write for others', () => {
    const { tools, said } = discover(`import { tool } from '@openai/agents';
const NAMES = { find: 'find_order' } as const;
export const find = tool({ name: NAMES.find, description: 'Find.', parameters: {}, execute });
export const other = tool({ name: process.env.NAME, description: 'Other.', parameters: {}, execute });
export const odd = tool({ name: 'no spaces please', description: 'Odd.', parameters: {}, execute });
export const bad = [{ type: 'function', function: { name: 'no spaces please', description: 'Bad.' } }];`);
    assert.deepEqual(tools.map(libraryOf), ['find_order openai-agents', 'no_spaces_please openai-agents']);
    assert.deepEqual(said, [
      "4 warning: the name of this tool can\u2019t be read without running the code; write it as a text, `name: 'weather'`",
      '6 error: no spaces please: the name of a tool has 1 to 64 letters, digits, "_" or "-" (^[a-zA-Z0-9_-]{1,64}$)',
    ]);
  });

  it('says where a factory, a computed key or a spread hides tools', () => {
    const { tools, said } = discover(`import { tool } from 'ai';
export const makeWeather = (unit: string) => tool({ description: unit, inputSchema: {}, execute });
const weather = (unit: string) => { const inner = tool({ description: 'Inner.', inputSchema: schemaIn(unit), execute }); return inner; };
export const tools = {
  [Date.now()]: tool({ description: 'Now.', inputSchema: {}, execute }),
  kept: tool({ description: 'Kept.', inputSchema: {}, execute }),
  ...moreTools(),
};`);
    assert.deepEqual(tools.map(libraryOf), ['makeWeather ai', 'kept ai']);
    assert.equal(said.length, 4);
    assert.match(said[0]!, /^2 warning: makeWeather: it is defined inside makeWeather and uses unit of it, .*mocked/);
    assert.match(said[1]!, /^3 warning: inner: it is defined inside weather, .*define it at the top level of the file/);
    assert.match(
      said[2]!,
      /^5 warning: a tool of the AI SDK has the name of its key or variable, .*write `const weather = tool/,
    );
    assert.match(said[3]!, /^7 warning: \.\.\.moreTools\(\): the tools that this adds can.t be read/);
  });

  it('takes what a function defines that the file calls', () => {
    const { tools, said } = discover(`import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
async function main() {
  const server = new McpServer({ name: 'shop', version: '1' });
  server.registerTool('find', { description: 'Find.' }, async () => ({ content: [] }));
  server.tool('old', 'The older way.', async () => ({ content: [] }));
  await server.connect(transport);
}
main().catch(console.error);
export function register(server: McpServer, options: Options) {
  server.registerTool('late', { description: options.late }, async () => ({ content: [] }));
}`);
    assert.deepEqual(tools.map(libraryOf), ['find mcp', 'old mcp']);
    assert.match(
      said.join(),
      /^10 warning: late: it is defined inside register,.* or in a function without parameters$/,
    );
  });

  it('takes what a function defines that needs nothing, an MCP server or its context', () => {
    const { tools, said } = discover(`import { McpServer, type McpRequestContext } from '@modelcontextprotocol/server';
import { tool } from 'ai';
export const build = (context: McpRequestContext, _options: Options) => {
  const server = new McpServer({ name: 'shop', version: '1' });
  const content = [];
  server.registerTool('find', { description: 'Find.' }, async () => ({ content }));
  return server;
};
export function register(server: McpServer, name = 'shop') {
  server.registerTool('send', { description: 'Send.' }, async () => ({ content: [{ type: 'text', text: name }] }));
}
export function tools() {
  const execute = async () => 'sun';
  return { weather: tool({ description: 'Weather.', inputSchema: {}, execute }) };
}
export const outer = () => (unit) => tool({ description: 'Inner.', inputSchema: schemaIn(unit), execute });`);
    assert.deepEqual(
      tools.map(({ name, binding }) => [name, binding.kind === 'defined' && binding.maker?.takes]),
      [
        ['find', ['context']],
        ['send', ['server']],
        ['weather', []],
      ],
    );
    assert.equal(said.length, 1, 'a function within a function');
  });

  it('takes what is registered with a server of another file', () => {
    const { tools } = discover({
      'server.ts': `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';\nexport const server = new McpServer({ name: 'shop', version: '1' });`,
      'tools.ts': `import { server } from './server';\nserver.registerTool('find', { description: 'Find.' }, async () => ({ content: [] }));`,
    });
    assert.deepEqual(tools.map(libraryOf), ['find mcp']);
  });

  it('takes what the AI SDK takes without a call', () => {
    const { tools, said } = discover(`import { generateText } from 'ai';
const options = { description: 'No tool.', inputSchema: {}, execute };
await generateText({ model, tools: { weather: { description: 'Weather.', inputSchema: {}, execute } } });`);
    assert.deepEqual([tools.map(libraryOf), said], [['weather ai'], []]);
  });

  it('finds the functions of OpenAI’s tools, and says what to write where one is missing', () => {
    const { tools, said } =
      discover(`const one = { type: 'function', function: { name: 'one', description: 'One.', parameters: {} } };
export const tools = [one, { type: 'function', name: 'two', parameters: {} }];
const handlers = { one: async (args) => args };
const message = { role: 'assistant', tool_calls: [{ id: 'a', type: 'function', function: { name: 'one', arguments: '{}' } }] };
const choice = { type: 'function', function: { name: 'one' } };`);
    assert.deepEqual(tools.map(libraryOf), ['one openai', 'two openai']);
    assert.deepEqual(
      tools.map(({ binding }) => binding.kind === 'defined' && [binding.handler?.member, binding.isMockOnly]),
      [
        ['one', undefined],
        [undefined, true],
      ],
    );
    assert.deepEqual(said, [
      '2 warning: two: no function answers it, so its results are always mocked; write one as a member of an object in this file, `const handlers = { two: async (args) => … }`',
    ]);
  });

  it('finds the function that answers several tools by their names, however it is given the call', () => {
    const tool = (name: string) => `{ name: '${name}', description: 'x', input_schema: {} }`;
    const of = (code: string) => {
      const [found] = discover(`export const tools = [${tool('find')}];\n${code}`).tools;
      return found?.binding.kind === 'defined' ? (found.binding.handler?.dispatch ?? null) : null;
    };
    assert.equal(of(`function run(name, args) { switch (name) { case 'find': return 1; } }`), 'name');
    assert.equal(of(`const run = async (name, args: string) => { if (name === 'find') return 1; };`), 'nameAndText');
    assert.equal(of(`export const run = (call) => { if ('find' == call.function.name) return 1; };`), 'call');
    assert.equal(of(`async function run({ name, input }) { switch (name) { case 'find': return 1; } }`), 'call');
    assert.equal(of(`function run(r) { const { name: t } = r.params; switch (t) { case 'find': return 1; } }`), 'call');
    assert.equal(of(`function run(name, args) { switch (args.kind) { case 'find': return 1; } }`), null);
    assert.equal(of(`function run(name) { if (name === 'other') return 1; }`), null);
    assert.equal(of(`function outer() { const run = (name) => { if (name === 'find') return 1; }; }`), null);
  });

  it('is not taken in by other things of the same names', () => {
    const { tools, said } = discover(`import { tool } from './own';
import { z } from 'zod';
import { openai } from '@ai-sdk/openai';
import { generateText } from 'ai';
const x = tool({ description: 'x' });
function tool2(a) { return a; }
lm.registerTool('mine', { invoke() {} });
const text = "import { tool } from 'ai'; tool({})";
export const y = tool2({ type: 'object' });`);
    assert.deepEqual([tools, said], [[], []]);
  });

  it('looks at a long text no longer than its length asks for', () => {
    for (const part of [
      'import tool ',
      ` from './x'`,
      `'@modelcontextprotocol/sdk`,
      'type: ',
      'import{tool}from"',
      'Tool (',
      'tool',
    ]) {
      const text = part.repeat(1_000_000 / part.length);
      const from = performance.now();
      mayHoldTools(text);
      assert.ok(performance.now() - from < 1500, `${part}: ${performance.now() - from} ms`);
    }
  });

  it('stands beside tagged functions; a name that both have is told at both', () => {
    const { tools, said } = discover(`import { tool } from 'ai';
/** Adds. @tool @param a - one */
export function add(a: number): number { return a; }
export const find = tool({ description: 'Find.', inputSchema: {}, execute });
export const tools = { add: tool({ description: 'Add.', inputSchema: {}, execute }) };`);
    assert.deepEqual(tools.map(libraryOf), ['find ai']);
    assert.deepEqual(said, [
      '3 error: add: duplicate name, also at line 5',
      '5 error: add: duplicate name, also at line 3',
    ]);
  });

  it('of tools that a file defines twice, for two agents of it, the first counts', () => {
    const { tools, said } = discover(`import { createTool } from 'somewhere';
const one = agent({ tools: [createTool({ name: 'done', description: 'Ends.', handler: () => 'one' })] });
const two = agent({ tools: [createTool({ name: 'done', description: 'Ends it.', handler: () => 'two' })] });`);
    assert.deepEqual(
      tools.map(({ name, description }) => [name, description]),
      [['done', 'Ends.']],
    );
    assert.deepEqual(said, [
      '2 warning: done: duplicate name, also at line 3; the first counts',
      '3 warning: done: duplicate name, also at line 2; the first counts',
    ]);
  });

  it('reads tags of the JSDoc before a definition', () => {
    const [find, send] = discover(`import { tool } from 'ai';
export const tools = {
  /**
   * @sideEffect
   * @example find({ city: 'York' }) // => { "sun": true }
   */
  find: tool({ description: 'Find.', inputSchema: {}, execute }),
  /** @readonly */
  sendNothing: tool({ description: 'Send nothing.', inputSchema: {}, execute }),
};`).tools;
    assert.deepEqual([find?.changesWorld, send?.changesWorld], [true, false]);
    assert.deepEqual(find?.examples, [`find({ city: 'York' }) // => { "sun": true }`]);
  });

  it('says that a tool without execute is mocked, and syntax errors', () => {
    const mocked = discover(
      `import { tool } from 'ai';\nexport const ask = tool({ description: 'Ask.', inputSchema: {} });`,
    );
    assert.deepEqual(mocked.said, ['2 warning: ask: it has no execute, so its results are always mocked']);
    const broken = discover(
      `import { tool } from 'ai';\nexport const ok = tool({ description: 'Ok.', inputSchema: {}, execute });\nconst = 3;`,
    );
    assert.match(broken.said.join('\n'), /3 error: syntax error/);
  });
});
