/** Real, mock or ask: what happens when the policy calls a tool. */
import type { TellNote } from '../protocol/note';
import { isMockOnly, type ToolSchema } from '../protocol/task';

export type ToolPolicy = 'real' | 'mock' | 'ask';

/** Tools that change the world, or are marked `@mock`, are mocked unless the user says otherwise; the others run. */
export function defaultPolicy(tool: ToolSchema): 'real' | 'mock' {
  return tool.changesWorld || tool.isMocked ? 'mock' : 'real';
}

export type Decision = 'real' | 'mock' | 'refused';

export interface PolicyOptions {
  policyOf(tool: ToolSchema): ToolPolicy;
  ask(tool: string, args: unknown): Promise<'yes' | 'no' | 'unavailable'>;
  note: TellNote;
}

/**
 * Decides per call. A tool under `ask` is asked about once per run, at its first call; parallel calls wait for the one
 * answer.
 * Without anyone to ask it is mocked, and that is noted.
 */
export function policyDecider({
  policyOf,
  ask,
  note,
}: PolicyOptions): (tool: ToolSchema, args: unknown) => Promise<Decision> {
  const answers = new Map<string, Promise<Decision>>();

  async function askOnce(tool: ToolSchema, args: unknown): Promise<Decision> {
    const answer = await ask(tool.name, args).catch((error: unknown) => {
      note(
        'warning',
        'askFailed',
        `asking about ${tool.name} failed: ${error instanceof Error ? error.message : String(error)}`,
      );
      return 'unavailable' as const;
    });
    if (answer === 'unavailable')
      note(
        'warning',
        'nobodyToAsk',
        `nobody could be asked whether ${tool.name} may run, so its results are mocked in this run`,
      );
    return answer === 'yes' ? 'real' : answer === 'no' ? 'refused' : 'mock';
  }

  return async (tool, args) => {
    if (isMockOnly(tool)) return 'mock';
    const policy = policyOf(tool);
    if (policy !== 'ask') return policy;
    let answer = answers.get(tool.name);
    if (!answer) answers.set(tool.name, (answer = askOnce(tool, args)));
    return answer;
  };
}
