/** The calls that define tools, by the library that they come from. */
import type { DefinedBy } from '../../../protocol/task';

/** Where a tool's name and what runs it stand in the arguments of a call. */
export interface Definer {
  library: DefinedBy;
  /** Of the argument with the options. */
  options: number;
  /** 'place': the key of the object or the variable; 'option': `name` of the options; 'argument': the first one. */
  name: 'place' | 'option' | 'argument';
  /** Option that holds the function; null: it is an argument of its own. */
  runs: string | null;
}

export const AI: Definer = { library: 'ai', options: 0, name: 'place', runs: 'execute' };
const AGENTS: Definer = { library: 'openai-agents', options: 0, name: 'option', runs: 'execute' };
const LANGCHAIN: Definer = { library: 'langchain', options: 1, name: 'option', runs: null };
const LANGCHAIN_CLASS: Definer = { library: 'langchain', options: 0, name: 'option', runs: 'func' };
/** A method of McpServer: registerTool, and tool, which came before it. */
export const MCP: Definer = { library: 'mcp', options: 1, name: 'argument', runs: null };
/** `tool('weather', 'The weather', { city: z.string() }, async (args) => …)` -> `{ name, inputSchema, handler, … }` */
const CLAUDE: Definer = { library: 'own', options: 2, name: 'argument', runs: null };

const FUNCTIONS: { module: RegExp; exports: Record<string, Definer> }[] = [
  { module: /^ai$|^@ai-sdk\/provider-utils$/, exports: { tool: AI, dynamicTool: AI } },
  { module: /^@anthropic-ai\/claude-agent-sdk$/, exports: { tool: CLAUDE } },
  { module: /^@openai\/agents(-core|-realtime)?(\/|$)/, exports: { tool: AGENTS } },
  {
    module: /^(@langchain\/core|langchain)(\/tools)?$/,
    exports: { tool: LANGCHAIN, DynamicStructuredTool: LANGCHAIN_CLASS, DynamicTool: LANGCHAIN_CLASS },
  },
];

/** What an export of a package defines; undefined where it is none of these. */
export function definerOf(module: string, name: string): Definer | undefined {
  return FUNCTIONS.find((each) => each.module.test(module))?.exports[name];
}

/** LangChain's classes that a class of the user's extends to be a tool. */
export const isToolClass = (module: string, name: string): boolean =>
  /^(@langchain\/core|langchain)(\/tools)?$/.test(module) && (name === 'Tool' || name === 'StructuredTool');

export const isMcpModule = (module: string): boolean => /^@modelcontextprotocol\/(sdk|server)(\/|$)/.test(module);
/** What calls a function of the user's with an MCP server, which then registers tools. */
export const makesMcpServer = (module: string, name: string): boolean =>
  /^(mcp-handler|@vercel\/mcp-adapter)$/.test(module) && name === 'createMcpHandler';
export const isMcpServer = (module: string, name: string): boolean => isMcpModule(module) && name === 'McpServer';

export const LIBRARY_NAMES: Record<DefinedBy, string> = {
  ai: 'the AI SDK',
  'openai-agents': 'the Agents SDK',
  langchain: 'LangChain',
  mcp: 'the MCP SDK',
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  gemini: 'Gemini',
  bedrock: 'Bedrock',
  own: 'its own form',
};
