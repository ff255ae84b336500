/**
 * A maker by script, for each BBH task that a small program solves: what a tool for it is called with, the right tool,
 * and a mistake that a maker may make. The scripted maker sends a tool that answers nothing, the one with the mistake,
 * then the right one; it writes calls by rules of its own, and knows none of the answers.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { judgeServer, type JudgeServer } from '../../rewards/judgeServer';

interface Script {
  /** the right tool's file, in this folder */
  file: string;
  /** what it is called with, by the request */
  argumentsOf(request: string): Record<string, unknown>;
  /** what a wrong tool has in the place of what */
  mistake: [right: string, wrong: string];
}

const behind = (request: string, mark: string): string => request.slice(request.indexOf(mark) + mark.length).trim();
const whole =
  (name: string) =>
  (request: string): Record<string, unknown> => ({ [name]: request });

const order: Script = {
  file: 'findOrder',
  argumentsOf: whole('puzzle'),
  mistake: ['? place < other : place > other', '? place > other : place < other'],
};
const swaps: Script = {
  file: 'followSwaps',
  argumentsOf: whole('story'),
  mistake: ['    has.set(other!, first);\n', ''],
};

/** By BBH's names. Left out: date_understanding and object_counting, which want more than a program. */
export const SCRIPTS: Readonly<Record<string, Script>> = {
  word_sorting: {
    file: 'sortWords',
    argumentsOf: (request) => ({ words: behind(request, 'List:').split(/\s+/) }),
    mistake: ['.sort()', '.sort((a, b) => a.length - b.length)'],
  },
  dyck_languages: {
    file: 'closeBrackets',
    argumentsOf: (request) => ({ brackets: behind(request, 'Input:') }),
    mistake: ['open.reverse()', 'open'],
  },
  logical_deduction_three_objects: order,
  logical_deduction_five_objects: order,
  logical_deduction_seven_objects: order,
  tracking_shuffled_objects_three_objects: swaps,
  tracking_shuffled_objects_five_objects: swaps,
  tracking_shuffled_objects_seven_objects: swaps,
  boolean_expressions: {
    file: 'evaluateLogic',
    argumentsOf: (request) => ({ expression: request.replace(/ is$/, '') }),
    mistake: ["token === 'not') return !atom()", "token === 'not') return atom()"],
  },
  multistep_arithmetic_two: {
    file: 'calculate',
    argumentsOf: (request) => ({ expression: request.replace(/ =$/, '') }),
    mistake: ["if (token === '-') return -atom();", "if (token === '-') return atom();"],
  },
  navigate: {
    file: 'comesBack',
    argumentsOf: whole('instructions'),
    mistake: ['facing += 3', 'facing += 1'],
  },
  web_of_lies: {
    file: 'tellsTheTruth',
    argumentsOf: whole('statements'),
    mistake: ["isTrue.get(said[2]!) === (said[3] === 'tells the truth')", "said[3] === 'tells the truth'"],
  },
};

const fenced = (code: string): string => `\`\`\`ts\n${code.trim()}\n\`\`\``;

export async function openScriptedMaker(task: string): Promise<JudgeServer> {
  const { file, argumentsOf, mistake } = SCRIPTS[task]!;
  const right = readFileSync(join(__dirname, `${file}.ts`), 'utf8');
  const wrong = right.replace(...mistake);
  if (wrong === right) throw new Error(`latm: ${file} has no ${mistake[0]}`);
  const empty = `${right.slice(0, right.indexOf(' {\n') + 2)}\n  return '' as never;\n}`;
  const tools = [empty, wrong, right];
  return judgeServer(({ body }) => {
    const asked = body.messages.at(-1)!.content;
    if (!asked.startsWith('Now use ')) return { content: fenced(tools.shift() ?? right) };
    const requests = asked
      .split('\n\nReply with')[0]!
      .split(/\n\n(?=\d+: )/)
      .slice(1);
    const calls = requests.map((one) => [
      one.slice(0, one.indexOf(':')),
      argumentsOf(one.slice(one.indexOf(': ') + 2)),
    ]);
    return { content: JSON.stringify(Object.fromEntries(calls)) };
  });
}
