/** The writer's three questions: write requests, solve one without its gold, mark ten. */
import { z } from 'zod';
import { GoldCall, type ToolSchema } from '../../protocol/task';
import { deref, isRecord, propertiesOf, requiredOf } from '../../protocol/arguments';
import { type Question, InvalidReply, jsonOf } from '../../model/question';
import { RankReply, meanMark } from '../check/rank';
import type { Answered } from '../check/roundTrip';
import { KIND_WORDS, type Wish } from './wishes';

type Schema = Record<string, unknown>;
const object = (properties: Schema, required = Object.keys(properties)): Schema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

export const Written = z.object({
  prompt: z.string().trim().min(1),
  calls: z.array(GoldCall),
  answer: z.string().optional(),
});
export type Written = z.infer<typeof Written>;
const WrittenReply = z.object({ tasks: z.array(z.unknown()) });

/**
 * What a model that is held to a schema while it writes can follow: references resolved, finer bounds left to the
 * check after it.
 */
export function plainSchema(node: unknown, root: Schema, mostItems = 4, depth = 0): Schema {
  const schema = deref(node, root);
  if (depth > 6) return { type: 'string' };
  const plain = (one: unknown): Schema => plainSchema(one, root, mostItems, depth + 1);
  if (Array.isArray(schema.enum)) return { enum: schema.enum };
  if ('const' in schema) return { const: schema.const };
  const union = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(union)) return { anyOf: union.map(plain) };
  const type = schema.type ?? (isRecord(schema.properties) ? 'object' : 'string');
  if (type === 'object')
    return {
      type,
      properties: Object.fromEntries(Object.entries(propertiesOf(schema)).map(([key, one]) => [key, plain(one)])),
      required: requiredOf(schema),
      additionalProperties: false,
    };
  if (type === 'array') return { type, items: plain(schema.items ?? { type: 'string' }), maxItems: mostItems };
  return {
    type,
    ...(typeof schema.minimum === 'number' ? { minimum: schema.minimum } : {}),
    ...(typeof schema.maximum === 'number' ? { maximum: schema.maximum } : {}),
  };
}

const callSchema = (tool: ToolSchema): Schema =>
  object({ name: { const: tool.name }, arguments: plainSchema(tool.parameters, tool.parameters) });
const anyCall = (tools: readonly ToolSchema[]): Schema =>
  tools.length === 1 ? callSchema(tools[0]!) : { anyOf: tools.map(callSchema) };
const toolLines = (tools: readonly ToolSchema[]): string =>
  tools.map(({ name, description, parameters }) => JSON.stringify({ name, description, parameters })).join('\n');

const WRITER =
  'You write what people ask an assistant that has tools. You know how people talk: they name ' +
  'things by what they know of them, leave out what is plain, and never speak of tools, ' +
  'parameters or JSON. Reply with the JSON object alone.';

/** @param seen calls that really worked, with what they returned: the values that there are */
export function writeQuestion(
  wish: Wish,
  tools: readonly ToolSchema[],
  seen: readonly string[],
  each: number,
): Question<Written[]> {
  const meant = wish.kind === 'oneCall' && wish.tool !== null ? tools.filter(({ name }) => name === wish.tool) : tools;
  const least = { oneCall: 1, chain: 2, noTool: 0, lacksParameter: 0 }[wish.kind];
  const calls =
    least === 0
      ? { type: 'array', items: object({}), maxItems: 0 }
      : { type: 'array', items: anyCall(meant), minItems: least, maxItems: least };
  const schema = object({
    tasks: { type: 'array', items: object({ prompt: { type: 'string' }, calls }), minItems: each, maxItems: each },
  });
  const user = [
    `The tools, one a line:\n${toolLines(tools)}`,
    ...(seen.length > 0
      ? [
          'Calls that worked, with what they returned; use values such as these, and no others, where ' +
            `a tool needs one that exists:\n${seen.join('\n')}`,
        ]
      : []),
    `Write ${each} different requests ` +
      `${KIND_WORDS[wish.kind]}.${wish.tool === null ? '' : ` They are about ${wish.tool}.`}`,
    `Style: ${wish.style}. Difficulty: ${wish.difficulty}.`,
    'Each value of a call must be said in its request, in whatever words, or be a default, or ' +
      'stand in the result of an earlier call.',
    'Reply with {"tasks": [{"prompt": what the person writes, "calls": [{"name", "arguments"}] ' +
      'in order, "answer": the short fact that a right answer must hold, where there is one}]}.',
  ].join('\n\n');
  return { system: WRITER, user, schema: { name: 'tasks', schema }, exactSchema: schema, parse: parseWritten };
}

/**
 * Tasks that have no shape are left out here and counted by who asks. @throws InvalidReply where there is no list, or
 * nothing of it has a shape
 */
function parseWritten(text: string): Written[] {
  const reply = WrittenReply.safeParse(jsonOf(text));
  if (!reply.success) throw new InvalidReply('the reply is not {"tasks": [{"prompt", "calls"}]}');
  const written = reply.data.tasks.flatMap((one) => Written.safeParse(one).data ?? []);
  if (written.length === 0)
    throw new InvalidReply('no task of the reply is {"prompt": text, "calls": [{"name", "arguments": object}]}');
  return written;
}

const Next = z.object({ call: GoldCall.nullable() });

/** @param attempt from 0; a further one is another question, so that a kept reply is not heard again */
export function solveQuestion(
  prompt: string,
  tools: readonly ToolSchema[],
  before: readonly Answered[],
  attempt: number,
): Question<z.infer<typeof GoldCall> | null> {
  const schema = object({ call: { anyOf: [{ type: 'null' }, ...tools.map(callSchema)] } });
  const user = [
    `The tools, one a line:\n${toolLines(tools)}`,
    `The request: ${prompt}`,
    ...before.map(
      ({ name, arguments: args, result }) =>
        `You called ${name} with ${JSON.stringify(args)}; it returned ${result.slice(0, 1500)}`,
    ),
    'Which call is next? Reply with {"call": {"name", "arguments"}}; with {"call": null} where ' +
      'nothing is left to call, no tool fits, or something must be asked ' +
      `first.${attempt > 0 ? ` (Attempt ${attempt + 1}: look again.)` : ''}`,
  ].join('\n\n');
  return {
    system:
      'You are an assistant that has tools. Give optional parameters only where the request asks ' +
      'for them. Reply with the JSON object alone.',
    user,
    schema: { name: 'next', schema },
    exactSchema: schema,
    parse(text) {
      const reply = Next.safeParse(jsonOf(text));
      if (!reply.success) throw new InvalidReply('the reply is not {"call": {"name", "arguments"}} or {"call": null}');
      return reply.data.call;
    },
  };
}

/** Mean marks of up to ten requests, in their order. */
export function rankQuestion(requests: readonly Written[], tools: readonly ToolSchema[]): Question<number[]> {
  const ids = requests.map((_, i) => `r${i + 1}`);
  const mark = { type: 'integer', minimum: 0, maximum: 10 };
  const marks = (id: Schema): Schema => object({ id, aligned: mark, needsTools: mark, concrete: mark });
  const list = (rest: Schema): Schema =>
    object({ requests: { type: 'array', ...rest, minItems: ids.length, maxItems: ids.length } });
  const user = [
    `The tools:\n${tools.map(({ name, description }) => `${name}: ${description}`).join('\n')}`,
    ...requests.map(({ prompt, calls }, i) => `${ids[i]}: ${prompt}\n   calls: ${JSON.stringify(calls)}`),
    'Mark each request from 0 to 10: aligned (a person would ask this, and these calls are what ' +
      'was asked, no more and no less; [] where nothing may be called), needsTools (it can not be ' +
      'done well without these tools; for [] that no tool is for it), concrete (it can be acted on as it is).',
    'Reply with {"requests": [{"id", "aligned", "needsTools", "concrete"}]}, each id once.',
  ].join('\n\n');
  return {
    system:
      'You check what was written to test an assistant that has tools. Be strict. Reply with the JSON object alone.',
    user,
    schema: { name: 'marks', schema: list({ items: marks({ type: 'string' }) }) },
    exactSchema: list({ prefixItems: ids.map((id) => marks({ const: id })), items: false }),
    parse(text) {
      const reply = RankReply.safeParse(jsonOf(text));
      if (!reply.success)
        throw new InvalidReply(
          'the reply is not {"requests": [{"id", "aligned", "needsTools", "concrete"}]} with marks from 0 to 10',
        );
      return ids.map((id) => {
        const of = reply.data.requests.filter((one) => one.id === id);
        if (of.length !== 1) throw new InvalidReply(`${id} must be there once`);
        return meanMark(of[0]!);
      });
    },
  };
}
