/**
 * Questions that a writer would ask of each tool of ToolE (199), as Toolshed's documents hold (arXiv:2410.14594): lines
 * of {name, questions}, for `retrieval --questions FILE`. The writer sees a tool's name and description alone, and no
 * request of ToolE. What is in FILE is not asked again.
 *
 * Run: COACH_SHARED_DATA=DIR npm run bench -- toolQuestions --writer URL|DIR|GGUF --out FILE [--writer-model NAME]
 *   [--each 3]
 */
import { readToolETools } from '../../trainer/evaluation/benchmarks/toole/entries';
import { appendFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { openEngine } from '../../trainer/model/engine/engine';
import { InvalidReply, jsonOf, JudgeFailure, type Question } from '../../trainer/model/question';
import { writerSettings } from '../../trainer/app/writer/settings';
import { memoryCache } from '../../trainer/rewards/judge/cache';
import { openClient } from '../../trainer/rewards/judge/openClient';
import { sleepFor } from '../../trainer/rewards/judge/judge';
import { processor } from './measured';
import { readQuestions } from './questionsFile';

const { values } = parseArgs({
  options: {
    writer: { type: 'string' },
    'writer-model': { type: 'string' },
    out: { type: 'string' },
    each: { type: 'string', default: '3' },
  },
});
const QUESTIONS = Number(values.each);
const TOKENS_EACH = 50;
const Reply = z.object({ questions: z.array(z.string().trim().min(1)).length(QUESTIONS) });
const SCHEMA = {
  type: 'object',
  properties: {
    questions: { type: 'array', items: { type: 'string' }, minItems: QUESTIONS, maxItems: QUESTIONS },
  },
  required: ['questions'],
  additionalProperties: false,
};

interface Tool {
  name: string;
  description: string;
}

const questionFor = ({ name, description }: Tool): Question<string[]> => ({
  system: 'You write what people ask an assistant. Reply with JSON alone.',
  user:
    `An assistant has this tool:\n${name}: ${description}\n\nWrite ${QUESTIONS} different short requests that a person ` +
    'would make when this tool is needed, without its name: {"questions": ["...", ...]}',
  schema: { name: 'questions', schema: SCHEMA },
  exactSchema: SCHEMA,
  parse(text) {
    const parsed = Reply.safeParse(jsonOf(text));
    if (!parsed.success) throw new InvalidReply(`questions must hold ${QUESTIONS} texts`);
    return parsed.data.questions.map((question) => question.replace(/\s+/g, ' '));
  },
});

async function main(): Promise<void> {
  const folder = process.env.COACH_SHARED_DATA;
  const { writer, out } = values;
  if (!folder || !writer || !out) throw new Error('toolQuestions: give COACH_SHARED_DATA, --writer and --out');
  const tools = [...readToolETools(join(folder, 'toole'))].map(([name, description]) => ({ name, description }));
  const done = new Set(existsSync(out) ? [...readQuestions(out).keys()] : []);
  const named = values['writer-model'] === undefined ? {} : { writerModel: values['writer-model'] };
  const settings = writerSettings({ writerUrl: writer, ...named }, process.env);
  if (settings === null) throw new Error(`toolQuestions: ${writer} is no writer`);
  const engine = settings.modelPath === null ? null : await openEngine({ engine: 'auto' });
  const bounded = { ...settings, replyTokens: TOKENS_EACH * QUESTIONS, attempts: 2 }; // a small model repeats itself
  const client = await openClient({ settings: bounded, engine, cache: memoryCache(), sleep: sleepFor, now: Date.now });
  const { signal } = new AbortController();
  let refused = 0;
  try {
    await client.check(signal);
    for (const tool of tools.filter(({ name }) => !done.has(name)))
      try {
        const { value } = await client.ask(questionFor(tool), signal);
        appendFileSync(out, `${JSON.stringify({ name: tool.name, questions: value })}\n`);
      } catch (error) {
        if (!(error instanceof JudgeFailure) || error.isFinal) throw error;
        refused++;
        console.error(`${tool.name}: ${error.message}`);
      }
  } finally {
    client.close();
    await engine?.dispose();
  }
  console.log(JSON.stringify({ bench: 'toolQuestions', processor: processor(), tools: tools.length, refused }));
}

void main();
