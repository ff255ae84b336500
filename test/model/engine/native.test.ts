import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { Header } from 'tar';
import { install } from '../../../trainer/model/engine/native/install';
import type { Archive } from '../../../trainer/model/engine/native/packages';
import { unpack } from '../../../trainer/model/engine/native/unpack';
import { UserError } from '../../../trainer/protocol/result';

interface Packed {
  name: string;
  content: string | Buffer;
  /** where a link leads; a file has none */
  linkTo?: string;
}
/** As npm packs: a header of 512 bytes, the content padded to 512; two empty blocks at the end. */
function tgz(...files: Packed[]): Buffer {
  const blocks = files.map(({ name, content, linkTo }) => {
    const type = linkTo === undefined ? 'File' : 'SymbolicLink';
    const header = new Header({ path: name, size: content.length, type, linkpath: linkTo ?? '', mode: 0o644 });
    header.encode();
    const body = Buffer.alloc(Math.ceil(content.length / 512) * 512);
    Buffer.from(content).copy(body);
    return Buffer.concat([header.block!, body]);
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}
/** Deflated files as a zip: local header and data of each, directory, end. A link's content is where it leads. */
function zip(...files: Packed[]): Buffer {
  const local: Buffer[] = [];
  const directory: Buffer[] = [];
  for (const { name, content, linkTo } of files) {
    const bytes = Buffer.from(linkTo ?? content);
    const packed = deflateRawSync(bytes);
    const header = Buffer.alloc(30);
    header.writeUInt32LE(0x04034b50, 0);
    header.writeUInt16LE(name.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(8, 10);
    entry.writeUInt32LE(packed.length, 20);
    entry.writeUInt32LE(bytes.length, 24);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(((linkTo === undefined ? 0o100644 : 0o120777) << 16) >>> 0, 38);
    entry.writeUInt32LE(Buffer.concat(local).length, 42);
    local.push(header, Buffer.from(name), packed);
    directory.push(entry, Buffer.from(name));
  }
  const [data, entries] = [Buffer.concat(local), Buffer.concat(directory)];
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(entries.length, 12);
  end.writeUInt32LE(data.length, 16);
  return Buffer.concat([data, entries, end]);
}

describe('archives', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'coach-unpack-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  /** @returns what lies in the folder, and how many files were said to be written */
  async function unpacked(type: Archive['type'], bytes: Buffer): Promise<{ written: number; files: string[] }> {
    const [path, into] = [join(folder, 'archive'), join(folder, 'into')];
    writeFileSync(path, bytes);
    const written = await unpack({ type, place: (name) => (name.endsWith('.md') ? null : name) }, path, into);
    return { written, files: (readdirSync(into, { recursive: true }) as string[]).sort() };
  }
  const file = (name: string, content = name): Packed => ({ name, content });

  for (const [type, make] of [
    ['tgz', tgz],
    ['wheel', zip],
  ] as const) {
    it(`${type}: what is wanted of it, several files of several folders, to the byte`, async () => {
      const long = Buffer.alloc(200_000, 'some text, ');
      const archive = make(file('a/b/c.js'), file('a/README.md'), { name: 'a/d.so', content: long }, file('e.js', ''));
      assert.deepEqual(await unpacked(type, archive), {
        written: 3,
        files: ['a', 'a/b', 'a/b/c.js', 'a/d.so', 'e.js'],
      });
      assert.equal(readFileSync(join(folder, 'into/a/b/c.js'), 'utf8'), 'a/b/c.js');
      assert.ok(readFileSync(join(folder, 'into/a/d.so')).equals(long));
    });

    it(`${type}: links are left out, so that nothing is written through them`, async () => {
      const archive = make({ name: 'out', content: '', linkTo: '../..' }, file('in.js'), file('out/x.js'));
      assert.deepEqual(await unpacked(type, archive), { written: 2, files: ['in.js', 'out', 'out/x.js'] });
      assert.ok(!existsSync(join(folder, '../x.js')));
    });

    it(`${type}: a name that leads out of the folder is an error, and nothing is written there`, async () => {
      for (const name of ['../out.js', 'a/../../out.js', '/../out.js']) {
        await assert.rejects(
          unpacked(type, make(file(name))),
          /lies outside of the folder|relative path|absolute path/,
        );
        assert.ok(!existsSync(join(folder, 'out.js')) && !existsSync(join(folder, '../out.js')), name);
      }
    });

    it(`${type}: cut off anywhere, it is an error`, async () => {
      const whole = make(file('a.js', 'x'.repeat(3000)), file('b.js'));
      for (const share of [0.1, 0.5, 0.9])
        await assert.rejects(
          unpacked(type, whole.subarray(0, Math.floor(whole.length * share))),
          /cut off|unexpected end/,
        );
    });
  }

  it('wheel: an entry that is longer than the directory says is an error with its name', async () => {
    const archive = zip(file('a.so', 'x'.repeat(5000)));
    archive.writeUInt32LE(4000, archive.indexOf(Buffer.from('PK\x01\x02', 'latin1')) + 24);
    await assert.rejects(
      unpacked('wheel', archive),
      /^Error: unpack: .*archive: a\.so can't be unpacked: too many bytes/,
    );
  });
});

describe('coach engines --install', () => {
  if (process.platform !== 'linux' || process.arch !== 'x64') return;
  const library = Buffer.alloc(300_000, 'libtensorflow ');
  const bodies: Record<string, Buffer> = {
    '/a.tgz': tgz({ name: 'package/dist/index.js', content: 'module.exports = 1;' }),
    '/b.whl': zip({ name: 'tensorflow/libtensorflow_cc.so.2', content: library }),
  };
  const asked: { url: string; range: string | undefined }[] = [];
  let server: Server;
  let base = '';
  let folder: string;
  before(async () => {
    server = createServer((request, response) => {
      const body = bodies[request.url!];
      asked.push({ url: request.url!, range: request.headers.range });
      if (!body) return void response.writeHead(404).end();
      const from = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0);
      response.writeHead(from > 0 ? 206 : 200).end(body.subarray(from));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => server.close());
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'coach-install-'));
    asked.length = 0;
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const archive = (path: string, change: Partial<Archive> = {}): Archive => ({
    type: path.endsWith('.tgz') ? 'tgz' : 'wheel',
    url: base + path,
    sizeBytes: bodies[path]?.length ?? 10,
    sha256: createHash('sha256')
      .update(bodies[path] ?? '')
      .digest('hex'),
    place: (name) => (path.endsWith('.tgz') ? name : `package/deps/lib/${name.split('/').at(-1)!}`),
    ...change,
  });
  const run = (files: Archive[], lines: string[] = []) =>
    install('tfjs-node', { env: { COACH_DATA: folder }, files, onProgress: (line) => void lines.push(line) });
  const home = (): string => join(folder, 'engines', 'tfjs-node');

  it('fetches, checks, unpacks, adds the binding, and leaves no downloads; a second call does nothing', async () => {
    const lines: string[] = [];
    assert.equal(await run([archive('/a.tgz'), archive('/b.whl')], lines), home());
    assert.equal(readFileSync(join(home(), 'package/dist/index.js'), 'utf8'), 'module.exports = 1;');
    assert.ok(readFileSync(join(home(), 'package/deps/lib/libtensorflow_cc.so.2')).equals(library));
    assert.ok(existsSync(join(home(), 'package/lib/napi-v8/tfjs_binding.node')));
    assert.ok(!existsSync(join(home(), 'downloads')));
    assert.ok(lines.includes('checking b.whl') && lines.includes('unpacking b.whl'));
    await run([archive('/a.tgz'), archive('/b.whl')]);
    assert.equal(asked.length, 2);
  });

  it('goes on where it was broken off, and fetches nothing twice', async () => {
    await assert.rejects(
      run([archive('/a.tgz'), archive('/none.whl')]),
      (e) => e instanceof UserError && /none\.whl: the server answered 404/.test(e.message),
    );
    assert.ok(!existsSync(join(home(), 'complete.json')));
    writeFileSync(join(home(), 'downloads', 'b.whl.part'), bodies['/b.whl']!.subarray(0, 200));
    await run([archive('/a.tgz'), archive('/b.whl')]);
    assert.deepEqual(
      asked.map(({ url, range }) => [url, range]),
      [
        ['/a.tgz', undefined],
        ['/none.whl', undefined],
        ['/b.whl', 'bytes=200-'],
      ],
    );
  });

  it('a wrong checksum is an error with both sums, and the file is gone', async () => {
    await assert.rejects(
      run([archive('/a.tgz', { sha256: 'abc' })]),
      /checksum \(sha256\) must be abc, got \w{64}; the file was deleted/,
    );
    assert.ok(!existsSync(join(home(), 'downloads', 'a.tgz.part')) && !existsSync(join(home(), 'downloads', 'a.tgz')));
  });

  it('a server that is not there, an archive that is cut off or leads out of the folder: one error each', async () => {
    await assert.rejects(
      run([archive('/a.tgz', { url: 'http://127.0.0.1:9/a.tgz' })]),
      /could not fetch http:\/\/127\.0\.0\.1:9\/a\.tgz: .*(ECONNREFUSED|bad port)/,
    );
    writeFileSync(join(folder, 'cut.whl'), bodies['/b.whl']!.subarray(0, 100));
    await assert.rejects(unpack(archive('/b.whl'), join(folder, 'cut.whl'), folder), /is no zip, or cut off/);
    await assert.rejects(run([archive('/a.tgz', { place: () => '../../x' })]), /lies outside of the folder/);
  });

  it('the GPU package without a GPU: says so, and fetches nothing', async function () {
    if (existsSync('/dev/nvidia0')) this.skip();
    await assert.rejects(
      install('tfjs-node-gpu', { env: { COACH_DATA: folder } }),
      (e) => e instanceof UserError && /^tfjs-node-gpu: no GPU: /.test(e.message) && /--force/.test(e.hint!),
    );
    assert.ok(!existsSync(join(folder, 'engines')));
  });
});
