/** Where a composite's code goes in a file's text, and the file's text with it as a unified diff. */
import { ts } from 'ts-morph';
import { DECORATOR, type Composite } from './compositeCode';

/** Lines that are added before a line, counted from 0. */
export interface Addition {
  at: number;
  lines: string[];
}

/** null: its class does not end on a line of its own in this text */
export function placed({ code, inClass }: Pick<Composite, 'code' | 'inClass'>, text: string): Addition | null {
  if (inClass === null) return { at: linesOf(text).length, lines: ['', ...code.split('\n')] };
  const file = ts.createSourceFile('tools.ts', text, ts.ScriptTarget.Latest, true);
  const found = file.statements.find((one) => ts.isClassDeclaration(one) && one.name?.text === inClass);
  if (!found || !ts.isClassDeclaration(found)) return null;
  const { line, character } = file.getLineAndCharacterOfPosition(found.end - 1);
  if (linesOf(text)[line]!.slice(0, character).trim() !== '') return null;
  const own = code.replace(DECORATOR, `@${decoratorOf(found) ?? 'tool'}()`);
  return { at: line, lines: ['', ...own.split('\n')] };
}

/** By what name the class's methods are marked. */
function decoratorOf(of: ts.ClassDeclaration): string | null {
  for (const member of of.members) {
    const [first] = ts.canHaveDecorators(member) ? (ts.getDecorators(member) ?? []) : [];
    const expression =
      first && (ts.isCallExpression(first.expression) ? first.expression.expression : first.expression);
    if (expression) return expression.getText();
  }
  return null;
}

/** Without the empty one behind a last line's end. */
function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

const CONTEXT = 3;
const NO_END = '\\ No newline at end of file';

/**
 * @param name of the file, as it is shown @param given its text; null: there is no such file yet
 * @param additions in any order; those at one place one behind the other
 */
export function unifiedDiff(name: string, given: string | null, additions: readonly Addition[]): string {
  const text = given ?? '';
  const lines = linesOf(text);
  const isWhole = text === '' || text.endsWith('\n');
  const sorted = [...additions].sort((a, b) => a.at - b.at);
  const hunks: { from: number; to: number; own: Addition[] }[] = [];
  for (const addition of sorted) {
    const from = Math.max(0, addition.at - CONTEXT);
    const to = Math.min(lines.length, addition.at + CONTEXT);
    const last = hunks.at(-1);
    if (last && from <= last.to) [last.to, last.own] = [to, [...last.own, addition]];
    else hunks.push({ from, to, own: [addition] });
  }
  let added = 0;
  const parts = hunks.map(({ from, to, own }) => {
    const count = own.reduce((sum, addition) => sum + addition.lines.length, 0);
    const old = to - from;
    const start = (first: number, n: number): number => (n === 0 ? first : first + 1);
    const head = `@@ -${start(from, old)},${old} +${start(from + added, old + count)},${old + count} @@`;
    added += count;
    const at = (i: number): string[] =>
      own.filter((addition) => addition.at === i).flatMap((addition) => addition.lines.map((line) => `+${line}`));
    const body = lines.slice(from, to).flatMap((line, i) => {
      const isOpen = !isWhole && from + i === lines.length - 1;
      const shown = !isOpen
        ? [` ${line}`]
        : at(lines.length).length > 0
          ? [`-${line}`, NO_END, `+${line}`]
          : [` ${line}`, NO_END];
      return [...at(from + i), ...shown];
    });
    return [head, ...body, ...(to === lines.length ? at(lines.length) : [])].join('\n');
  });
  return [given === null ? '--- /dev/null' : `--- a/${name}`, `+++ b/${name}`, ...parts, ''].join('\n');
}
