/** An answer that a person wrote, held to the tools of its run, as a rollout's calls are. */
import { suggest } from '../../base/nearest';
import { inSchemaOrder, schemaOf, stableJson } from '../../protocol/arguments';
import type { ToolSchema } from '../../protocol/task';
import type { Message } from '../../protocol/trace';
import { argumentValidator } from '../../tools/schema/validateArguments';

/** An answer without ids, which a person has none to give. */
export interface AnswerDraft {
  content: string;
  calls: readonly { name: string; arguments: Record<string, unknown> }[];
}

/** call and field: null where it is about the whole answer (field `content`: its words), or the whole call */
export interface DraftProblem {
  call: number | null;
  field: string | null;
  message: string;
}

export function messageOf({ content, calls }: AnswerDraft): Message {
  return {
    role: 'assistant',
    content,
    ...(calls.length > 0
      ? {
          tool_calls: calls.map(({ name, arguments: args }, i) => ({
            id: `rewritten-${i}`,
            type: 'function' as const,
            function: { name, arguments: args },
          })),
        }
      : {}),
  };
}

/** With arguments in the order of the schema, as the policy writes them: a grammar takes no other. */
export function inOrder({ content, calls }: AnswerDraft, tools: readonly ToolSchema[]): AnswerDraft {
  return {
    content,
    calls: calls.map(({ name, arguments: args }) => ({ name, arguments: inSchemaOrder(args, schemaOf(tools, name)) })),
  };
}

/** What is wrong with it, all of it. @param original what it is written in the place of */
export function checkDraft(draft: AnswerDraft, original: Message, tools: readonly ToolSchema[]): DraftProblem[] {
  if (draft.content.trim() === '' && draft.calls.length === 0)
    return [{ call: null, field: 'content', message: 'says nothing: give it words or a call' }];
  const known = new Map(tools.map((tool) => [tool.name, tool]));
  const problems = draft.calls.flatMap(({ name, arguments: args }, call): DraftProblem[] => {
    const tool = known.get(name);
    if (!tool)
      return [
        { call, field: null, message: `there is no tool ${JSON.stringify(name)}. ${suggest(name, [...known.keys()])}` },
      ];
    return [...unknownArguments(tool, args), ...schemaProblems(tool, args)].map((problem) => ({ call, ...problem }));
  });
  const isSame = problems.length === 0 && wordsOf(messageOf(draft)) === wordsOf(original);
  return isSame ? [{ call: null, field: null, message: 'it says the same as before' }] : problems;
}

/** Schemas that allow any argument allow one that the tool does not have, too; a person who writes it has mistyped. */
function unknownArguments(
  { name, parameters }: ToolSchema,
  args: Record<string, unknown>,
): Omit<DraftProblem, 'call'>[] {
  const { properties, additionalProperties } = parameters as {
    properties?: Record<string, unknown>;
    additionalProperties?: unknown;
  };
  if (additionalProperties !== undefined && additionalProperties !== true) return []; // the schema says it
  const known = Object.keys(properties ?? {});
  return Object.keys(args)
    .filter((field) => !known.includes(field))
    .map((field) => ({
      field,
      message:
        `${name} has no argument ${JSON.stringify(field)}. ` +
        `${known.length > 0 ? suggest(field, known) : 'It takes none.'}`,
    }));
}

function schemaProblems(tool: ToolSchema, args: Record<string, unknown>): Omit<DraftProblem, 'call'>[] {
  const checked = argumentValidator(tool)(args);
  return checked.ok ? [] : checked.problems;
}

const wordsOf = ({ content, tool_calls: calls }: Message): string =>
  stableJson([content, calls?.map(({ function: { name, arguments: args } }) => [name, args]) ?? []]);
