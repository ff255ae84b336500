import { suggest } from '../../base/nearest';
import { readTools } from '../runs/readRun';
import { argumentValidator } from '../../tools/schema/validateArguments';

/** Calls that a person wrote against the tools of the run, by the validator that a rollout's calls pass. */
export function checkCalls(
  dir: string,
  calls: readonly { name: string; arguments?: unknown }[],
): { call: number; message: string }[] {
  const tools = new Map(readTools(dir).map((tool) => [tool.name, tool]));
  return calls.flatMap(({ name, arguments: args }, call) => {
    const tool = tools.get(name);
    if (!tool)
      return [{ call, message: `there is no tool ${JSON.stringify(name)}. ${suggest(name, [...tools.keys()])}` }];
    const checked = argumentValidator(tool)(args);
    return checked.ok ? [] : [{ call, message: `${name}: ${checked.message}` }];
  });
}
