/** What a maker is asked, and how its replies are read. */
import { isRecord } from '../../protocol/arguments';
import type { ToolSchema } from '../../protocol/task';
import type { Message } from '../../protocol/trace';
import { InvalidReply, jsonOf } from '../../model/question';
import type { ReplyFormat } from '../../rollout/policy/policy';
import { plainSchema } from '../../tasks/writer/questions';
import type { Demonstration } from './demonstrations';
import { Refused } from './refusals';

export const SYSTEM = `You write small reusable tools in TypeScript, for a weak language model that will call them.
Reply with one code block: one exported function and what it needs.
- Its JSDoc says in one sentence what it does, describes each parameter by @param, and ends with @pure and @tool.
- All parameters have types of JSON: texts, numbers, true or false, lists or objects of these.
- It computes its result from its arguments alone: no imports, no files, no network, no clock, no chance.
- It is general: it knows no request and no answer by heart.
The form, with another task:
\`\`\`ts
/** Count the vowels of a word.
 *  @param word the word, as it was written
 *  @pure
 *  @tool */
export function countVowels(word: string): number {
  return [...word.toLowerCase()].filter((letter) => 'aeiou'.includes(letter)).length;
}
\`\`\``;

/** @param taken names of tools that there are */
export function proposal(shown: readonly Demonstration[], taken: readonly string[]): string {
  const examples = shown.map(({ request, answer }) => `Request: ${request}\nRight answer: ${answer}`);
  const others = taken.length === 0 ? '' : ` There are tools of these names already: ${taken.join(', ')}.`;
  return [
    'Write the tool that answers requests such as these:',
    ...examples,
    `Its result must be exactly the right answer, in that form.${others}`,
  ].join('\n\n');
}

export const again = (why: string): string =>
  `That can't be used: ${why}. Write the whole tool again, in one code block.`;

/** The calls of a tool, one for each request: what a later user of the tool has to find by itself. */
export function callsQuestion(tool: ToolSchema, requests: readonly string[]): { words: string; format: ReplyFormat } {
  const ids = requests.map((_, i) => String(i + 1));
  const args = plainSchema(tool.parameters, tool.parameters, MOST_ITEMS);
  const schema = {
    type: 'object',
    properties: Object.fromEntries(ids.map((id) => [id, args])),
    required: ids,
    additionalProperties: false,
  };
  const words = [
    `Now use ${tool.name}. For each of these requests write the arguments that it is called with, taken from what the request says:`,
    ...requests.map((request, i) => `${ids[i]}: ${request}`),
    `Reply with one JSON object alone: {"1": {arguments}, …}. The arguments have this JSON schema: ${JSON.stringify(tool.parameters)}`,
  ].join('\n\n');
  return { words, format: { name: 'calls', schema } };
}

/** Which tool that is there answers such requests. */
export function dispatchQuestion(
  tools: readonly ToolSchema[],
  shown: readonly Demonstration[],
): { messages: Message[]; format: ReplyFormat } {
  const user = [
    'These tools are there:',
    ...tools.map(({ name, description, parameters }) => JSON.stringify({ name, description, parameters })),
    'Requests such as these come in, with their right answers:',
    ...shown.map(({ request, answer }) => `Request: ${request}\nRight answer: ${answer}`),
    'Is there a tool whose result, by one call, is exactly the right answer? Reply with {"tool": "NAME"}, or with {"tool": null} where a new tool is needed.',
  ].join('\n\n');
  const names = { enum: [...tools.map(({ name }) => name), null] };
  const schema = { type: 'object', properties: { tool: names }, required: ['tool'], additionalProperties: false };
  return {
    messages: [
      { role: 'system', content: 'You choose tools. Reply with the JSON object alone.' },
      { role: 'user', content: user },
    ],
    format: { name: 'dispatch', schema },
  };
}

/** Of a list among a call's arguments, where a model is held to its form. */
const MOST_ITEMS = 64;

/** The code of a reply: its first block that exports something, else the first one. @throws Refused */
export function codeOf(reply: string): string {
  const blocks = [...reply.matchAll(/```[\w-]*[^\S\n]*\n([^]*?)\n[^\S\n]*```/g)].map(([, code]) => code!);
  const bare = /^\s*(\/\*\*|export\b)/.test(reply) ? [reply] : [];
  const code = blocks.find((block) => /\bexport\b/.test(block)) ?? blocks[0] ?? bare[0];
  if (code === undefined || code.trim() === '')
    throw new Refused('noCode', 'the reply holds no code block, ```ts … ```, with an exported function');
  return code.replace(/\r\n/g, '\n').trim();
}

/** The arguments for each request, in order. @throws Refused */
export function callsOf(reply: string, count: number): Record<string, unknown>[] {
  const said = read(reply);
  return Array.from({ length: count }, (_, i) => {
    const args = isRecord(said) ? said[String(i + 1)] : undefined;
    if (!isRecord(args)) throw new Refused('noCalls', `the reply has no object of arguments for request ${i + 1}`);
    return args;
  });
}

function read(reply: string): unknown {
  try {
    return jsonOf(reply);
  } catch (error) {
    if (error instanceof InvalidReply) throw new Refused('noCalls', `the calls can't be read: ${error.message}`);
    throw error;
  }
}
