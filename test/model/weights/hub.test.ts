import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { foundModels } from '../../../trainer/model/weights/foundModels';
import { downloadModel, type HubDownload } from '../../../trainer/model/weights/hub';
import { UserError } from '../../../trainer/protocol/result';
import { Hub, sha256, SHA } from '../../fixtures/hub';
import { makeTinyModel } from '../../fixtures/tinyModel';

describe('models from the hub', function () {
  this.timeout(60_000);
  const folder = mkdtempSync(join(tmpdir(), 'coach-hub-'));
  let hub: Hub;
  let environment: Record<string, string>;
  let model = '';
  before(() => {
    model = makeTinyModel('hub', join(folder, 'model'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));
  beforeEach(async () => {
    hub = await Hub.open('acme/tiny');
    hub.files = new Map(
      ['README.md', ...readdirSync(model)].map((name) => [
        name,
        name === 'README.md' ? Buffer.from('# Tiny') : readFileSync(join(model, name)),
      ]),
    );
    hub.files.set('pytorch_model.bin', Buffer.alloc(10_000, 1));
    environment = { HF_ENDPOINT: hub.url, HF_HUB_CACHE: mkdtempSync(join(folder, 'cache-')) };
  });
  afterEach(() => hub.close());

  const get = (
    name = 'acme/tiny',
    {
      signal = new AbortController().signal,
      onProgress = () => undefined as void,
      memoryBytes = 2 ** 34,
    }: Partial<Pick<HubDownload, 'signal' | 'onProgress' | 'memoryBytes'>> = {},
  ): Promise<string> => downloadModel({ model: name, environment, signal, onProgress, memoryBytes });
  const refused = (promise: Promise<unknown>, message: RegExp, hint?: RegExp): Promise<void> =>
    assert.rejects(
      promise,
      (e) => e instanceof UserError && message.test(e.message) && (hint === undefined || hint.test(e.hint ?? '')),
    );

  it("fetches what a model needs and nothing else, in the layout of the hub's own programs, so that it is found; the second time nothing", async () => {
    const progress: number[] = [];
    const path = await get('acme/tiny', { onProgress: (done, total) => void progress.push(done / total) });
    assert.equal(path, join(environment['HF_HUB_CACHE']!, 'models--acme--tiny/snapshots', SHA));
    for (const name of readdirSync(path)) assert.deepEqual(readFileSync(join(path, name)), hub.files.get(name), name);
    assert.ok(
      !existsSync(join(path, 'pytorch_model.bin')) &&
        !existsSync(join(path, 'README.md')) &&
        existsSync(join(path, 'model.safetensors')),
    );
    assert.equal(readFileSync(join(environment['HF_HUB_CACHE']!, 'models--acme--tiny/refs/main'), 'utf8'), SHA);
    assert.ok(progress.every((share, i) => share >= (progress[i - 1] ?? 0)) && progress.at(-1) === 1);
    assert.deepEqual(
      foundModels(environment, folder).map(({ name, from, path: at, problem }) => ({ name, from, at, problem })),
      [{ name: 'acme/tiny', from: 'Hugging Face', at: path, problem: null }],
    );
    hub.requests.length = 0;
    assert.equal(await get(), path);
    assert.ok(hub.requests.every((request) => request.startsWith('/api/')));
    // offline it is there, too, without a question
    hub.requests.length = 0;
    environment['HF_HUB_OFFLINE'] = '1';
    assert.equal(await get(), path);
    await refused(get('acme/other'), /acme\/other is not in the cache .* HF_HUB_OFFLINE forbids/);
    assert.deepEqual(hub.requests, []);
  });

  it('goes on where it was broken off, and throws away what is not what the hub lists', async () => {
    const weights = hub.files.get('model.safetensors')!;
    hub.breaksAt = { path: 'model.safetensors', bytes: 3_000 };
    await refused(get(), /model\.safetensors|can't be reached/);
    const blobs = join(environment['HF_HUB_CACHE']!, 'models--acme--tiny/blobs');
    const part = join(blobs, `${sha256(weights)}.incomplete`);
    assert.ok(statSync(part).size > 0 && statSync(part).size < weights.length);
    const have = statSync(part).size;
    hub.requests.length = 0;
    const path = await get();
    assert.deepEqual(readFileSync(join(path, 'model.safetensors')), weights);
    assert.ok(
      hub.requests.some((request) => request.includes(`model.safetensors bytes=${have}-`)),
      hub.requests.join('\n'),
    );

    rmSync(environment['HF_HUB_CACHE']!, { recursive: true });
    hub.forged.set('model.safetensors', Buffer.from(weights.map((byte, i) => (i === 99 ? byte ^ 1 : byte))));
    await refused(get(), /model\.safetensors: its checksum is [0-9a-f]{64}, the hub says/, /again/);
    assert.ok(!existsSync(part) && !existsSync(part.replace('.incomplete', '')));
    hub.forged.clear();
    await get();
  });

  it("refuses what we can't train before its weights are fetched", async () => {
    hub.files.set(
      'config.json',
      Buffer.from(
        JSON.stringify({
          ...(JSON.parse(hub.files.get('config.json')!.toString()) as object),
          architectures: ['MambaForCausalLM'],
          model_type: 'mamba',
        }),
      ),
    );
    await refused(get(), /model_type: .*llama.*qwen3.*got "mamba"/);
    assert.ok(hub.requests.every((request) => !request.includes('model.safetensors')));
  });

  it("refuses what this machine's memory can't hold before its weights are fetched", async () => {
    await refused(get('acme/tiny', { memoryBytes: 1000 }), /^acme\/tiny: its weights take at least/, /smaller model/);
    assert.ok(hub.requests.every((request) => !request.includes('model.safetensors')));
  });

  it('takes one GGUF, or the one that is named', async () => {
    for (const name of hub.files.keys()) if (name !== 'README.md') hub.files.delete(name);
    await refused(get(), /neither safetensors nor GGUF, but no weights/);
    hub.files.set('a.Q4_0.gguf', Buffer.from('GGUF but not really')).set('b.Q8_0.gguf', Buffer.from('GGUF neither'));
    await refused(get(), /has 2 GGUF files/, /acme\/tiny\/b\.Q8_0\.gguf, acme\/tiny\/a\.Q4_0\.gguf/);
    await refused(get('acme/tiny/c.gguf'), /has no c\.gguf/);
    await refused(get('acme/tiny/b.Q8_0.gguf'), /GGUF/); // fetched, and no model
    assert.ok(hub.requests.every((request) => !request.includes('a.Q4_0')));
  });

  it('says what is wrong: names, tokens, absent ones, no network, a cancel', async () => {
    for (const name of ['tiny', '../x/y', 'a/b/c', 'a b/c']) await refused(get(name), /is OWNER\/NAME/);
    await refused(get('acme/other'), /the hub has no acme\/other/);
    hub.token = 'hf_secret';
    await refused(get(), /refuses acme\/tiny \(401\).*may need a token/, /HF_TOKEN/);
    environment['HF_TOKEN'] = 'hf_wrong';
    await assert.rejects(
      get(),
      (e: Error) => /the token may not read it/.test(e.message) && !e.message.includes('hf_wrong'),
    );
    environment['HF_TOKEN'] = 'hf_secret';
    await get();
    const controller = new AbortController();
    rmSync(environment['HF_HUB_CACHE']!, { recursive: true });
    await refused(
      get('acme/tiny', { signal: controller.signal, onProgress: () => controller.abort() }),
      /was cancelled/,
      /goes on/,
    );
    const blocked = join(environment['HF_HUB_CACHE']!, 'models--acme--tiny/blobs');
    rmSync(environment['HF_HUB_CACHE']!, { recursive: true });
    // a folder in the file's place
    mkdirSync(join(blocked, `${sha256(hub.files.get('model.safetensors')!)}.incomplete`), { recursive: true });
    await refused(get(), /acme\/tiny can't be kept: E/, /HF_HOME/);
    hub.close();
    await refused(get(), /127\.0\.0\.1:\d+ can't be reached for acme\/tiny: (ECONNREFUSED|UND_ERR_SOCKET)/);
  });
});
