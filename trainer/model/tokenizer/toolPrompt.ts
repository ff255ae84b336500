/**
 * Coach's own tool prompt, for models whose chat template knows no tools (SmolLM2's ChatML). What the model reads, as
 * plain messages:
 *
 *   system     how a call is written
 *   user       Tools: one signature line each, then `Request: …`; two worked examples first, with tools of their own
 *   assistant  <tool_call>{"name": …, "arguments": {…}}</tool_call>, any number of them, or an answer
 *   user       <tool_response> the tool's JSON </tool_response>, one for each call
 *
 * Source of the shape: models-and-data.md 4, measured with SmolLM2-135M: tools as JSON Schema with instructions alone
 * are answered in prose (0 % calls),
 * signature lines with two worked turns bring 72 % well-formed calls. The examples' tools are nobody's: a user's own
 * would be copied as the answer. They end with
 * the call: shown to the end, with a result and an answer in a sentence, they are answered in prose, too (right of the
 * first 64 questions of BFCL simple_python: 0, now 36).
 */
import { propertiesOf, requiredOf } from '../../protocol/arguments';
import type { Message } from '../../protocol/trace';
import type { PromptTool } from './chatTemplate';

type Schema = Record<string, unknown>;

const INSTRUCTIONS =
  'You call tools. Reply with one call: <tool_call>{"name": the tool, "arguments": {its ' +
  'arguments}}</tool_call>. When its result has come, or when no tool fits the request, answer in a sentence.';

const object = (properties: Record<string, Schema>, required: string[]): Schema => ({
  type: 'object',
  properties,
  required,
});

const EXAMPLES: { tools: PromptTool[]; request: string; call: { name: string; arguments: Schema } }[] = [
  {
    tools: [
      {
        name: 'getWeather',
        description: 'Weather of a city.',
        parameters: object({ city: { type: 'string' }, unit: { enum: ['celsius', 'fahrenheit'] } }, ['city']),
      },
      {
        name: 'addNumbers',
        description: 'Sum of two numbers.',
        parameters: object({ a: { type: 'number' }, b: { type: 'number' } }, ['a', 'b']),
      },
    ],
    request: 'How warm is it in Oslo? In celsius, please.',
    call: { name: 'getWeather', arguments: { city: 'Oslo', unit: 'celsius' } },
  },
  {
    tools: [
      { name: 'listTimers', description: 'Timers that run.', parameters: object({}, []) },
      {
        name: 'startTimer',
        description: 'Start a timer.',
        parameters: object({ minutes: { type: 'integer' }, label: { type: 'string' } }, ['minutes']),
      },
    ],
    request: 'Start a timer of 20 minutes',
    call: { name: 'startTimer', arguments: { minutes: 20 } },
  },
];

/**
 * A dialogue with tools as one that any chat template can write: only system, user and assistant messages, one after
 * the other.
 */
export function withToolPrompt(
  messages: readonly Message[],
  tools: readonly PromptTool[],
  hasSystem: boolean,
): Message[] {
  const system = messages.filter((m) => m.role === 'system').map((m) => m.content);
  const plain = mergeUsers(messages.filter((m) => m.role !== 'system').map(plainMessage));
  if (tools.length === 0)
    return [...(system.length ? [{ role: 'system' as const, content: system.join('\n\n') }] : []), ...plain];
  const first = plain.find((m) => m.role === 'user');
  if (first) plain[plain.indexOf(first)] = { role: 'user', content: request(tools, first.content) };
  const shown: Message[] = EXAMPLES.flatMap((e) => [
    { role: 'user', content: request(e.tools, e.request) },
    { role: 'assistant', content: callText(e.call) },
  ]);
  const rules = [...system, INSTRUCTIONS].join('\n\n');
  if (hasSystem) return [{ role: 'system', content: rules }, ...shown, ...plain];
  const [example, ...others] = shown;
  return [{ role: 'user', content: `${rules}\n\n${example!.content}` }, ...others, ...plain];
}

const request = (tools: readonly PromptTool[], text: string): string =>
  `Tools:\n${tools.map(signature).join('\n')}\n\nRequest: ${text}`;
const callText = (call: { name: string; arguments: Schema }): string => `<tool_call>${spaced(call)}</tool_call>`;
const resultText = (content: string): string => `<tool_response>${content}</tool_response>`;

function plainMessage(m: Message): Message {
  if (m.role === 'tool') return { role: 'user', content: resultText(m.content) };
  const calls = (m.tool_calls ?? []).map((c) => callText({ name: c.function.name, arguments: c.function.arguments }));
  return { role: m.role, content: [m.content, ...calls].filter(Boolean).join('\n') };
}

/** Several results are one user turn: some templates refuse two user turns in a row. */
function mergeUsers(messages: readonly Message[]): Message[] {
  const out: Message[] = [];
  for (const m of messages) {
    const last = out.at(-1);
    if (m.role === 'user' && last?.role === 'user')
      out[out.length - 1] = { role: 'user', content: `${last.content}\n${m.content}` };
    else out.push(m);
  }
  return out;
}

/** `name(key: type, key?: type) Description. key: what it is` */
export function signature(tool: PromptTool): string {
  const root = tool.parameters;
  const properties = Object.entries(propertiesOf(root));
  const required = new Set(requiredOf(root));
  const told = properties.flatMap(([key, p]) =>
    typeof p.description === 'string' && p.description ? [`${key}: ${oneLine(p.description)}`] : [],
  );
  return (
    `${tool.name}(${properties.map(([key, p]) => `${key}${required.has(key) ? '' : '?'}: ${typeText(p, root, 0)}`).join(', ')}) ` +
    `${[oneLine(tool.description), told.join('; ')].filter(Boolean).join(' ')}`
  ).trim();
}

/** A JSON Schema as a type, TypeScript's way; what that can't say is left as JSON. */
function typeText(schema: Schema, root: Schema, depth: number): string {
  const choices = (schema.enum ?? (schema.const === undefined ? undefined : [schema.const])) as unknown[] | undefined;
  if (choices) return choices.map((c) => JSON.stringify(c)).join(' | ');
  const union = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined;
  if (union) return union.map((s) => typeText(s, root, depth)).join(' | ');
  if (typeof schema.$ref === 'string') {
    const target = schema.$ref
      .replace(/^#\//, '')
      .split('/')
      .reduce<unknown>(
        (at, part) => (at as Schema | undefined)?.[part.replaceAll('~1', '/').replaceAll('~0', '~')],
        root,
      );
    return target && depth < 3 ? typeText(target as Schema, root, depth + 1) : 'object';
  }
  if (Array.isArray(schema.type))
    return schema.type.map((type) => typeText({ ...schema, type }, root, depth)).join(' | ');
  if (schema.type === 'array')
    return `${schema.items ? `(${typeText(schema.items as Schema, root, depth)})`.replace(/^\((\w+)\)$/, '$1') : 'any'}[]`;
  if (schema.type === 'object' && schema.properties && depth < 3) {
    const required = new Set(requiredOf(schema));
    return `{${Object.entries(schema.properties as Record<string, Schema>)
      .map(([key, p]) => `${key}${required.has(key) ? '' : '?'}: ${typeText(p, root, depth + 1)}`)
      .join(', ')}}`;
  }
  return typeof schema.type === 'string' ? schema.type : 'any';
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** JSON with a space behind colons and commas outside of strings, as Python and so most training data writes it. */
function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`;
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .map(([k, v]) => `${JSON.stringify(k)}: ${spaced(v)}`)
      .join(', ')}}`;
  return JSON.stringify(value);
}
