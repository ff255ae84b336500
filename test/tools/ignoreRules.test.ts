import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isIgnored, rulesAround, rulesIn } from '../../trainer/tools/sources/typescript/discovery/ignoreRules';

const NAMES = [
  ...['a.ts', 'b.ts', 'abc', 'abc[', '*', 'a*', '!x', '#x', 'a]', 'a-z.ts', '-.ts', 'foo.ts', 'foo bar.ts', '[x].ts'],
  ...['\\', 'a\\z.ts', 'Ab.ts', '7.ts', 'éa.ts', ']', '-', '^', 'x ', 'a', '{a,b}.ts', 'a+.ts', 'a.tsx', '.ts', '?'],
];
const PATTERNS = [
  ...['a.ts', '*.ts', '?.ts', 'a*', '*', '**', 'abc[', '[', 'a[', '[]-]', '[]]', '[a]', '[!a].ts', '[^a].ts'],
  ...['[a\\-z].ts', '[\\]]', '[[:alpha:]]', '[[:alpha:]].ts', '[[:digit:][:upper:]]*', '[![:alnum:]].ts', '[[:nope:]]'],
  ...['[c-a].ts', '[a-]*', '[-a].ts', '[*]', '[?]', '\\*', '\\?', '\\!x', '\\#x', '!x', '#x', '\\\\', '\\a.ts'],
  ...['[a-c].ts', 'x\\ ', 'x '],
  ...['foo*', 'f*o*', '*o.ts', 'foo bar.ts', '{a,b}.ts', 'a+.ts', '.ts', '.*', '*.t?x', 'a.ts\\', 'a?ts', '[[]x[]].ts'],
];
/** Each pattern as it is written in a file, negated, anchored, for folders only, and below folders. */
const FORMS = [
  ...['P', '/P', 'P/', '**/P', 'P/**', 'in/P', '/in/P', 'in/**/P', '**/in/P', 'in/*/P', 'P/P', '*\n!P', '*.ts\nin\n!P'],
  ...['in/\n!P', '/*\n!/P', '/*\n!/in\n/in/*\n!in/P', 'P\n!a.ts', '/in/deep/P/', 'P/**/', '**/P/*'],
];
const ALONE = [
  ...['', ' ', '/', '//', '!', '!/', '#', '**/', '/**', '/**/', '!\n*', 'in/ ', 'in/\\ '],
  ...['\uFEFFa.ts', 'a.ts\r\nb.ts\r'],
];

let folder: string;
const git = (args: string[], input = ''): string =>
  spawnSync('git', args, { cwd: folder, input, encoding: 'utf8', maxBuffer: 1 << 28 }).stdout;

function write(path: string, text = ''): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

/** What git says is left out, of paths in the folder. */
function leftOut(paths: readonly string[]): Set<string> {
  return new Set(git(['check-ignore', '--no-index', '-z', '--stdin'], paths.join('\0')).split('\0').filter(Boolean));
}

describe('ignore rules, beside `git check-ignore`', function () {
  this.timeout(120_000);
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'coach-ignore-')));
    git(['init', '-q']);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('a table of patterns on a table of paths, at the root of the rules and below another ignore file', () => {
    const formed = PATTERNS.flatMap((pattern) => FORMS.map((form) => form.replaceAll('P', () => pattern)));
    const texts = [...new Set([...formed, ...ALONE])];
    assert.ok(texts.length > 960, `${texts.length} texts`);
    const paths = ['in', ...['', 'in/', 'in/deep/'].flatMap((at) => NAMES.map((name) => at + name))];
    const folders = texts.map((_, i) => `p [${i}]`); // a name with characters that mean something in a pattern
    write('.gitignore', 'no-file-has-this-name\n');
    texts.forEach((text, i) => write(`${folders[i]}/.gitignore`, text));
    for (const at of folders) mkdirSync(join(folder, at, 'in')); // git looks whether it is a folder
    const expected = leftOut(folders.flatMap((at) => paths.map((path) => `${at}/${path}`)));
    assert.ok(expected.size > 10_000, `git leaves out ${expected.size}`);
    const wrong = folders.flatMap((at, i) => {
      const sides = { root: rulesIn(join(folder, at), null), nested: rulesAround(join(folder, at)) };
      return paths.flatMap((path) =>
        Object.entries(sides)
          .filter(
            ([, rules]) => isIgnored(join(folder, at, path), path === 'in', rules) !== expected.has(`${at}/${path}`),
          )
          .map(([side]) => `${JSON.stringify(texts[i])} ${path} ${side}`),
      );
    });
    assert.deepEqual(wrong, []);
  });

  it('nested files: a nearer rule goes before one above it, and .git/info/exclude comes last', () => {
    write('.git/info/exclude', 'own.ts\nkept.ts\n');
    write('.gitignore', 'build\n*.gen\n!kept.ts\n');
    write('a/.gitignore', '!build\n!/one.gen\nb/*.ts\n');
    write('a/b/.gitignore', '!two.ts\n*.js');
    mkdirSync(join(folder, 'a/build'));
    const files = ['own.ts', 'kept.ts', 'build', 'x.gen', 'a/own.ts', 'a/one.gen', 'a/two.gen', 'a/b/one.gen'];
    files.push('a/build/x.ts', 'a/build/x.gen', 'a/b/one.ts', 'a/b/two.ts', 'a/b/c.js', 'a/c.js', 'a/b/build');
    const expected = leftOut(files);
    assert.deepEqual([...expected].sort(), [
      'a/b/c.js',
      'a/b/one.gen',
      'a/b/one.ts',
      'a/build/x.gen',
      'a/own.ts',
      'a/two.gen',
      'build',
      'own.ts',
      'x.gen',
    ]);
    for (const file of files)
      assert.equal(
        isIgnored(join(folder, file), false, rulesAround(join(folder, dirname(file)))),
        expected.has(file),
        file,
      );
  });

  it('a folder that is asked for is read although it is left out; what its rules leave out stays out', () => {
    write('.gitignore', '/out\n/also\n*.local.ts\n');
    const rules = rulesAround(join(folder, 'out/[in]'));
    const read = ['a.ts', 'b.local.ts'].filter((name) => !isIgnored(join(folder, 'out/[in]', name), false, rules));
    assert.deepEqual(read, ['a.ts']);
    assert.ok(isIgnored(join(folder, 'also/a.ts'), false, rules));
  });
});
