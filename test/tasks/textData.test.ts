import assert from 'node:assert/strict';
import { Random } from '../../trainer/base/random';
import { pickNamed } from '../../trainer/tasks/generate/chains';
import { drawArguments } from '../../trainer/tasks/generate/values';
import { Harvest } from '../../trainer/tasks/generate/harvest';
import { probe } from '../../trainer/tasks/generate/probe';
import { saysValue } from '../../trainer/base/saysValue';
import { pathsNamed, textData, wholeText } from '../../trainer/tools/values/textData';
import { ok, STRING, threw, tool } from './fixtures';

describe('data in texts', () => {
  it('lines with an id, blocks of "Key: value", JSON after a heading', () => {
    const tasks = 'Found 2 tasks:\n- Buy milk (ID: 3)\n- [ ] Call Ana (id: t-4) due Friday';
    assert.deepEqual(textData(tasks, {}), [
      { id: 3, title: 'Buy milk' },
      { id: 't-4', title: 'Call Ana' },
    ]);
    assert.deepEqual(textData({ content: 'T-12: Buy milk\nT-13: Fix the lamp [open]' }, {}), [
      { id: 'T-12', title: 'Buy milk' },
      { id: 'T-13', title: 'Fix the lamp' },
    ]);
    assert.deepEqual(textData('Title: Storm\n**Due date**: 2026-12-01\n\nTitle: Rain\nPages: 12', {}), [
      { title: 'Storm', dueDate: '2026-12-01' },
      { title: 'Rain', pages: 12 },
    ]);
    assert.deepEqual(
      textData('Your desks:\n\n| ID | Name |\n|---|:--|\n| D-1 | Oak desk |\n| D-2 | **Pine** |\n\nBye', {}),
      [
        { id: 'D-1', name: 'Oak desk' },
        { id: 'D-2', name: 'Pine' },
      ],
    );
    assert.deepEqual(textData('Found 1:\n```json\n[{"id": 7}]\n```', {}), [[{ id: 7 }]]);
  });

  it('nothing in prose, in data, and in what has more members than a text', () => {
    assert.deepEqual(textData('Dear Ana,\nsee https://x.example/a/b.html. Meet at 10:30.\nBo', {}), []);
    assert.deepEqual(textData([{ id: 3 }], {}), []);
    assert.deepEqual(textData({ content: '- Buy milk (ID: 3)', author: 'Ana' }, {}), []);
    assert.equal(wholeText({ content: 'a', b: 1 }), null);
    assert.deepEqual(textData('[DIR] notes\nwritten {a} by [b]', {}), []);
  });

  it('paths, but none that a line says to have failed; the entries of a listed folder below it', () => {
    assert.deepEqual(textData('Allowed directories:\n/srv/files', {}), [{ directoryPath: '/srv/files' }]);
    assert.deepEqual(textData("b.md: Error - ENOENT, open '/srv/b.md'\n---\n/srv/a.md:\nmilk", {}), [
      { filePath: '/srv/a.md' },
      { filePattern: '*.md' },
    ]);
    const entries = [{ directoryPath: '/srv/notes' }, { filePath: '/srv/a.txt' }, { filePattern: '*.txt' }];
    for (const text of ['[DIR] notes\n[FILE] a.txt   11 B\n\nTotal: 2 files', '📁 notes\n📄 a.txt', 'notes/\na.txt'])
      assert.deepEqual(textData({ content: text }, { path: '/srv' }), entries, text);
    assert.deepEqual(textData(['notes', 'a.txt'], { path: '/srv' }), entries);
    assert.deepEqual(textData(['notes', 'a.txt'], { path: '.' }), [
      { directoryPath: 'notes' },
      { filePath: 'a.txt' },
      entries[2],
    ]);
    const tree = [{ name: 'notes', type: 'directory', children: [{ name: 'b.md', type: 'file' }] }];
    assert.deepEqual(textData({ content: JSON.stringify(tree) }, { path: '/srv' }).slice(1), [
      { directoryPath: '/srv/notes' },
      { filePath: '/srv/notes/b.md' },
      { filePattern: '*.md' },
    ]);
    assert.deepEqual(textData(['notes', 'basil'], { path: '/srv' }), []);
  });
});

describe('what a failure names', () => {
  it('is a path that was not given', () => {
    const outside = "Repository path 'src/a.md' is outside the allowed repository '/srv/repo'";
    assert.deepEqual(pathsNamed(outside, { repo_path: 'src/a.md' }), [{ directoryPath: '/srv/repo' }]);
    assert.deepEqual(pathsNamed("ENOENT: open '/srv/files/src/a.md'\n at /app/server.js", { path: './src/a.md' }), []);
    assert.deepEqual(pathsNamed('--- /dev/null', {}), []);
  });

  it('goes to the tools that take it', async () => {
    const status = tool('git_status', 'Shows the working tree status', { repo_path: STRING });
    const harvest = new Harvest([status], async (_, { repo_path: path }) =>
      path === '/srv/repo' ? ok('On branch main') : threw(`Repository path '${path}' is outside of '/srv/repo'`),
    );
    await probe([status], harvest, Random.fromSeed(0));
    assert.deepEqual(harvest.pool.valuesAt(status, 'repo_path'), ['/srv/repo']);
  });
});

describe('tools that answer with texts', () => {
  const list = tool('listTodos', 'Lists all todos', {});
  const done = { ...tool('completeTodo', 'Marks a todo as done', { todoId: STRING }), changesWorld: true };
  const todos = '- [ ] Buy milk (ID: t-1) due 2026-12-01\n- [x] Call the plumber (ID: t-2) due 2026-12-03';

  it('give ids to the tools that take them, and are looked through for a name', async () => {
    const harvest = new Harvest([list, done], async () => ok(todos));
    await probe([list, done], harvest, Random.fromSeed(0));
    assert.deepEqual(harvest.pool.valuesAt(done, 'todoId'), ['t-1', 't-2']);
    const seen = (await harvest.run(list, {}))!;
    const link = { from: list, property: 'id', to: done, parameter: 'todoId' };
    const picked = pickNamed(link, seen, (value) => harvest.pool.knownAs(value), Random.fromSeed(0));
    assert.ok(picked);
    assert.deepEqual(
      picked,
      picked.value === 't-1' ? { value: 't-1', thing: 'Buy milk' } : { value: 't-2', thing: 'Call the plumber' },
    );
  });

  const files: Record<string, string> = { '/srv': '[DIR] notes\n[FILE] a.txt', '/srv/notes': '[FILE] b.md' };
  const roots = tool('list_allowed_directories', 'Lists the directories that may be opened', {});
  const dir = tool('list_directory', 'Lists what a directory holds', { path: STRING });
  const read = tool('read_file', 'Reads a file', { path: STRING });
  const make = { ...tool('create_directory', 'Creates a directory', { path: STRING }), changesWorld: true };

  it('let folders be opened, and the files in them; a new folder stands in one that there is', async () => {
    const tools = [roots, dir, read, make];
    const harvest = new Harvest(tools, async (name, { path }) => {
      if (name === roots.name) return ok('Allowed directories:\n/srv');
      if (name === dir.name) return String(path) in files ? ok(files[String(path)]!) : threw(`ENOTDIR '${path}'`);
      return ['/srv/a.txt', '/srv/notes/b.md'].includes(String(path)) ? ok('milk') : threw(`ENOENT '${path}'`);
    });
    await probe(tools, harvest, Random.fromSeed(0));
    assert.deepEqual(harvest.pool.valuesAt(dir, 'path'), ['/srv', '/srv/notes']);
    assert.deepEqual(harvest.pool.valuesAt(read, 'path'), ['/srv/a.txt', '/srv/notes/b.md']);
    const random = Random.fromSeed(1);
    const made = Array.from({ length: 40 }, () => String(drawArguments(make, random, harvest.known)!.path));
    assert.ok(made.every((path) => path.startsWith('/srv')));
    assert.ok(made.filter((path) => !(path in files)).length > 20);
    // who a thing is sent to has no path
    const send = { ...tool('send', 'Sends a message', { to: STRING }), changesWorld: true };
    const known = Object.assign(() => ['ana@mail.example', 'bo@mail.example'], {});
    for (let i = 0; i < 20; i++) assert.match(String(drawArguments(send, random, known)!.to), /@mail\.example$/);
  });

  it('take the folder that they run in, which people call the current one', async () => {
    const folder = tool('listFiles', 'Lists the files in a folder', { folder: STRING });
    const harvest = new Harvest([folder], async (_, args) =>
      args.folder === '.' ? ok('["a.txt"]') : threw(`ENOENT '${args.folder}'`),
    );
    await probe([folder], harvest, Random.fromSeed(0));
    assert.deepEqual(harvest.pool.valuesAt(folder, 'folder'), ['.']);
    assert.ok(saysValue('list the files in the current folder', '.'));
    assert.ok(!saysValue('list the files in a folder', '.'));
  });
});

describe('what a text is worked on', () => {
  it('is whatever one has, and nothing that a tool made of one', async () => {
    const turn = tool('reverseText', 'Turns a text around', { text: STRING });
    const hash = tool('hashText', 'Hashes a text', { text: STRING });
    const harvest = new Harvest([turn, hash], async (name, { text }) =>
      ok(name === 'hashText' ? `${String(text).length}f00c63d70eefef` : [...String(text)].reverse().join('')),
    );
    await probe([turn, hash], harvest, Random.fromSeed(0));
    assert.deepEqual(harvest.pool.valuesAt(hash, 'text'), []);
    assert.deepEqual(harvest.pool.valuesAt(turn, 'text'), []);
  });
});
