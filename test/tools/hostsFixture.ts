/** Tools of test/fixtures/hosts as schemas, and hosts with small limits for them. */
import { join } from 'node:path';
import type { FileTool, TypeScriptTool } from '../../trainer/protocol/task';
import { openToolHosts, type HostOptions, type ToolHosts } from '../../trainer/tools/hosts/callTool';

export const FIXTURES = join(__dirname, '..', 'fixtures', 'hosts');

export interface FixtureTool extends Partial<Omit<TypeScriptTool, 'binding'>> {
  binding?: Partial<TypeScriptTool['binding']>;
  /** Parameter names, in order; default: the arguments object is the only parameter. */
  takes?: string[];
}

export function fixtureTool(file: string, name: string, { takes, binding, ...rest }: FixtureTool = {}): TypeScriptTool {
  return {
    name,
    description: name,
    parameters: { type: 'object', properties: {} },
    source: { file: join(FIXTURES, file), line: 1 },
    binding: {
      exportName: name,
      positional: takes ? takes.map((parameter) => ({ name: parameter })) : 'object',
      ...binding,
    },
    changesWorld: false,
    ...rest,
  };
}

export interface TestHosts {
  hosts: ToolHosts;
  notes: string[];
  /** What was said of the network, as each run does. */
  network: string[];
}

export async function openFixtureHosts(tools: FileTool[], options: Partial<HostOptions> = {}): Promise<TestHosts> {
  const notes: string[] = [];
  const network: string[] = [];
  const hosts = await openToolHosts({
    tools,
    workspace: FIXTURES,
    policyOf: () => 'real',
    ask: async () => 'unavailable',
    timeoutMs: 2000,
    outputBytes: 4096,
    memoryMb: 64,
    seed: 1,
    size: 2,
    ...(process.env.COACH_TEST_NODE ? { nodePath: process.env.COACH_TEST_NODE } : {}),
    note: (_level, code, message) => void (code === 'toolNetwork' ? network : notes).push(message),
    ...options,
  });
  return { hosts, notes, network };
}

/** The text that the policy reads, parsed. */
export function valueOf(result: { content: string }): unknown {
  return JSON.parse(result.content) as unknown;
}
