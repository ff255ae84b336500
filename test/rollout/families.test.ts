import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { ToolSchema } from '../../trainer/protocol/task';
import type { ToolResult } from '../../trainer/protocol/trace';
import { Random } from '../../trainer/base/random';
import { rollOut } from '../../trainer/rollout/group';
import type { LaneBatch } from '../../trainer/rollout/policy/scheduler';
import { parserOf } from '../../trainer/rollout/parser';
import { readEvents, readTrace, traceSummaries } from '../../trainer/store/runs/readRun';
import { ChatTemplate } from '../../trainer/model/tokenizer/chatTemplate';
import { endIds } from '../../trainer/model/tokenizer/endIds';
import { Tokenizer } from '../../trainer/model/tokenizer/tokenizer';
import { bundledTrainer } from '../fixtures/bundledTrainer';
import { episodeOptions, fakeLanes, fakePolicy } from '../fixtures/episodes';
import { writeCrates } from '../fixtures/crates';
import { FAMILIES, makeFamilyModel, type Family } from '../fixtures/tinyModel';

const root = resolve(__dirname, '../..');
const tool = {
  name: 'weigh',
  description: 'Weigh a crate.',
  parameters: { type: 'object', required: ['label'], properties: { label: { type: 'string' } } },
} as unknown as ToolSchema;
const result = (content: string): ToolResult => ({ kind: 'ok', content, policy: 'real', startedAt: 0, durationMs: 0 });

/** A lane that goes this way: behind the first n ids, logits of 9 for the next one and 0 for all others. */
const scripted = (way: readonly number[], vocabSize: number): (() => LaneBatch) =>
  fakeLanes((read) => Float32Array.from({ length: vocabSize }, (_, id) => (id === way[read] ? 9 : 0)));

describe('token in, token out, with the templates of real models', () => {
  const call: Record<Family, string> = {
    qwen2_5: '<tool_call>\n{"name": "weigh", "arguments": {"label": "k1"}}\n</tool_call>',
    qwen3: '<tool_call>\n{"name": "weigh", "arguments": {"label": "k1"}}\n</tool_call>',
    llama3_2: '{"name": "weigh", "parameters": {"label": "k1"}}',
    smollm2: '<tool_call>{"name": "weigh", "arguments": {"label": "k1"}}</tool_call>',
  };
  for (const family of Object.keys(FAMILIES) as Family[]) {
    it(`${family}: what was sampled is kept id by id; only results are tokenised`, async () => {
      const folder = makeFamilyModel(family);
      try {
        const [tokenizer, template] = [Tokenizer.load(folder), ChatTemplate.load(folder)];
        const ends = endIds(folder, tokenizer, [], template.format.end).ids;
        const end = tokenizer.encode(template.format.end)[0];
        // letter by letter, as no tokenizer would write it; marks that are tokens stay whole
        const letters = (text: string): number[] =>
          (text.match(/<\/?tool_call>|[^]/g) ?? []).flatMap((piece) => tokenizer.encode(piece));
        const turns = [
          [...letters(call[family]), end],
          [...letters('It weighs 2.'), end],
        ];
        assert.ok(letters(call[family]).length > tokenizer.encode(call[family]).length);
        const vocabSize = tokenizer.vocabSize + 8;
        const prompt = tokenizer.encode(template.render([{ role: 'user', content: 'Weigh k1' }], [tool], true));
        const between = tokenizer.encode(
          template.continuation([{ role: 'tool', name: 'weigh', tool_call_id: 'a-0-0', content: '{"kg": 2}' }], [tool]),
        );
        const way = [...prompt, ...turns[0], ...between, ...turns[1]];
        const policy = fakePolicy(
          {
            tokenizer,
            template,
            parser: parserOf(template.format.calls),
            vocabSize,
            endIds: ends,
            openLanes: scripted(way, vocabSize),
          },
          family,
        );
        const called: unknown[] = [];
        const hosts = {
          open: () => ({
            call: async (...args: unknown[]) => (called.push(args.slice(0, 2)), result('{"kg": 2}')),
            close: () => undefined,
          }),
        };
        const task = { id: 't', prompt: 'Weigh k1' };
        const [rollout] = await rollOut(
          [{ id: 'a', task, groupId: 'g', indexInGroup: 0, random: Random.fromSeed(0) }],
          episodeOptions(
            { tools: [tool], hosts },
            { policy, sampling: { temperature: 0, maxTurnTokens: 99, maxTokens: 2000 }, maxTurns: 3 },
          ),
        );
        const { trace } = rollout!;
        assert.deepEqual(called, [['weigh', { label: 'k1' }]]);
        assert.equal(trace.terminated, true);
        assert.equal(trace.messages.at(-1)!.content, 'It weighs 2.');
        const { ids, completionMask, writer, logprobs } = trace.tokens;
        assert.deepEqual(ids, way);
        assert.equal(
          writer,
          'p'.repeat(prompt.length) +
            's'.repeat(turns[0].length) +
            't'.repeat(between.length) +
            's'.repeat(turns[1].length),
        );
        assert.deepEqual(
          completionMask,
          [...writer].map((w) => (w === 's' ? 1 : 0)),
        );
        // softmax of one 9 among vocabSize - 1 zeros
        const expected = 9 - Math.log(Math.exp(9) + vocabSize - 1);
        logprobs.forEach((l, i) =>
          writer[i] === 's' ? assert.ok(Math.abs(l! - expected) < 1e-5) : assert.equal(l, null),
        );
        // read back as text, it is what the template itself writes (Qwen3's has no empty thought in earlier turns)
        const whole = template.render([...trace.messages], [tool], false).trimEnd();
        const bare = (text: string): string =>
          family === 'qwen3' ? text.replaceAll('<think>\n\n</think>\n\n', '') : text;
        assert.equal(bare(tokenizer.decode(ids, true)), bare(whole));
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
  }
});

describe('coach train with a model of another family', function () {
  this.timeout(600_000);
  const folder = mkdtempSync(join(tmpdir(), 'coach-families-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  before(() => {
    writeCrates(folder);
  });

  async function train(family: Family, more: object = {}): Promise<{ dir: string; code: number | null; said: string }> {
    const dir = join(folder, `run-${family}-${Object.keys(more).join()}`);
    const file = join(folder, `${family}.json`);
    writeFileSync(
      file,
      JSON.stringify({
        toolFile: join(folder, 'crates.ts'),
        model: makeFamilyModel(family, 'train', join(folder, family)),
        steps: 2,
        seed: 3,
        rewards: 'crumbs',
        engine: 'onnx',
        threads: 1,
        promptsPerStep: 1,
        groupSize: 2,
        heldOutTasks: 2,
        evalTasks: 2,
        evalEvery: 2,
        checkpointEvery: 2,
        maxTokens: 768,
        maxTurnTokens: 8,
        maxTurns: 2,
        learningRate: 0.01,
        warmupSteps: 0,
        loraRank: 2,
        loraAlpha: 4,
        loraTargets: ['q_proj', 'v_proj'],
        rehearsal: false,
        ...more, // a random model's replies don't end, and it would say that nothing can be learnt
      }),
    );
    const child = spawn(process.execPath, [bundledTrainer(), '--config', file, '--run-dir', dir], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (d: Buffer) => (said += d.toString()));
    return { dir, code: await new Promise((done) => child.on('close', done)), said };
  }

  for (const [family, note] of [
    ['qwen2_5', null],
    ['smollm2', /Coach's own form/],
  ] as const) {
    it(`${family}: two steps to the end; traces carry ids, masks and logprobs, and the run says how it is spoken to`, async () => {
      const { dir, code, said } = await train(family);
      assert.equal(code, 0, said);
      const { events } = readEvents(dir, 0);
      assert.equal(events.filter((e) => e.type === 'stepFinished').length, 2);
      assert.ok(events.some((e) => e.type === 'runFinished'));
      const notes = events.flatMap((e) => (e.type === 'noted' ? [e.message] : []));
      if (note)
        assert.ok(
          notes.some((n) => note.test(n)),
          notes.join('\n'),
        );
      else assert.ok(!notes.some((n) => /chat template/.test(n)), notes.join('\n'));
      // with nano's small vocabulary the other file's six tools are a longer prompt than maxTokens, so what was
      // forgotten there can't be measured
      assert.deepEqual(
        events.flatMap((e) => (e.type === 'evaluated' && e.name.startsWith('another file') ? [e.name] : [])),
        [],
      );
      assert.ok(
        notes.some((n) => /^not measured: another file's tasks/.test(n)),
        notes.join('\n'),
      );
      const tokenizer = Tokenizer.load(join(folder, family));
      const summaries = traceSummaries(dir).filter((t) => t.phase === 'train');
      assert.equal(summaries.length, 4);
      for (const summary of summaries) {
        const trace = readTrace(dir, summary);
        const { ids, logprobs, completionMask, writer } = trace.tokens;
        assert.equal(trace.constraint, 'none');
        assert.ok(
          ids.length === logprobs.length && ids.length === completionMask.length && ids.length === writer.length,
        );
        assert.ok(tokenizer.decode(ids, true).includes('Weigh crate k'));
        assert.ok(completionMask.some((m) => m === 1));
        completionMask.forEach((m, i) => assert.equal(typeof logprobs[i], m === 1 ? 'number' : 'object'));
      }
    });
  }

  it("llama3_2 held to the tools' schemas: its calls are whole, and what is trained is the distribution that was sampled", async () => {
    const { dir, code, said } = await train('llama3_2', {
      constraint: 'schema',
      maxTokens: 1536,
      maxTurnTokens: 96,
      temperature: 2,
    });
    assert.equal(code, 0, said);
    const traces = traceSummaries(dir).map((summary) => readTrace(dir, summary));
    assert.ok(traces.every((trace) => trace.constraint === 'schema'));
    const turns = traces.flatMap(({ turns }) => turns);
    const begun = turns.filter(({ text }) => text.startsWith('{'));
    assert.ok(
      begun.every(({ calls, text }) => calls.length === 1 || !/\|>$/.test(text)),
      begun.map(({ text }) => text).join('\n'),
    );
    const steps = readEvents(dir, 0).events.flatMap((e) => (e.type === 'stepFinished' ? [e.metrics] : []));
    for (const metrics of steps)
      assert.ok((metrics['sampling/sampling_logp_difference/max'] ?? 1) < 1e-3, JSON.stringify(metrics));
  });

  it('says before the first step that the tools leave no room', async () => {
    const { code, said } = await train('llama3_2', { maxTokens: 64 });
    assert.equal(code, 2, said);
    assert.match(said, /2 tools are a prompt of \d+ tokens for this model, maxTokens is 64/);
  });
});
