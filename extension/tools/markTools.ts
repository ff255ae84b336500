/** What `@tool` may be put on where a line stands: an exported function, a method of an exported class, or all of them. */
import { docAbove, tagEdit, type TextEdit } from './writeExample';

const FUNCTION = /^export\s+(?:default\s+)?(?:async\s+)?function\s*\*?\s*([\w$]+)/;
const CONSTANT = /^export\s+const\s+([\w$]+)[^=]*=\s*(?:async\s*)?(?:function\b|\([^)]*\)[^=]*=>|\($|[\w$]+\s*=>)/;
const CLASS = /^export\s+(?:default\s+)?class\s+([\w$]+)/;
const METHOD = /^\s+(?:public\s+)?(?:override\s+)?(?:async\s+)?([a-z$][\w$]*)\s*(?:<[^>]*>)?\(/;
const NO_METHOD = /^(constructor|if|for|while|switch|return|catch|super|function|await|throw|new)$/;

export interface Mark {
  /** the function, the method, or the class whose methods are marked */
  of: string;
  edits: TextEdit[];
}

/** @param line from 1; null where nothing stands there that could be a tool and is none yet */
export function markAt(text: string, line: number): Mark | null {
  const lines = text.split(/\r?\n/);
  const said = lines[line - 1] ?? '';
  const single = FUNCTION.exec(said)?.[1] ?? CONSTANT.exec(said)?.[1] ?? methodAt(lines, line);
  if (single !== null) return marked(text, single, [line]);
  const ofClass = CLASS.exec(said)?.[1];
  return ofClass === undefined ? null : marked(text, ofClass, methodsOf(lines, line));
}

function marked(text: string, of: string, lines: readonly number[]): Mark | null {
  const edits = lines.flatMap((line) =>
    /@tool\b/.test(docAbove(text, line)) ? [] : (tagEdit(text, line, '@tool') ?? []),
  );
  return edits.length === 0 ? null : { of, edits };
}

/** Of a class that is exported; null where the line begins no method. */
function methodAt(lines: readonly string[], line: number): string | null {
  const said = lines[line - 1] ?? '';
  const name = METHOD.exec(said)?.[1];
  if (name === undefined || NO_METHOD.test(name)) return null;
  const own = indentOf(said);
  for (let at = line - 2; at >= 0; at--) {
    const above = lines[at]!;
    if (above.trim() !== '' && indentOf(above) < own)
      return CLASS.test(above) && isFirstLevel(lines, at, own) ? name : null;
  }
  return null;
}

/** As far in as the first thing in the class: what stands further in is a call. */
const isFirstLevel = (lines: readonly string[], at: number, indent: number): boolean =>
  indentOf(lines.slice(at + 1).find((each) => each.trim() !== '') ?? '') === indent;

function methodsOf(lines: readonly string[], classLine: number): number[] {
  const out: number[] = [];
  for (let line = classLine + 1; line <= lines.length && !/^}/.test(lines[line - 1]!); line++)
    if (methodAt(lines, line) !== null) out.push(line);
  return out;
}

const indentOf = (text: string): number => /^\s*/.exec(text)![0].length;
