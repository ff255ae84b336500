/** A judge's server that sends too much, too slowly, or without an end. */
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { createGzip, gzipSync } from 'node:zlib';
import { memoryCache } from '../../trainer/rewards/judge/cache';
import { openJudge } from '../../trainer/rewards/judge/judge';
import { judgeSettings } from '../../trainer/rewards/judge/settings';
import { Episode } from '../../trainer/rewards/episode';
import { task } from '../tasks/fixtures';
import { trace } from '../rewards/fixtures';
import { judgeServer, type Answer, type JudgeServer } from '../rewards/judgeServer';

const head = (response: ServerResponse, headers: Record<string, string> = {}) =>
  response.writeHead(200, { 'content-type': 'application/json', ...headers });
const raw = (write: (response: ServerResponse) => void): Answer => ({ raw: write });

describe("attacks: the judge's reply", function () {
  this.timeout(60_000);
  const open: JudgeServer[] = [];
  afterEach(async () => {
    for (const server of open.splice(0)) await server.close();
  });

  async function ask(
    answer: Answer,
    timeoutMs = 20_000,
  ): Promise<{ score: number | null; error: string; ms: number; grownMb: number }> {
    const server = await judgeServer(() => answer);
    open.push(server);
    const judge = await openJudge({
      settings: judgeSettings({ baseUrl: server.url, model: 'm', timeoutMs, attempts: 1 }, {}),
      cache: memoryCache(),
      signal: new AbortController().signal,
      sleep: async () => undefined,
      now: Date.now,
    });
    const before = process.memoryUsage().rss;
    let peak = before;
    const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 20);
    const started = Date.now();
    const [{ score, error }] = await judge.judge(
      ['It is 9.', 'It is 3.'].map(
        (text, i) => new Episode(task('Count them.'), trace([{ text }], { id: `${i}` }), []),
      ),
      { mode: 'ranking', scores: 'relative', mayCallTools: false },
    );
    clearInterval(watch);
    return { score, error: String(error), ms: Date.now() - started, grownMb: (peak - before) / 2 ** 20 };
  }

  it('whose body never ends is given up after the time limit', async () => {
    const { score, error, ms } = await ask(
      raw((response) => head(response).write('{"choices": [')),
      400,
    );
    assert.equal(score, null);
    assert.match(error, /no answer in 400 ms/);
    assert.ok(ms < 5_000, `${ms} ms`);
  });

  it('whose body drips for ever is given up after the time limit', async () => {
    const { error, ms } = await ask(
      raw((response) => {
        head(response);
        const drip = setInterval(() => response.write(' '), 30);
        response.on('close', () => clearInterval(drip));
      }),
      400,
    );
    assert.match(error, /no answer in 400 ms/);
    assert.ok(ms < 5_000, `${ms} ms`);
  });

  it('of 600 MB is cut off, and never held', async () => {
    let sent = 0;
    const { error, grownMb } = await ask(
      raw((response) => {
        head(response);
        const block = Buffer.alloc(1 << 20, 0x20);
        const more = (): void => {
          while (sent < 600 && !response.destroyed) {
            sent++;
            if (!response.write(block)) return void response.once('drain', more);
          }
          response.end('{}');
        };
        more();
      }),
    );
    assert.match(error, /longer than 8 MiB/);
    assert.ok(sent < 100, `the server could send ${sent} MB`);
    assert.ok(grownMb < 200, `${grownMb} MB`);
  });

  it('of 300 MB in 300 kB of gzip is cut off: the bytes are counted as they come out', async () => {
    const bomb = await new Promise<Buffer>((done) => {
      const gzip = createGzip();
      const parts: Buffer[] = [];
      gzip.on('data', (part: Buffer) => parts.push(part)).on('end', () => done(Buffer.concat(parts)));
      const block = Buffer.alloc(1 << 20, 0x20);
      for (let i = 0; i < 300; i++) gzip.write(block);
      gzip.end('{}');
    });
    assert.ok(bomb.length < 1 << 20);
    const { error, grownMb } = await ask(raw((response) => head(response, { 'content-encoding': 'gzip' }).end(bomb)));
    assert.match(error, /longer than 8 MiB/);
    assert.ok(grownMb < 200, `${grownMb} MB`);
  });

  it('in gzip that is a verdict is read as ever', async () => {
    const server = await judgeServer(({ attempts }) =>
      raw((response) => {
        const content = JSON.stringify({
          attempts: attempts.map(({ id, text }) => ({ id, reason: 'r', score: Number(/\d/.exec(text)![0]) / 9 })),
        });
        head(response, { 'content-encoding': 'gzip' }).end(
          gzipSync(JSON.stringify({ choices: [{ finish_reason: 'stop', message: { role: 'assistant', content } }] })),
        );
      }),
    );
    open.push(server);
    const judge = await openJudge({
      settings: judgeSettings({ baseUrl: server.url, model: 'm' }, {}),
      cache: memoryCache(),
      signal: new AbortController().signal,
      sleep: async () => undefined,
      now: Date.now,
    });
    const judged = await judge.judge(
      ['It is 9.', 'It is 3.'].map(
        (text, i) => new Episode(task('Count them.'), trace([{ text }], { id: `${i}` }), []),
      ),
      { mode: 'ranking', scores: 'relative', mayCallTools: false },
    );
    assert.deepEqual(
      judged.map(({ score }) => score),
      [1, 1 / 3],
    );
  });

  it('of the list of models without an end stops a run before it begins, with one message', async () => {
    const { createServer } = await import('node:http');
    const server = createServer((_, response) => void head(response).write('{"data": ['));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as import('node:net').AddressInfo;
    const judge = await openJudge({
      settings: judgeSettings({ baseUrl: `http://127.0.0.1:${port}/v1`, model: 'm', timeoutMs: 400 }, {}),
      cache: memoryCache(),
      signal: new AbortController().signal,
      sleep: async () => undefined,
      now: Date.now,
    });
    await assert.rejects(judge.check(), /can't be reached: no answer in 400 ms/);
    server.close();
    server.closeAllConnections();
  });
});
