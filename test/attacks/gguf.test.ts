/** GGUF files whose counts lie: what they name is never made, and a list of models goes on. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, ftruncateSync, writeFileSync, writeSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Gguf } from '../../trainer/model/weights/gguf';
import { foundModels } from '../../trainer/model/weights/foundModels';
import { tempFolder } from '../store/runs/sample';
import { isUserError } from '../tasks/fixtures';

const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
const u64 = (value: number | bigint): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
};
const text = (value: string): Buffer => Buffer.concat([u64(value.length), Buffer.from(value)]);
const header = (tensors: number | bigint, entries: number | bigint, ...rest: Buffer[]): Buffer =>
  Buffer.concat([Buffer.from('GGUF'), u32(3), u64(tensors), u64(entries), ...rest]);
const array = (of: number, length: number | bigint): Buffer =>
  Buffer.concat([text('a.list'), u32(9), u32(of), u64(length)]);

describe('attacks: GGUF files', function () {
  this.timeout(60_000);
  const { dir, remove } = tempFolder('coach-attack-gguf-');
  after(remove);
  let files = 0;
  /** @param size of the file, its end a hole; default: as long as it is */
  function file(bytes: Buffer, size = bytes.length, path = join(dir, `${++files}.gguf`)): string {
    const fd = openSync(path, 'w');
    writeSync(fd, bytes);
    ftruncateSync(fd, size);
    closeSync(fd);
    return path;
  }
  const GB = 1 << 30;
  const cases: [string, Buffer, number | undefined, RegExp][] = [
    [
      'a list of 3e8 numbers in a small file',
      header(0, 1, array(4, 300_000_000)),
      undefined,
      /no room for the 300000000 entries of metadata a.list/,
    ],
    [
      'a list of 3e8 bytes in a file that has them',
      header(0, 1, array(0, 300_000_000)),
      GB / 2,
      /lists more than 8000000 entries/,
    ],
    [
      'a list of 3e8 texts in a file of 1 GB',
      header(0, 1, array(8, 300_000_000)),
      GB,
      /no room for the 300000000 entries/,
    ],
    [
      'many lists that together are too long',
      header(0, 50, ...Array.from({ length: 50 }, () => Buffer.concat([array(0, 1_000_000), Buffer.alloc(1_000_000)]))),
      undefined,
      /lists more than 8000000 entries/,
    ],
    [
      'lists in lists without an end',
      header(0, 1, text('a'), u32(9), ...Array.from({ length: 50_000 }, () => Buffer.concat([u32(9), u64(1)]))),
      undefined,
      /deeper than 4/,
    ],
    ['2^53 - 1 metadata entries', header(0, 2n ** 53n - 1n), GB, /metadata entries, more than 100000/],
    ['2^63 metadata entries', header(0, 2n ** 63n), undefined, /a count at byte/],
    ['3e8 tensors', header(300_000_000, 0), GB, /tensors, more than 100000/],
    ['50,000 tensors in 100 bytes', header(50_000, 0), 100, /100 bytes have no room for its 50000 tensors/],
    ['a text of 900 MB', header(0, 1, text('a'), u32(8), u64(900_000_000)), GB, /a text of 900000000 bytes/],
    ['a name of 900 MB', header(0, 1, u64(900_000_000)), GB, /a text of 900000000 bytes/],
  ];
  for (const [name, bytes, size, message] of cases) {
    it(`${name}: refused at once, in one message, with no memory taken`, () => {
      const path = file(bytes, size);
      const before = process.memoryUsage().rss;
      const started = Date.now();
      assert.throws(() => Gguf.open(path), isUserError(message, /Download or copy the file again/));
      assert.ok(Date.now() - started < 2_000, `${Date.now() - started} ms`);
      assert.ok(process.memoryUsage().rss - before < 400 << 20, `${(process.memoryUsage().rss - before) >> 20} MB`);
    });
  }

  it('do not keep `coach models` from listing the others, and are told', async () => {
    const home = join(dir, 'home');
    const place = join(home, '.lmstudio', 'models', 'publisher', 'repository');
    mkdirSync(place, { recursive: true });
    file(header(0, 1, array(0, 300_000_000)), GB / 2, join(place, 'bad.gguf'));
    writeFileSync(join(place, 'other.gguf'), header(0, 0));
    const output = await new Promise<string>((done, failed) => {
      let out = '';
      const child = spawn(
        process.execPath,
        ['--max-old-space-size=300', '--import', 'tsx', resolve(__dirname, '../../trainer/cli.ts'), 'models', '--json'],
        { env: { ...process.env, HOME: home }, cwd: resolve(__dirname, '../..') },
      );
      child.stdout.on('data', (data: Buffer) => (out += data.toString()));
      child
        .on('error', failed)
        .on('close', (code, signal) => (code === 0 ? done(out) : failed(new Error(`${code ?? signal}: ${out}`))));
    });
    const { models } = JSON.parse(output) as { models: { name: string; problem: string | null }[] };
    assert.deepEqual(
      models.map(({ name }) => name),
      ['nano', 'bad', 'other'],
    );
    assert.match(models[1].problem!, /lists more than 8000000 entries/);
  });

  it('nor does a pipe where a name should stand', function () {
    if (process.platform === 'win32') this.skip(); // there are no such pipes
    const hub = join(dir, 'hub', 'models--o--n');
    mkdirSync(join(hub, 'refs'), { recursive: true });
    mkdirSync(join(hub, 'snapshots', 'abc'), { recursive: true });
    writeFileSync(join(hub, 'snapshots', 'abc', 'config.json'), '{}');
    execFileSync('mkfifo', [join(hub, 'refs', 'main')]);
    const found = foundModels({ HF_HUB_CACHE: join(dir, 'hub') }, join(dir, 'nobody'));
    assert.deepEqual(
      found.map(({ name, problem }) => [name, problem !== null]),
      [['o/n', true]],
    );
  });
});
