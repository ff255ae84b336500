/** `--input ID=VALUE`: what the configuration of MCP servers asks for, in every command that opens tools. */
import { UserError } from '../../protocol/result';
import type { InputValues, McpInput } from '../../tools/sources/mcp/inputs';
import type { Dependencies } from '../dependencies';
import type { Arguments, Option } from './command';

export const INPUT_OPTION: Record<string, Option> = {
  input: {
    value: 'ID=VALUE',
    help:
      'what mcp.json of the servers asks for as ${input:ID}; may be repeated ' +
      '(else COACH_INPUT_<ID> of the environment, its default, or you are asked)',
    isRepeated: true,
  },
};

/** A question to who sits at the terminal; what is secret is not shown while it is written. */
export type Ask = (question: string, isSecret: boolean) => Promise<string>;

/**
 * The same dependencies, with discovery that knows these inputs.
 * @param ask where nobody sits there: absent
 * @throws UserError where one is not ID=VALUE
 */
export function withInputs(dependencies: Dependencies, args: Arguments, ask?: Ask): Dependencies {
  const given = Object.fromEntries((args.values['input'] ?? []).map(pairOf));
  const answers = new Map<string, Promise<string>>();
  /** Each is asked once, however many servers need it. */
  const askOnce = (input: McpInput): Promise<string> => {
    const answer = answers.get(input.id) ?? ask!(questionOf(input), input.password === true);
    answers.set(input.id, answer);
    return answer;
  };
  const inputs: InputValues = { given, ...(ask ? { ask: askOnce } : {}) };
  return { ...dependencies, discover: (paths, network) => dependencies.discover(paths, network, inputs) };
}

function pairOf(text: string): [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw new UserError('config', `--input ${text}: is not ID=VALUE`, 'For example: --input api-key=abc.');
  return [text.slice(0, at), text.slice(at + 1)];
}

function questionOf({ id, description, options }: McpInput): string {
  const words = options?.map((option) => (typeof option === 'string' ? option : option.value)).join(', ');
  return `${description ?? id}${words === undefined ? '' : ` (${words})`}: `;
}
