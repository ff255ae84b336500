/** What to do about a file without tools: where they stand if not there, else how to write one. */
import { shortPath } from '../../base/shortPath';
import { mayHoldTools } from '../../protocol/toolMarks';
import { moduleGraph } from '../../tools/values/moduleGraph';
import type { Dependencies } from '../dependencies';

const HOW_TO_MAKE_A_TOOL =
  'Put @tool into the JSDoc of an exported function, or of a method of an exported class; or define tools with a ' +
  'library (AI SDK, Agents SDK, LangChain, MCP SDK, \u2026), in a provider\u2019s form (OpenAI, Anthropic, Gemini, ' +
  'Bedrock), or as objects or classes with name, description, schema and function.';

/** The MCP SDK's plain server: what it lists and answers is known to nobody but itself. */
const PLAIN_SERVER = /\bsetRequestHandler\s*\(\s*(?:ListToolsRequestSchema|['"]tools\/list['"])/;
const MOST_FILES = 20;

/** @param paths absolute; of folders nothing is known */
export async function wayToTools(
  paths: readonly string[],
  cwd: string,
  { discover }: Pick<Dependencies, 'discover'>,
): Promise<string> {
  const files = moduleGraph(paths);
  const others = files.filter(({ path, text }) => !paths.includes(path) && mayHoldTools(text)).slice(0, MOST_FILES);
  const found = others.length > 0 ? await discover(others.map(({ path }) => path)) : { tools: [] };
  const places = [...new Set(found.tools.flatMap(({ source }) => source?.file ?? []))];
  if (places.length > 0)
    return `Its tools stand in ${places.map((file) => shortPath(file, cwd)).join(', ')}: take them, or their folder.`;
  const server = files.find(({ text }) => PLAIN_SERVER.test(text));
  if (!server) return HOW_TO_MAKE_A_TOOL;
  const entry = { command: 'npx', args: ['tsx', shortPath(server.path, cwd)] };
  return (
    'It is an MCP server that answers by itself. Write it into .vscode/mcp.json, ' +
    `${JSON.stringify({ servers: { own: entry } })}, and take mcp:own.`
  );
}
