/**
 * A strong model makes a tool that a weak one uses: LATM (Cai et al. 2023, arXiv:2305.17126, section 3.1, tool making).
 * It proposes a function from demonstrations, is told what is wrong with it, and its function is verified by unit tests
 * on demonstrations of its own. Deviations: the answers of the verifying demonstrations stay unknown to the maker,
 * whose
 * tests can't be made to fit; of the tool's uses one is wrapped into its text (`usage.ts`), and all are kept as tasks.
 */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import type { TypeScriptTool } from '../../protocol/task';
import type { Message } from '../../protocol/trace';
import type { ToolHosts } from '../../tools/hosts/callTool';
import { describeLoadProblem } from '../../tools/hosts/loadProblem';
import { ask, usesOf, type Asking } from './askMaker';
import { checkCode } from './checkCode';
import type { Parts } from './demonstrations';
import { again, codeOf, proposal, SYSTEM } from './questions';
import { Refused, type Refusal } from './refusals';
import { refuseFailed, runUses, type Use } from './runCalls';

export interface Making extends Asking {
  parts: Parts;
  /** what means something else where the tool is to go: names of tools, and of all that its file declares */
  taken: { tools: readonly string[]; names: readonly string[] };
  /** tools that may be proposed, the first included */
  tries: number;
  /** hosts of one tool alone, whose file lies in this folder */
  openHosts(tool: TypeScriptTool, folder: string): Promise<ToolHosts>;
  /** why nothing more may be asked (the budget is spent); null: go on */
  spent(): string | null;
  /** @param nth of the tries, from 1 */
  onRefused(nth: number, refused: Refused): void;
}

export interface MadeTool {
  tool: TypeScriptTool;
  code: string;
  /** those that give the right answer: of all shown and verifying demonstrations, and of further ones */
  uses: Use[];
  /** demonstrations that it was neither made from nor verified with, and of how many its result is the right answer */
  further: { n: number; right: number };
}

export interface Made {
  made: MadeTool | null;
  tries: number;
  refused: Partial<Record<Refusal, number>>;
  /** why it ended before its tries were used up; null: it did not */
  ended: string | null;
}

/** Requests whose calls are asked for in one question. */
const EACH = 8;

/** @throws UserError where the maker can't be asked; the signal's reason */
export async function makeTool(m: Making): Promise<Made> {
  const opening: Message[] = [
    { role: 'system', content: SYSTEM },
    { role: 'user', content: proposal(m.parts.shown, m.taken.tools) },
  ];
  const refused: Made['refused'] = {};
  let dialogue = [...opening];
  for (let nth = 1; nth <= m.tries; nth++) {
    const ended = m.spent();
    if (ended !== null) return { made: null, tries: nth - 1, refused, ended };
    const before = dialogue.length;
    try {
      return { made: await attempt(dialogue, nth, m), tries: nth, refused, ended: null };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      refused[error.refusal] = (refused[error.refusal] ?? 0) + 1;
      m.onRefused(nth, error);
      // the last try alone, which a maker of few tokens can read
      dialogue = [...opening, ...dialogue.slice(before), { role: 'user', content: again(error.message) }];
    }
  }
  return { made: null, tries: m.tries, refused, ended: null };
}

/** One proposal, checked and verified. @param dialogue grows @throws Refused */
async function attempt(dialogue: Message[], nth: number, m: Making): Promise<MadeTool> {
  const code = codeOf(await ask(dialogue, `propose ${nth}`, m));
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'coach-maketool-')));
  try {
    const file = join(folder, 'tool.ts');
    writeFileSync(file, `${code}\n`);
    const tool = checkCode(code, file, new Set([...m.taken.tools, ...m.taken.names]));
    const hosts = await m.openHosts(tool, folder);
    try {
      const [problem] = hosts.loadProblems;
      if (problem) throw new Refused('notLoaded', describeLoadProblem(problem).replaceAll(`${folder}${sep}`, ''));
      const uses = await verified(tool, hosts, dialogue, nth, m);
      const further = await measured(tool, hosts, dialogue, m);
      const { n } = further;
      return { tool, code, uses: [...uses, ...further.right], further: { n, right: further.right.length } };
    } finally {
      await hosts.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Its unit tests. @returns what passed: all @throws Refused */
async function verified(
  tool: TypeScriptTool,
  hosts: ToolHosts,
  dialogue: Message[],
  nth: number,
  m: Making,
): Promise<Use[]> {
  const { shown, verifying } = m.parts;
  const uses = await usesOf(tool, [...shown, ...verifying], dialogue, `use ${nth}`, m);
  refuseFailed(await runUses(hosts, tool, uses, m.signal), uses, new Set(shown));
  return uses;
}

/** What it does on demonstrations that took no part in making it. Calls that can't be read or made count as wrong. */
async function measured(
  tool: TypeScriptTool,
  hosts: ToolHosts,
  dialogue: readonly Message[],
  m: Making,
): Promise<{ n: number; right: Use[] }> {
  const { further } = m.parts;
  const right: Use[] = [];
  let n = 0;
  for (let from = 0; from < further.length && m.spent() === null; from += EACH) {
    const some = further.slice(from, from + EACH);
    n += some.length;
    try {
      const uses = await usesOf(tool, some, [...dialogue], `further ${from}`, m);
      const found = await runUses(hosts, tool, uses, m.signal);
      right.push(...uses.filter((_, i) => found[i] === null));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
    }
  }
  return { n, right };
}
