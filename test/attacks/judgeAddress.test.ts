/** An address in a run folder, or in a workspace's settings, must not draw the user's key to it. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { judgeSecrets, originOf } from '../../extension/models/judgeOrigins';
import { judgeSettings } from '../../trainer/rewards/judge/settings';
import { coach, makeWorkspace, quick } from '../app/cli/coach';
import { tempFolder } from '../store/runs/sample';

const KEY = 'sk-of-the-user-0815';

/** A server that keeps what it is sent. */
async function thief(): Promise<{ url: string; heard: string[]; server: Server }> {
  const heard: string[] = [];
  const server = createServer((request, response) => {
    heard.push(String(request.headers.authorization));
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ object: 'list', data: [{ id: 'm' }] }));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, heard, server };
}

describe("attacks: the judge's address", function () {
  this.timeout(120_000);
  const { dir, remove } = tempFolder('coach-attack-judge-');
  const servers: Server[] = [];
  const open = async () => {
    const one = await thief();
    servers.push(one.server);
    return one;
  };
  before(() => makeWorkspace(dir));
  after(() => {
    for (const server of servers) {
      server.close();
      server.closeAllConnections();
    }
    remove();
  });
  const train = ['train', 'tools.ts', ...quick, '--reward', 'judge'];

  async function stoppedRun(judgeUrl: string): Promise<string> {
    const { stderr } = await coach(dir, [...train, '--set', `judgeUrl=${judgeUrl}`, '--set', 'judgeModel=m'], {
      environment: {},
      stopAt: /step 1\//,
    });
    return basename(/Go on with: coach train --resume (.*)/.exec(stderr)![1]);
  }

  /** A run that was stopped, then written anew by somebody else. */
  async function strangersRun(judgeUrl: string): Promise<string> {
    const id = await stoppedRun((await open()).url);
    const file = join(dir, '.coach/runs', id, 'run.json');
    const manifest = JSON.parse(readFileSync(file, 'utf8'));
    manifest.config.judgeUrl = judgeUrl;
    writeFileSync(file, JSON.stringify(manifest));
    return id;
  }

  it('of a run folder gets no key at resume: nothing is sent at all, and the way out is said', async () => {
    const { url, heard } = await open();
    const id = await strangersRun(url);
    const { code, stderr } = await coach(dir, ['train', '--resume', id], { environment: { COACH_JUDGE_KEY: KEY } });
    assert.deepEqual(heard, []);
    assert.equal(code, 2, stderr);
    assert.match(stderr, new RegExp(`key was given without an address.*${new URL(url).origin}.*not sent there`));
    assert.match(stderr, /set COACH_JUDGE_URL to/);
    assert.ok(!stderr.includes(KEY));
  });

  it('of a run folder gets no key that was given for another server', async () => {
    const [{ url, heard }, own] = [await open(), await open()];
    const id = await strangersRun(url);
    const { code, stderr } = await coach(dir, ['train', '--resume', id], {
      environment: { COACH_JUDGE_KEY: KEY, COACH_JUDGE_URL: own.url },
    });
    assert.deepEqual([code, heard, own.heard], [2, [], []], stderr);
    assert.match(stderr, new RegExp(`given for ${new URL(own.url).origin}`));
  });

  it('of a run folder that the user names, too, gets it; and one without a key in the environment is asked without', async () => {
    const { url, heard } = await open();
    const id = await stoppedRun(url);
    heard.length = 0;
    await coach(dir, ['train', '--resume', id], { environment: {}, stopAt: /step \d\// });
    assert.ok(heard.length > 0 && heard.every((header) => !header.includes(KEY)), heard.join());
    heard.length = 0;
    const { code, stderr } = await coach(dir, ['train', '--resume', id], {
      environment: { COACH_JUDGE_KEY: KEY, COACH_JUDGE_URL: `${new URL(url).origin}/other` },
    });
    assert.equal(code, 0, stderr);
    assert.ok(heard.includes(`Bearer ${KEY}`));
  });

  it('of this command line gets it', async () => {
    const { url, heard } = await open();
    const { stderr } = await coach(dir, [...train, '--set', `judgeUrl=${url}`, '--set', 'judgeModel=m'], {
      environment: { COACH_JUDGE_KEY: KEY },
    });
    assert.ok(heard.includes(`Bearer ${KEY}`), stderr);
  });

  it('that differs in port, scheme or host is another server; a path is not', () => {
    const key = (baseUrl: string) => () =>
      judgeSettings({ baseUrl, model: 'm' }, { COACH_JUDGE_KEY: KEY, COACH_JUDGE_URL: 'https://judge.example/v1' })
        .apiKey;
    assert.equal(key('https://judge.example/v2')(), KEY);
    for (const other of [
      'http://judge.example/v1',
      'https://judge.example:8443/v1',
      'https://judge.example.evil.net/v1',
      'https://evil.net/judge.example',
    ])
      assert.throws(key(other), /not sent there/, other);
  });

  describe('in the editor', () => {
    const kept = (entries: Record<string, string>) => ({
      get: async (name: string) => entries[name],
      store: async (name: string, value: string) => void (entries[name] = value),
    });
    const SECRET = { 'agentCoach.judge.apiKey': KEY, 'agentCoach.judge.origins': '["https://judge.example"]' };
    const asked: string[] = [];
    const ask = (choice: 'send' | 'without' | 'cancel') => async (origin: string) => {
      asked.push(origin);
      return choice;
    };
    beforeEach(() => void (asked.length = 0));

    it('a stored key goes, unasked, to the server that was shown when it was entered', async () => {
      const sent = await judgeSecrets({
        secrets: kept({ ...SECRET }),
        address: 'https://judge.example/v1',
        ask: ask('cancel'),
        environment: {},
      });
      assert.deepEqual([sent, asked], [{ COACH_JUDGE_KEY: KEY, COACH_JUDGE_KEY_ORIGIN: 'https://judge.example' }, []]);
    });

    it('any other server is asked about: no start, no key, or the key, which is remembered', async () => {
      const address = 'https://evil.net/v1';
      const entries = { ...SECRET };
      assert.equal(await judgeSecrets({ secrets: kept(entries), address, ask: ask('cancel'), environment: {} }), null);
      assert.deepEqual(
        await judgeSecrets({ secrets: kept(entries), address, ask: ask('without'), environment: {} }),
        {},
      );
      assert.deepEqual(await judgeSecrets({ secrets: kept(entries), address, ask: ask('send'), environment: {} }), {
        COACH_JUDGE_KEY: KEY,
        COACH_JUDGE_KEY_ORIGIN: 'https://evil.net',
      });
      assert.equal(asked.length, 3);
      await judgeSecrets({ secrets: kept(entries), address, ask: ask('cancel'), environment: {} });
      assert.equal(asked.length, 3, 'remembered');
    });

    it("a key of the editor's environment goes to that environment's address alone, and a yes is for this once", async () => {
      const environment = { COACH_JUDGE_KEY: KEY, COACH_JUDGE_URL: 'http://127.0.0.1:1/v1' };
      assert.deepEqual(await judgeSecrets({ secrets: kept({}), address: undefined, ask: ask('cancel'), environment }), {
        COACH_JUDGE_KEY: KEY,
        COACH_JUDGE_KEY_ORIGIN: 'http://127.0.0.1:1',
      });
      const entries = {};
      await judgeSecrets({ secrets: kept(entries), address: 'https://evil.net', ask: ask('send'), environment });
      assert.deepEqual([asked, entries], [['https://evil.net'], {}]);
    });

    it("the editor's own models and a model of this disk get no key", async () => {
      for (const address of ['vscode.lm', '/models/judge.gguf', 'file:///models/judge.gguf']) {
        assert.equal(originOf(address), null);
        assert.deepEqual(
          await judgeSecrets({ secrets: kept({ ...SECRET }), address, ask: ask('cancel'), environment: {} }),
          {},
        );
      }
    });
  });
});
