/** What a tool host met when it loaded a file, at the place in the user's own text, with a way out. */

import { SourceMap, type SourceMapPayload } from 'node:module';
import { ts } from 'ts-morph';
import type { Diagnostic } from '../../protocol/task';
import type { LoadError } from './inside/hostMessages';
import { importResolver } from './importResolver';
import type { CodeProblem } from './transpile';
import { transpileSource } from './transpileSource';
import { readTextFile } from '../../base/storage';

export interface LoadProblem {
  /** The tool or reward file that cannot be used. */
  entry: string;
  /** Where it failed: the entry itself, or a file that it imports. */
  file: string;
  /** From 1; absent where only the file is known. */
  line?: number;
  column?: number;
  /** The loader's own words. */
  message: string;
  wayOut: string;
}

/** @param problems what transpiling found; their words and places go before what the host saw of them */
export function loadProblems(errors: readonly LoadError[], problems: readonly CodeProblem[]): LoadProblem[] {
  return errors.map((error) => {
    const { entry, file, message, isTimeout } = error;
    const known = problems.find((problem) => problem.file === file);
    if (known)
      return {
        entry,
        ...known,
        message: firstLines(known.message),
        wayOut: known.isUnreadable ? 'Check that the file is there and can be read.' : 'Correct the syntax.',
      };
    const said = isTimeout
      ? message.replace(/^Error: not finished after/, 'it did not finish loading in')
      : firstLines(message);
    return { entry, file, ...placeInSource(error), message: said, wayOut: wayOutOf(error) };
  });
}

/** `/a/tools.mjs:12: cannot be loaded: Cannot find package 'foo' imported from … Install it …` */
export function describeLoadProblem({ entry, file, line, message, wayOut }: LoadProblem): string {
  const via = entry === file ? '' : ` (loaded by ${entry})`;
  return `${file}${line === undefined ? '' : `:${line}`}: cannot be loaded${via}: ${message}. ${wayOut}`;
}

/** At the file that failed, for the editor. */
export function loadDiagnostic(problem: LoadProblem): Diagnostic {
  const { file, line = 1, column, message, wayOut } = problem;
  return {
    file,
    line,
    ...(column === undefined ? {} : { column }),
    severity: 'error',
    message: `cannot be loaded: ${message}. ${wayOut}`,
  };
}

/** Node puts a list of requiring files below its first line; a full stop is ours to write. */
const firstLines = (message: string): string =>
  message
    .split(/\n(?:Require stack:|\s+at )/)[0]!
    .replace(/^Error(?: \[\w+\])?: /, '')
    .replaceAll('\n', ' ')
    .replace(/[.\s]+$/, '');

function wayOutOf({ specifier, message, isTimeout }: LoadError): string {
  if (isTimeout) return 'Move what waits or takes long from the top of the file into the functions that need it.';
  const missing = /Cannot find (?:package|module) '([^']*)/.exec(message)?.[1];
  if (missing !== undefined && specifier !== undefined) {
    if (/^[./]/.test(specifier)) return 'Correct the path.';
    // what an installed package lacks is not the one that the file imports
    const lacking = /^[@\w][^:]*$/.test(missing) ? packageOf(missing) : packageOf(specifier);
    return `Install it (npm install ${lacking}), or leave the import out.`;
  }
  const builtin = /No such built-in module: (\S+)/.exec(message)?.[1];
  if (builtin !== undefined)
    return `Node ${process.versions.node} runs the tools, and has no ${builtin}: take a newer one (in VS Code agentCoach.nodePath).`;
  if (/ERR_ACCESS_DENIED|Access to this API has been restricted/.test(message))
    return 'A tool host reads the workspace, writes nothing but its own os.tmpdir(), and starts no programs.';
  if (/api.?key|credentials|access token|\b[A-Z][A-Z0-9]*_(KEY|TOKEN|SECRET)\b/i.test(message))
    return 'Tools are given no keys of yours: make what needs one in the function that uses it, not while the file loads.';
  return 'A tool host loads the file as Node does: correct what it does while it loads.';
}

const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

interface Place {
  line?: number;
  column?: number;
}

/**
 * The host saw the transpiled text, so the file is transpiled once more, with its map; where the stack led nowhere,
 * the import is looked for.
 */
function placeInSource({ file, line, column = 1, specifier }: LoadError): Place {
  if (file.endsWith('.json') || (line === undefined && specifier === undefined)) return {};
  let text: string;
  try {
    text = readTextFile(file);
  } catch {
    return {}; // gone since: the file alone is known
  }
  if (line === undefined) return placeOfImport(text, file, specifier);
  const resolver = importResolver();
  const { sourceMap } = transpileSource(text, file, resolver.isNodeEsModule(file), resolver.optionsFor(file), true);
  if (sourceMap === undefined) return {};
  const entry = new SourceMap(JSON.parse(sourceMap) as SourceMapPayload).findEntry(line - 1, column - 1);
  return 'originalLine' in entry && typeof entry.originalLine === 'number'
    ? { line: entry.originalLine + 1, column: entry.originalColumn + 1 }
    : {};
}

function placeOfImport(text: string, file: string, specifier: string | undefined): Place {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const find = (node: ts.Node): ts.Node | undefined =>
    ts.isStringLiteralLike(node) && node.text === specifier ? node : ts.forEachChild(node, find);
  const found = find(source);
  if (!found) return {};
  const { line, character } = source.getLineAndCharacterOfPosition(found.getStart());
  return { line: line + 1, column: character + 1 };
}
