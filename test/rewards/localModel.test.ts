import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as tf from '@tensorflow/tfjs';
import { loadBaseModel } from '../../trainer/model/weights/baseModel';
import { openEngine, type Engine } from '../../trainer/model/engine/engine';
import { Decoder } from '../../trainer/model/decoding/decoder';
import { DecoderGraphs } from '../../trainer/model/decoding/decoderGraphs';
import { Episode } from '../../trainer/rewards/episode';
import { memoryCache, type JudgeCache } from '../../trainer/rewards/judge/cache';
import { openJudge, PROMPT_HASH, type Judge } from '../../trainer/rewards/judge/judge';
import { checkLocalModel, localModelPath } from '../../trainer/rewards/judge/localModel';
import { judgeSettings, type JudgeSettings } from '../../trainer/rewards/judge/settings';
import { realDependencies } from '../../trainer/app/dependencies';
import { coach } from '../app/cli/coach';
import { makeFamilyModel } from '../fixtures/tinyModel';
import { isUserError, task } from '../tasks/fixtures';
import { trace } from './fixtures';
import { crateWorkspace, metricsOf, notesOf, small, trainHere, trainTraces, verdictsOf } from './judgeRun';

const RANKING = { mode: 'ranking', scores: 'relative', mayCallTools: false } as const;
const TEXTS = ['It is 9.', 'It is 0.', 'I asked nobody, and it is 3.'];
const replies = (...texts: string[]) =>
  texts.map((text, i) => new Episode(task('Count them.'), trace([{ text }], { id: `${i}` }), []));

describe('a judge from this disk', function () {
  this.timeout(120_000);
  const home = mkdtempSync(join(tmpdir(), 'coach-local-judge-'));
  const folder = makeFamilyModel('qwen2_5', 'judge', join(home, 'tinyJudge'));
  let engine: Engine;
  before(async () => {
    engine = await openEngine({ engine: 'onnx', threads: 1 });
  });
  after(() => {
    engine.dispose();
    rmSync(home, { recursive: true, force: true });
  });
  const judgeOf = (
    more: Partial<JudgeSettings> = {},
    cache: JudgeCache = memoryCache(),
    signal = new AbortController().signal,
  ): Promise<Judge> => openJudge({ settings: judgeSettings({ baseUrl: folder, ...more }, {}), engine, cache, signal });

  it('a model that knows nothing still gives a whole ranking, both orders, the same each time; nothing is left in memory', async () => {
    const before = tf.memory().numTensors;
    const seen: string[][] = [];
    for (const mode of ['listwise', 'listwise', 'pairwise'] as const) {
      const raw: string[] = [];
      const judge = await openJudge({
        settings: judgeSettings({ baseUrl: folder, mode }, {}),
        engine,
        signal: new AbortController().signal,
        onVerdict: (verdict) => raw.push(...(verdict.votes ?? [verdict]).map(({ rawReply }) => rawReply)),
      });
      assert.deepEqual(judge.identity, {
        model: 'tinyJudge',
        baseUrl: folder,
        prompt: 'ranking 2, checklist 2, rubric 2',
        promptHash: '1dbf2c97e8bf2c79',
      });
      const judged = await judge.judge(replies(...TEXTS), RANKING);
      for (const { score, error, usage } of judged) {
        assert.ok(score !== null && score >= 0 && score <= 1, error);
        assert.ok(usage!.promptTokens > 50 && usage!.completionTokens > 10 && usage!.usd === 0);
      }
      // both orders of one question, or of each of three pairs
      assert.deepEqual(
        [judge.counts.judged, judge.counts.notJudged, judge.counts.requests, judge.counts.retries, judge.counts.usd],
        [3, 0, mode === 'listwise' ? 2 : 6, 0, 0],
      );
      assert.ok(
        Math.abs(judged.reduce((sum, { usage }) => sum + usage!.completionTokens, 0) - judge.counts.completionTokens) <
          1e-6,
      );
      seen.push(raw);
      judge.close();
      judge.close();
    }
    assert.equal(tf.memory().numTensors, before);
    assert.deepEqual(seen[0], seen[1]);
    const attempts = seen[0].map(
      (text) => (JSON.parse(text) as { attempts: { id: string; reason: string; score: number }[] }).attempts,
    );
    assert.deepEqual(
      attempts.map((list) => list.map(({ id }) => id).sort()),
      [
        ['A', 'B', 'C'],
        ['A', 'B', 'C'],
      ],
    );
    assert.ok(attempts.flat().every(({ reason, score }) => typeof reason === 'string' && score >= 0 && score <= 1));
    assert.equal(PROMPT_HASH, '1dbf2c97e8bf2c79');
  });

  it('checklist and rubric: every criterion once, marks in range; the cache answers a second time', async () => {
    const cache = memoryCache();
    const criteriaOf = () => [
      { id: 'c1', text: 'is short', weight: 1 },
      { id: 'c2', text: 'is right', weight: 2 },
    ];
    for (const mode of ['checklist', 'rubric'] as const) {
      const judge = await judgeOf({}, cache);
      const judged = await judge.judge(replies(...TEXTS), { mode, criteriaOf });
      for (const { score, parts } of judged)
        assert.ok(
          score !== null &&
            Object.keys(parts!).join() === 'c1,c2' &&
            Object.values(parts!).every((part) => part! >= 0 && part! <= 1),
        );
      assert.deepEqual(
        (await judge.judge(replies(...TEXTS), { mode, criteriaOf })).map(({ score }) => score),
        judged.map(({ score }) => score),
      );
      assert.deepEqual([judge.counts.requests, judge.counts.cacheHits], [3, 3]);
      judge.close();
    }
  });

  it('beside a rollout on the same engine each writes what it writes alone', async () => {
    const base = loadBaseModel(makeFamilyModel('qwen3', 'athlete', join(home, 'athlete')), 256);
    const graphs = new DecoderGraphs(engine, base.model);
    const best = (row: Float32Array): number => row.reduce((top, value, id) => (value > row[top] ? id : top), 0);
    const write = async (): Promise<number[]> => {
      const decoder = new Decoder(graphs);
      const ids: number[] = [];
      for (
        let [logits] = await decoder.start([[5, 6, 7]]);
        ids.length < 60;
        [logits] = await decoder.step([{ lane: 0, ids: ids.slice(-1) }])
      ) {
        ids.push(best(logits));
        await new Promise((resolve) => setImmediate(resolve));
      }
      decoder.close();
      return ids;
    };
    const judge = async (): Promise<string> => {
      const texts: string[] = [];
      const one = await openJudge({
        settings: judgeSettings({ baseUrl: folder }, {}),
        engine,
        signal: new AbortController().signal,
        onVerdict: ({ votes }) => texts.push(...votes!.map(({ rawReply }) => rawReply)),
      });
      await one.judge(replies(...TEXTS), RANKING);
      one.close();
      return texts.join();
    };
    const [rollout, verdict] = [await write(), await judge()];
    assert.deepEqual(await Promise.all([write(), judge(), write()]), [rollout, verdict, rollout]);
    base.dispose();
  });

  it('limits: of tokens, of the reply, of time, of what it can do; a stop stops it', async () => {
    const errorOf = async (
      more: Partial<JudgeSettings>,
      options: Parameters<Judge['judge']>[1] = RANKING,
    ): Promise<string> => {
      const judge = await judgeOf(more);
      const [{ score, error }] = await judge.judge(replies(...TEXTS), options);
      judge.close();
      assert.equal(score, null);
      return error!;
    };
    assert.match(
      await errorOf({ replyTokens: 20 }),
      /judgeReplyTokens must be \d+ or more for 3 verdicts of this judge, got 20/,
    );
    assert.match(await errorOf({ timeoutMs: 1 }), /no reply in 1 ms/);
    const open = await openJudge({
      settings: judgeSettings({ baseUrl: folder }, {}),
      engine,
      signal: new AbortController().signal,
      tools: {
        schemas: [
          {
            name: 'look',
            description: '',
            parameters: {},
            returns: null,
            changesWorld: false,
            file: 'x.ts',
            line: 1,
            kind: 'function',
          } as never,
        ],
        call: async () => '',
      },
    });
    assert.match((await open.judge(replies(...TEXTS), { ...RANKING, mayCallTools: true }))[0].error!, /calls no tools/);
    open.close();
    const spent = await judgeOf({ budgetTokens: 1 });
    await spent.judge(replies(...TEXTS), RANKING);
    assert.match((await spent.judge(replies('a', 'b'), RANKING))[0].error!, /budget is spent/);
    spent.close();
    const stop = new AbortController();
    const judge = await judgeOf({}, memoryCache(), stop.signal);
    setTimeout(() => stop.abort(), 20);
    await assert.rejects(judge.judge(replies(...TEXTS), RANKING), { name: 'AbortError' });
    judge.close();
    // just what the message asks for is enough for a whole reply
    const least = Number(/must be (\d+)/.exec(await errorOf({ replyTokens: 20 }))![1]);
    const short = await judgeOf({ replyTokens: least });
    assert.ok((await short.judge(replies(...TEXTS), RANKING)).every(({ score }) => score !== null));
    assert.ok(short.counts.completionTokens <= 2 * least, `${short.counts.completionTokens} of ${2 * least}`);
    short.close();
  });

  it('a path or a file: URL names it, in one of the settings; what is none is said before there is a run', async () => {
    assert.deepEqual(
      [
        localModelPath(folder),
        localModelPath(pathToFileURL(folder).href),
        localModelPath('http://127.0.0.1:1/v1'),
        localModelPath('vscode.lm'),
        localModelPath('model.gguf'),
      ],
      [folder, folder, null, null, null],
    );
    const settings = judgeSettings(
      { concurrency: 9, apiKey: 'sk' },
      { COACH_JUDGE_URL: `${pathToFileURL(folder).href}/`, COACH_JUDGE_MODEL: 'gpt' },
    );
    assert.deepEqual(
      [settings.baseUrl, settings.modelPath, settings.model, settings.concurrency, settings.attempts, settings.apiKey],
      [folder, folder, 'tinyJudge', 1, 1, null],
    );
    const broken = (name: string, change: (path: string) => void): string => {
      const path = join(home, name);
      cpSync(folder, path, { recursive: true });
      change(path);
      return path;
    };
    const config = JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8')) as object;
    const tokenizerConfig = JSON.parse(readFileSync(join(folder, 'tokenizer_config.json'), 'utf8')) as object;
    writeFileSync(join(home, 'text.gguf'), 'no model at all');
    for (const [path, message] of [
      [join(home, 'nowhere'), /must be a folder or a GGUF file, got .*nowhere, where nothing is/],
      [join(home, 'text.gguf'), /does not begin as GGUF does/],
      [broken('noConfig', (at) => rmSync(join(at, 'config.json'))), /config\.json is missing/],
      [broken('noWeights', (at) => rmSync(join(at, 'model.safetensors'))), /safetensors/],
      [
        broken('noTemplate', (at) =>
          writeFileSync(
            join(at, 'tokenizer_config.json'),
            JSON.stringify({ ...tokenizerConfig, chat_template: undefined }),
          ),
        ),
        /no chat template/,
      ],
      [
        broken('huge', (at) =>
          writeFileSync(join(at, 'config.json'), JSON.stringify({ ...config, hidden_size: 8192, vocab_size: 4e6 })),
        ),
        /its weights take \d+\.\d GB as float32, and \d+\.\d GB of memory are free/,
      ],
    ] as const) {
      await assert.rejects(
        (
          await openJudge({ settings: judgeSettings({ baseUrl: path }, {}), signal: new AbortController().signal })
        ).check(),
        isUserError(message),
      );
    }
    assert.throws(() => checkLocalModel(folder, 1000), isUserError(/its weights take/));
    assert.throws(
      () => judgeSettings({ baseUrl: 'model.gguf', model: 'm' }, {}),
      isUserError(/must be an http or https address, got 'model\.gguf'/),
    );
    assert.throws(
      () => judgeSettings({ baseUrl: 'file://far/away.gguf' }, {}),
      isUserError(process.platform === 'win32' ? /./ : /file: URL of this machine/),
    );
    await assert.rejects(
      judgeOf({
        baseUrl: broken('cut', (at) =>
          writeFileSync(
            join(at, 'model.safetensors'),
            readFileSync(join(folder, 'model.safetensors')).subarray(0, 5000),
          ),
        ),
      }),
      isUserError(/the judge's model: /),
    );
  });

  it('coach score and coach judge --calibrate take it', async () => {
    const dir = join(home, 'cli');
    mkdirSync(join(dir, '.git'), { recursive: true });
    const said = (content: string) => [{ role: 'assistant', content }];
    const prompt = [{ role: 'user', content: 'How many?' }];
    writeFileSync(
      join(dir, 'pairs.jsonl'),
      [
        ['nine', 'none'],
        ['two', 'three'],
      ]
        .map(([chosen, rejected], i) =>
          JSON.stringify({ id: `p${i}`, prompt, chosen: said(chosen), rejected: said(rejected) }),
        )
        .join('\n'),
    );
    writeFileSync(
      join(dir, 'traces.jsonl'),
      TEXTS.map((text) => JSON.stringify({ group: 'g', messages: [...prompt, ...said(text)] })).join('\n'),
    );
    const dependencies = { openEngine: realDependencies.openEngine };
    const calibrated = await coach(dir, ['judge', '--calibrate', 'pairs.jsonl', '--url', folder, '--json'], {
      dependencies,
      environment: {},
    });
    assert.equal(calibrated.code, 0, calibrated.stderr);
    assert.deepEqual(
      [
        calibrated.json.judge.model,
        calibrated.json.accuracy.n,
        calibrated.json.cost.usd,
        calibrated.json.cost.requests,
      ],
      ['tinyJudge', 2, 0, 4],
    );
    const scored = await coach(dir, ['score', 'traces.jsonl', '--reward', 'judge'], {
      dependencies,
      environment: { COACH_JUDGE_URL: folder },
    });
    assert.equal(scored.code, 0, scored.stderr);
    assert.match(scored.stderr, /judge tinyJudge \(ranking 2[^)]*\): 3 judged, 0 not; 2 requests/);
    const missing = await coach(
      dir,
      ['score', 'traces.jsonl', '--reward', 'judge', '--judge-url', join(home, 'nowhere')],
      { dependencies, environment: {} },
    );
    assert.equal(missing.code, 2);
    assert.match(missing.stderr, /where nothing is/);
  });
});

describe('a run with a judge from this disk', function () {
  this.timeout(240_000);
  const workspace = crateWorkspace();
  const folder = makeFamilyModel('qwen2_5', 'judge', join(workspace, 'tinyJudge'));
  after(() => rmSync(workspace, { recursive: true, force: true }));
  const environment = { COACH_JUDGE_URL: folder, COACH_JUDGE_MODEL: 'of a server' };

  it('is taught by it: every trace accounted for, named in the notes and in run.json, freed at its end', async () => {
    const count = [tf.memory().numTensors];
    await trainHere(workspace, small(workspace, { rewards: 'tokens*0.1', steps: 1 }), environment);
    count.push(tf.memory().numTensors);
    const { dir, events } = await trainHere(
      workspace,
      small(workspace, { rewards: 'judge*0.5,tokens*0.1', steps: 2 }),
      environment,
    );
    count.push(tf.memory().numTensors);
    assert.equal(count[2] - count[1], count[1] - count[0], 'no tensor more than a run without a judge leaves');
    const traces = trainTraces(dir, events);
    assert.equal(traces.length, 12);
    for (const {
      rewards: [judged],
    } of traces)
      assert.ok(
        judged.error === undefined
          ? judged.score! >= 0 && judged.usage!.usd === 0
          : /^all attempts are equal/.test(judged.error),
        judged.error,
      );
    const metrics = metricsOf(events);
    for (const step of metrics) assert.equal(step['judge/judged']! + step['judge/equal']!, 6);
    assert.ok(
      metrics.some(
        (step) => step['judge/judged']! > 0 && step['judge/completion_tokens']! > 0 && step['judge/usd'] === 0,
      ),
    );
    assert.ok(
      verdictsOf(dir).some(
        ({ votes }) =>
          votes?.length === 2 && votes.every(({ ranks, usage }) => ranks !== null && usage!.completionTokens! > 0),
      ),
    );
    const notes = notesOf(events);
    assert.ok(
      notes.some((note) => note.startsWith(`info: Judge tinyJudge at ${folder}: listwise, 1 vote in both orders`)),
      notes.join('\n'),
    );
    const { config } = JSON.parse(readFileSync(join(dir, 'run.json'), 'utf8')) as { config: Record<string, unknown> };
    assert.deepEqual([config['judgeUrl'], config['judgeModel']], [folder, 'tinyJudge']);
  });

  it('what can not be is said before the first step', async () => {
    await assert.rejects(
      trainHere(workspace, small(workspace, { rewards: 'judge:tools=true' }), environment),
      isUserError(/tinyJudge: a judge from this disk calls no tools/),
    );
    await assert.rejects(
      trainHere(workspace, small(workspace, { rewards: 'judge' }), { COACH_JUDGE_URL: join(workspace, 'gone.gguf') }),
      isUserError(/gone\.gguf, where nothing is/),
    );
    writeFileSync(join(folder, 'model.safetensors'), readFileSync(join(folder, 'model.safetensors')).subarray(0, 5000));
    await assert.rejects(
      trainHere(workspace, small(workspace, { rewards: 'judge' }), environment),
      isUserError(/the judge's model: /),
    );
  });
});
