import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateRawSync, gzipSync } from 'node:zlib';
import { install } from '../../../trainer/model/engine/native/install';
import type { Archive } from '../../../trainer/model/engine/native/packages';
import { unpack } from '../../../trainer/model/engine/native/unpack';
import { UserError } from '../../../trainer/protocol/result';

/** One file as a tar of npm: a header of 512 bytes, the content padded to 512, two empty blocks. */
function tgz(name: string, content: string): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write(content.length.toString(8).padStart(11, '0'), 124);
  header.write('0', 156);
  const body = Buffer.alloc(Math.ceil(content.length / 512) * 512);
  body.write(content);
  return gzipSync(Buffer.concat([header, body, Buffer.alloc(1024)]));
}
/** One deflated file as a zip: local header, data, directory, end. */
function zip(name: string, content: Buffer): Buffer {
  const packed = deflateRawSync(content);
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(name.length, 26);
  const directory = Buffer.alloc(46);
  directory.writeUInt32LE(0x02014b50, 0);
  directory.writeUInt16LE(8, 10);
  directory.writeUInt32LE(typeof crc32 === 'function' ? crc32(content) : 0, 16);
  directory.writeUInt32LE(packed.length, 20);
  directory.writeUInt32LE(content.length, 24);
  directory.writeUInt16LE(name.length, 28);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt32LE(46 + name.length, 12);
  end.writeUInt32LE(30 + name.length + packed.length, 16);
  return Buffer.concat([header, Buffer.from(name), packed, directory, Buffer.from(name), end]);
}

describe('coach engines --install', () => {
  if (process.platform !== 'linux' || process.arch !== 'x64') return;
  const library = Buffer.alloc(300_000, 'libtensorflow ');
  const bodies: Record<string, Buffer> = {
    '/a.tgz': tgz('package/dist/index.js', 'module.exports = 1;'),
    '/b.whl': zip('tensorflow/libtensorflow_cc.so.2', library),
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
