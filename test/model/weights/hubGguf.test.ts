import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { downloadModel } from '../../../trainer/model/weights/hub';
import { UserError } from '../../../trainer/protocol/result';
import { ggufBytes, type TensorBytes, type Value } from '../../fixtures/ggufFile';
import { Hub } from '../../fixtures/hub';

const MB = 1 << 20;
const TOKENS = ['a', 'b', 'ab', '<end>'];
/** What comes before the tensors of a model that we can train. */
const METADATA: Record<string, Value> = {
  'general.architecture': { text: 'llama' },
  'llama.block_count': { u32: 1 },
  'llama.embedding_length': { u32: 32 },
  'llama.feed_forward_length': { u32: 48 },
  'llama.attention.head_count': { u32: 4 },
  'llama.attention.head_count_kv': { u32: 2 },
  'llama.context_length': { u32: 64 },
  'llama.attention.layer_norm_rms_epsilon': { f32: 1e-5 },
  'tokenizer.ggml.model': { text: 'gpt2' },
  'tokenizer.ggml.pre': { text: 'gpt-2' },
  'tokenizer.ggml.tokens': { texts: TOKENS },
  'tokenizer.ggml.merges': { texts: ['a b'] },
  'tokenizer.ggml.eos_token_id': { u32: 3 },
  'tokenizer.chat_template': { text: '{{ messages }}' },
};
const EMBEDDING = { type: 0, shape: [TOKENS.length, 32], bytes: new Uint8Array(TOKENS.length * 32 * 4) };
/** 12 MB of weights, so that a start of 2 MB is not all. */
const WEIGHTS = { type: 0, shape: [3 * MB], bytes: new Uint8Array(12 * MB) };
const model = (change: Record<string, Value> = {}, tensors: Record<string, TensorBytes> = {}): Buffer =>
  ggufBytes({ ...METADATA, ...change }, { 'token_embd.weight': EMBEDDING, 'blk.0.attn_q.weight': WEIGHTS, ...tensors });

describe('a GGUF of the hub: what comes before its tensors is read first', function () {
  this.timeout(60_000);
  const folder = mkdtempSync(join(tmpdir(), 'coach-hub-gguf-'));
  let hub: Hub;
  let cache = '';
  after(() => rmSync(folder, { recursive: true, force: true }));
  beforeEach(async () => {
    hub = await Hub.open('acme/tiny');
    cache = mkdtempSync(join(folder, 'cache-'));
  });
  afterEach(() => hub.close());

  const get = (
    onProgress = (_done: number, _total: number): void => undefined,
    memoryBytes = 2 ** 34,
  ): Promise<string> =>
    downloadModel({
      memoryBytes,
      model: 'acme/tiny/m.gguf',
      environment: { HF_ENDPOINT: hub.url, HF_HUB_CACHE: cache },
      signal: new AbortController().signal,
      onProgress,
    });
  /** First and last byte of each part that was asked for, but for the one byte by which the library learns the size. */
  const ranges = (): number[][] =>
    hub.requests.flatMap((request) => {
      const [, first, last] = /m\.gguf bytes=(\d+)-(\d+)$/.exec(request) ?? [];
      return first === undefined || last === '0' ? [] : [[Number(first), Number(last)]];
    });
  const blobs = (): string[] => readdirSync(join(cache, 'models--acme--tiny/blobs'));

  const cases: [string, Buffer, RegExp][] = [
    [
      'an architecture that we do not have',
      model({ 'general.architecture': { text: 'mamba' } }),
      /^m\.gguf: architecture must be one of llama, qwen2, qwen3, got mamba$/,
    ],
    [
      'a quantisation that is not read',
      model({}, { 'blk.0.ffn_up.weight': { type: 10, shape: [256], bytes: new Uint8Array(84) } }),
      /^m\.gguf: tensor blk\.0\.ffn_up\.weight has the quantisation Q2_K, read are F32, /,
    ],
    [
      'a tokenizer that we do not have',
      model({ 'tokenizer.ggml.pre': { text: 'tekken' } }),
      /^m\.gguf: tokenizer\.ggml\.pre must be one of .*, got tekken$/,
    ],
    ['a part of a split model', model({ 'split.count': { u32: 3 } }), /^m\.gguf: is one of 3 parts of a model$/],
    [
      'counts that lie',
      Buffer.concat([Buffer.from('GGUF\x03\0\0\0'), Buffer.alloc(8), Buffer.alloc(8, 0x10), Buffer.alloc(12 * MB)]),
      /^m\.gguf: a count at byte 16 is \d+$/,
    ],
  ];
  for (const [name, bytes, message] of cases) {
    it(`${name}: refused after 2 MB of ${Math.round(bytes.length / MB)}, and nothing of it is kept`, async () => {
      hub.files.set('m.gguf', bytes);
      await assert.rejects(get(), (e) => e instanceof UserError && message.test(e.message));
      assert.deepEqual(ranges(), [[0, 2 * MB - 1]]);
      assert.equal(hub.sent.get('m.gguf'), 2 * MB + 1, 'and the one byte by which the library learns the size');
      assert.deepEqual(blobs(), []);
    });
  }

  it('more weights than the machine has memory, even in 4 bits: refused after its start', async () => {
    hub.files.set('m.gguf', model({ 'llama.block_count': { u32: 1000 } }));
    // a number packed in 4 bits takes 3/4 bytes, in 8 bits 5/4: 32 x 32 (twice), 32 x 16 (twice) and 32 x 48 (three
    // times) are packed in 4, and two norms of 32 in no way; before them 4 x 32 in 8, behind them a norm
    const layer = (3 * (2 * 32 * 32 + 2 * 32 * 16 + 3 * 32 * 48)) / 4 + 4 * 2 * 32;
    const least = (5 * 4 * 32) / 4 + 1000 * layer + 4 * 32;
    await assert.rejects(
      get(undefined, least - 1e6),
      (e) =>
        e instanceof UserError &&
        e.message === 'm.gguf: its weights take at least 7 MB, this machine has 6 MB' &&
        /Take a smaller model/.test(e.hint ?? ''),
    );
    assert.deepEqual(ranges(), [[0, 2 * MB - 1]]);
    assert.equal(hub.sent.get('m.gguf'), 2 * MB + 1);
    assert.deepEqual(blobs(), []);
    await assert.rejects(get(undefined, least - 1), /its weights take at least/);
    await get(undefined, least);
  });

  describe('of a server that knows no ranges, and sends the whole file each time', () => {
    /** What sockets hold on their way, at most: 4 MB at the sender and 6 MB at the reader on Linux. */
    const ON_THE_WAY = 12 * MB;
    const big = { 'blk.0.attn_q.weight': { type: 0, shape: [16 * MB], bytes: new Uint8Array(64 * MB) } };
    beforeEach(() => {
      hub.ignoresRange = true;
    });

    it('what we do not have is refused after its start, and the rest is not sent', async () => {
      hub.files.set('m.gguf', model({ 'general.architecture': { text: 'mamba' } }, big));
      await assert.rejects(get(), /^UserError: m\.gguf: architecture must be one of .*, got mamba$/);
      const sent = hub.sent.get('m.gguf')!;
      assert.ok(sent < 2 * MB + 2 * ON_THE_WAY, `${sent} bytes were sent`); // two requests: its size, its start
      for (let waited = 0; hub.open > 0 && waited < 5_000; waited += 50) await setTimeout(50);
      assert.equal(hub.open, 0, 'connections are let go');
      assert.deepEqual(blobs(), []);
    });

    it('what we have is fetched to the byte, also where it was broken off', async () => {
      const bytes = model();
      hub.files.set('m.gguf', bytes);
      hub.breaksAt = { path: 'm.gguf', bytes: 4 * MB };
      hub.ignoresRange = false;
      await assert.rejects(get(), UserError);
      assert.match(blobs().join(), /\.incomplete$/);
      hub.ignoresRange = true;
      assert.ok(readFileSync(await get()).equals(bytes));
      rmSync(join(cache, 'models--acme--tiny'), { recursive: true });
      assert.ok(readFileSync(await get()).equals(bytes));
    });
  });

  it('a start that is longer than any: refused after at most 64 MB', async () => {
    const texts = Array.from({ length: 5 }, () => 'x'.repeat(15 * MB));
    hub.files.set('m.gguf', model({ 'a.list': { texts } }));
    await assert.rejects(
      get(),
      /^UserError: m\.gguf: what comes before its tensors must be at most 67108864 bytes, got \d+ or more$/,
    );
    assert.ok(ranges().at(-1)![1]! < 64 * MB, ranges().join(' '));
    assert.deepEqual(blobs(), []);
  });

  it('one that we can train: no byte is fetched twice, also where its start is long', async () => {
    const bytes = model({ 'general.description': { text: 'x'.repeat(5 * MB) } });
    hub.files.set('m.gguf', bytes);
    const progress: number[] = [];
    const path = await get((done) => void progress.push(done));
    assert.ok(readFileSync(path).equals(bytes));
    const asked = ranges();
    assert.ok(asked.length >= 3, asked.join(' '));
    assert.deepEqual(
      asked.map(([first]) => first),
      [0, ...asked.slice(0, -1).map(([, last]) => last! + 1)],
    );
    assert.ok(asked[1]![1]! < 6 * MB, 'not more than its start needs, and as much again at most');
    assert.equal(asked.at(-1)![1], bytes.length - 1);
    assert.ok(progress.every((done, i) => done >= (progress[i - 1] ?? 0)) && progress.at(-1) === bytes.length);
  });

  it('broken off among its weights it goes on there', async () => {
    hub.files.set('m.gguf', model());
    hub.breaksAt = { path: 'm.gguf', bytes: 4 * MB };
    await assert.rejects(get(), UserError);
    const [part] = blobs();
    assert.match(part!, /\.incomplete$/);
    const have = readFileSync(join(cache, 'models--acme--tiny/blobs', part!)).length;
    assert.ok(have >= 2 * MB);
    hub.requests.length = 0;
    assert.ok(readFileSync(await get()).equals(hub.files.get('m.gguf')!));
    assert.deepEqual(ranges(), [[have, hub.files.get('m.gguf')!.length - 1]]);
  });
});
