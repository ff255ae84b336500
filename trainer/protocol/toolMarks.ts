/**
 * What a text must hold to be worth a look. Linear in its length, whatever it holds: files of strangers are read, too.
 */

/** `@tool`, `@ns.tool`, `tool as t`: without any of these no function or method is marked. */
export const TAG_MARK = /@tool\b|\.tool\b|\btool\s+as\b/;

/** Libraries whose calls define tools, as patterns. */
const LIBRARIES = [
  'ai',
  '@ai-sdk/provider-utils',
  '@openai/agents(?:-core|-realtime)?(?:/[^\'"]*)?',
  '(?:@langchain/core|langchain)(?:/tools)?',
  '@modelcontextprotocol/(?:sdk|server)[^\'"]*',
  '@anthropic-ai/claude-agent-sdk',
  'mcp-handler',
  '@vercel/mcp-adapter',
];

/** The forms of OpenAI, Anthropic, Gemini and Bedrock: what answers such a tool is written elsewhere. */
export const PROVIDER_MARK =
  /\btype['"]?\s*:\s*['"]function['"]|\binput_schema['"]?\s*:|\b[fF]unctionDeclarations?\b|\btoolSpec\b/;

const LIBRARY_MARK = new RegExp(`['"](?:${LIBRARIES.join('|')})['"]|\\.registerTool\\s*\\(|${PROVIDER_MARK.source}`);

const FROM_OWN_FILE = /\bfrom\s*['"][.#~@]/g;
const LONGEST_CLAUSE = 2000;

/** Members of a tool in a form of the user's own: what it takes, and what runs it. */
export const OWN_SCHEMAS = [
  'inputSchema',
  'input_schema',
  'parameters',
  'schema',
  'argsSchema',
  'inputs',
  'input',
] as const;
export const OWN_FUNCTIONS = [
  'execute',
  'handler',
  'run',
  'func',
  'fn',
  'function',
  'invoke',
  'call',
  'callback',
  'tool',
  '_run',
] as const;

/** A tool in a form of the user's own has a schema, a function (maybe beside the rest), and the word in a name. */
const OWN_MARKS = [
  new RegExp(`\\b(?:${OWN_SCHEMAS.join('|')})\\b`),
  new RegExp(`\\b(?:${OWN_FUNCTIONS.join('|')})\\b\\s*[:(,}]|[tT]ool(?:Definition|\\.from)?\\s*\\(`),
  /\bdescription['"]?\s*[:=]/,
  /tool/i,
];

/** `{ name, description, inputSchema }`, as an MCP server lists its tools: what answers is written elsewhere. */
const LISTED_MARKS = [/\binputSchema\b/, /\bname['"]?\s*[:,]/, OWN_MARKS[2]!];

/** `const toolDefs = { get_cost: { description, parameters } }` */
const TABLE_MARKS = [/\b(?:const|let|var)\s+\w*tool\w*/i, OWN_MARKS[0]!, OWN_MARKS[2]!];

/** A file that is one tool (xmcp). */
const FILE_MARKS = [/\bexport\s+const\s+metadata\b/, /\bexport\s+default\b/, OWN_MARKS[2]!, OWN_MARKS[3]!];

/** `server.addTool({ … })` needs no schema. */
const TOOL_CALL = /[tT]ool\w{0,12}\s*\(\s*\{/;

/** Without any of these a file defines no tool by a library's call, nor in a form of its own. */
export const mayDefineTools = (text: string): boolean =>
  LIBRARY_MARK.test(text) ||
  TOOL_CALL.test(text) ||
  importsToolMaker(text) ||
  [OWN_MARKS, LISTED_MARKS, TABLE_MARKS, FILE_MARKS].some((marks) => marks.every((mark) => mark.test(text)));

export const mayHoldTools = (text: string): boolean => TAG_MARK.test(text) || mayDefineTools(text);

/** Every text that may hold tools has one of these; most files have none, and need not be decoded to know it. */
const WORDS = ['tool', 'Tool', 'TOOL', "'function'", '"function"', 'input_schema', 'inputSchema', 'unctionDeclaration'];

export const mayHoldToolsIn = (bytes: { includes(word: string): boolean }): boolean =>
  WORDS.some((word) => bytes.includes(word));

/** An import of something with "tool" in its name from a file of the user's, which may hand the library on. */
function importsToolMaker(text: string): boolean {
  for (const { index } of text.matchAll(FROM_OWN_FILE)) {
    const before = text.slice(Math.max(0, index - LONGEST_CLAUSE), index);
    const clause = before.slice(before.lastIndexOf('import') + 1);
    if (/tool/i.test(clause) && !/[;'"]/.test(clause)) return true;
  }
  return false;
}
