/** What the pages for contributors name is there: paths in backticks, and links. Their prose is as wide as the code. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const root = join(__dirname, '..', '..');
const NOT_OURS = new Set(['node_modules', 'dist', '.git', '.coach', 'artifacts']);

/** Files and folders below a folder, from the root on; a folder ends in a slash. */
function below(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !NOT_OURS.has(name))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? [`${relative(root, path)}/`, ...below(path)] : [relative(root, path)];
    });
}

/** `app/startRun.ts`, `trainer/base/`, `rules/NAME.ts`: of the last one only the folder can be there. */
const PATH = /^(?:[\w.@-]+\/)*(?:[\w.@-]+\/|[\w.@-]+\.(?:ts|mjs|js|json|md|css|txt|tsv))$/;
const pathsOf = (text: string): string[] => [
  ...new Set(
    [...text.matchAll(/`([^`\n]+)`/g)]
      .map(([, word]) => word!)
      .filter((word) => PATH.test(word) && !word.startsWith('.coach/')) // the user's own folder
      .map((word) => word.replace(/NAME.*$/, ''))
      .filter(Boolean),
  ),
];

const readPage = (page: string): string => readFileSync(join(root, page), 'utf8');

/** Numbers of the lines of prose beyond the columns that the formatter keeps code to. */
function wideLines(text: string): number[] {
  let isCode = false;
  return text.split('\n').flatMap((line, i) => {
    if (line.startsWith('```')) isCode = !isCode;
    return isCode || line.startsWith('|') || line.length <= 120 ? [] : [i + 1];
  });
}

describe('what the docs name', () => {
  const tree = below(root).map((path) => path.replaceAll('\\', '/'));
  const rooms = tree.filter((path) => /^(trainer|extension|webview)\/(.*\/)?README\.md$/.test(path));

  for (const page of ['CONTRIBUTING.md', 'README.md', ...rooms])
    it(`${page}: every path is there`, () => {
      const text = readPage(page);
      const missing = pathsOf(text).filter((path) => !tree.some((one) => one === path || one.endsWith(`/${path}`)));
      assert.deepEqual(missing, []);
      const links = [...text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, to]) => to!);
      const broken = links.filter((to) => !/^https?:/.test(to) && !existsSync(join(root, dirname(page), to)));
      assert.deepEqual(broken, []);
    });

  const others = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'test/bench/README.md'];
  for (const page of [...others, ...rooms])
    it(`${page}: 120 columns, tables and code aside`, () => assert.deepEqual(wideLines(readPage(page)), []));

  it('finds a line that is too wide', () => {
    const wide = 'x'.repeat(121);
    assert.deepEqual(wideLines(['a', wide, `| ${wide} |`, '```', wide, '```', wide].join('\n')), [2, 7]);
  });

  it('finds what is not there', () => {
    assert.deepEqual(pathsOf('`trainer/rewards/rules/NAME.ts`, `noSuchFile.ts`, `npm test`, `webview/views/`'), [
      'trainer/rewards/rules/',
      'noSuchFile.ts',
      'webview/views/',
    ]);
  });
});
