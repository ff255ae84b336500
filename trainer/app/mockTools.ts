/** Which tools are mocked, by a run's settings. */
import type { RunConfig } from '../protocol/runConfig';
import type { ToolSchema } from '../protocol/task';
import { defaultPolicy, type ToolPolicy } from '../tools/toolPolicy';

type Mocking = Pick<RunConfig, 'toolPolicy' | 'mockTools'>;

const namesOf = ({ mockTools = '' }: Mocking): string[] =>
  mockTools
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);

export const policyOf = (config: Mocking): ((tool: ToolSchema) => ToolPolicy) => {
  const names = new Set(namesOf(config));
  return (tool) => config.toolPolicy ?? (names.has(tool.name) ? 'mock' : defaultPolicy(tool));
};

/** The settings with more tools that are mocked. */
export const withMockTools = <C extends Mocking>(config: C, names: readonly string[] = []): C =>
  names.length === 0 ? config : { ...config, mockTools: [...new Set([...namesOf(config), ...names])].join(',') };
