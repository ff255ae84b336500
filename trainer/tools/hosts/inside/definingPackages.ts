/**
 * Packages that define tools and schemas. What a rollout makes with them are objects of its own, so a rollout that uses
 * them leaves its host to the next one; of all other packages the state is theirs (entrances.ts). Loading them anew for
 * each rollout takes 0.2 to 1.5 s of processor time.
 */
const NAMES = new Set([
  'zod',
  'zod-to-json-schema',
  'valibot',
  'arktype',
  'ai',
  'openai',
  'langchain',
  'llamaindex',
  'genkit',
  'fastmcp',
  'mcp-framework',
  'mcp-handler',
  'beeai-framework',
]);
const SCOPES =
  /^@(?:ai-sdk|openai|langchain|llamaindex|modelcontextprotocol|anthropic-ai|google|mastra|voltagent|inngest|strands-agents|tanstack|iqai|valibot|sinclair)\//;

export function onlyDefines(specifier: string): boolean {
  return SCOPES.test(specifier) || NAMES.has(specifier.split('/', 1)[0]!);
}

/** zod compiles its checks by `new Function`, which would be taken for a way into the host. Before zod is loaded. */
export function keepZodFromCompiling(): void {
  const all = globalThis as { __zod_globalConfig?: object };
  all.__zod_globalConfig = { ...all.__zod_globalConfig, jitless: true };
}
