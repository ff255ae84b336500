/** An mcp.json of others: what is read of it when a window opens, or when a run names its servers. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withoutComments } from '../../trainer/base/json';
import { UserError } from '../../trainer/protocol/result';
import { findServers, readConfig } from '../../trainer/tools/sources/mcp/config';
import { configuredServers } from '../../trainer/tools/sources/mcp/configured';
import { tempFolder } from '../store/runs/sample';

describe('attacks: an mcp.json', () => {
  const { dir, remove } = tempFolder();
  after(remove);
  const file = join(dir, 'mcp.json');
  /** @returns what it says in one message, and the milliseconds that it takes */
  const refusal = (text: string): { message: string; ms: number } => {
    writeFileSync(file, text);
    const at = performance.now();
    const { problems } = configuredServers([file]);
    assert.throws(() => readConfig(file), UserError);
    assert.equal(problems.length, 1);
    return { message: problems[0]!.message, ms: performance.now() - at };
  };

  const hostile: Record<string, [text: string, says: RegExp]> = {
    'comments that never end': ['/* '.repeat(300_000), /is not JSON/],
    'quotes that never end': ['"\\'.repeat(300_000), /is not JSON/],
    'commas without an item': [`[${','.repeat(500_000)}`, /is not JSON/],
    'a string of 20 MB': [JSON.stringify({ servers: { a: { command: 'x'.repeat(20 << 20) } } }), /at most 1048576/],
    'a value of 100,000 levels': [`{"servers":{"a":${'['.repeat(1e5)}${']'.repeat(1e5)}}}`, /is not JSON/],
  };
  for (const [name, [text, says]] of Object.entries(hostile))
    it(`${name}: one message, within a second`, () => {
      const { message, ms } = refusal(text);
      assert.match(message, says);
      assert.ok(message.length < 5_000 && !message.includes('\n'), message);
      assert.ok(ms < 1_000, `${ms} ms`);
    });

  it('thousands of servers beside another file: each file is read once', () => {
    mkdirSync(join(dir, '.vscode'));
    const many = (command: string) =>
      Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`s${i}`, { command }]));
    writeFileSync(join(dir, '.vscode', 'mcp.json'), JSON.stringify({ servers: many('a') }));
    writeFileSync(file, JSON.stringify({ servers: many('b') }));
    const at = performance.now();
    const { servers } = configuredServers([file]);
    assert.ok(performance.now() - at < 2_000, `${performance.now() - at} ms`);
    assert.ok(servers.length === 5_000 && servers.every(({ problem }) => /that one counts/.test(problem ?? '')));
  });

  it('comments and commas are read as editors write them, in strings they are text', async () => {
    const text = '// c\n{ /* "x */ "servers": {"a": {"command": "a // b, ] \\" /*", "args": ["1", /* c */ ], }, }, }';
    assert.deepEqual(JSON.parse(withoutComments(text)), { servers: { a: { command: 'a // b, ] " /*', args: ['1'] } } });
    writeFileSync(file, text);
    const [server] = await findServers([{ file }]);
    assert.deepEqual(server!.reach.kind === 'stdio' && server!.reach.args, ['1']);
  });
});
