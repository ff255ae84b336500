/** Bytes that are no messages, by the socket of a run and by the service's stdin. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { FrameGuard } from '../../trainer/protocol/framing';
import { serveRun } from '../../trainer/app/runServer';
import { tempFolder } from '../store/runs/sample';

const MB = 1 << 20;
const frame = (body: string): string => `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
const hello = frame(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'hello', params: { protocol: 1 } }));

describe('attacks: frames', function () {
  this.timeout(60_000);

  it('frames pass as they come, in pieces of any size', () => {
    const text = [frame('{"a":1}'), frame(''), `content-length: 3\r\nContent-Type: x\r\n\r\nabc`].join('');
    for (const size of [1, 2, 7, 1000]) {
      const guard = new FrameGuard();
      const out: Uint8Array[] = [];
      for (let at = 0; at < text.length; at += size) out.push(...guard.take(Buffer.from(text.slice(at, at + size))));
      assert.equal(Buffer.concat(out).toString(), text);
    }
  });

  it('a header without an end or a length, and a body of 4 GB, end the stream', () => {
    assert.throws(
      () => new FrameGuard().take(Buffer.alloc(20 * MB, 'x')),
      /without an end of its header: more than 4096/,
    );
    assert.throws(() => new FrameGuard().take(Buffer.from('a: b\r\n\r\n')), /has no Content-Length/);
    assert.throws(
      () => new FrameGuard().take(Buffer.from('Content-Length: 4294967296\r\n\r\n')),
      /of 4294967296 bytes; at most 268435456 are taken/,
    );
    assert.throws(() => new FrameGuard().take(Buffer.from('Content-Length: -1\r\n\r\n')), /has no Content-Length/);
  });

  for (const [name, bytes] of [
    ['20 MB without the end of a header', Buffer.alloc(20 * MB, 'x')],
    ['a body of 4 GB', Buffer.from('Content-Length: 4000000000\r\n\r\n{')],
  ] as const)
    it(`a window that sends ${name} is cut off; others are served`, async () => {
      const { dir, remove } = tempFolder('coach-attack-socket-');
      const server = await serveRun({ id: 'r', dir, onStop: () => undefined });
      const started = performance.now();
      const evil = connect(server.path);
      evil.on('error', () => undefined); // it is reset in the middle of what it sends
      evil.write(bytes);
      evil.resume();
      const good = connect(server.path);
      good.write(hello);
      const [reply] = (await once(good, 'data')) as [Buffer];
      assert.match(reply.toString(), /"runId":"r"/);
      if (!evil.destroyed) await once(evil, 'close');
      assert.ok(performance.now() - started < 5_000);
      good.destroy();
      await server.close();
      remove();
    });

  it('the service that is sent 20 MB without the end of a header ends, and says so', async () => {
    const child = spawn(process.execPath, ['--import', 'tsx', join(__dirname, '../../trainer/service.ts')]);
    let said = '';
    child.stderr.on('data', (text) => (said += String(text)));
    child.stdin.on('error', () => undefined);
    child.stdin.write(Buffer.alloc(20 * MB, 'x'));
    const [code] = (await once(child, 'exit')) as [number];
    assert.equal(code, 1);
    assert.match(said, /a message without an end of its header/);
  });
});
