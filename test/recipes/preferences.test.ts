import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { readAdapter } from '../../trainer/model/weights/exportAdapter';
import { recordPreferences } from '../../trainer/store/preferences/store';
import type { AnswerPair } from '../../trainer/protocol/preferences';
import type { TrainerEvent } from '../../trainer/protocol/messages';
import { PreferencePair } from '../../trainer/protocol/reward';
import { readEvents, readTools, readTrace, traceSummaries } from '../../trainer/store/runs/readRun';
import { ChatTemplate } from '../../trainer/model/tokenizer/chatTemplate';
import { Tokenizer } from '../../trainer/model/tokenizer/tokenizer';
import { bundledTrainer } from '../fixtures/bundledTrainer';
import { writeCrates } from '../fixtures/crates';
import { makeTinyModel } from '../fixtures/tinyModel';

const root = resolve(__dirname, '../..');

describe('training on preferences, from traces to a DPO run that goes on from the run they came from', function () {
  this.timeout(900_000);
  const folder = mkdtempSync(join(tmpdir(), 'coach-preferences-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const base = {
    toolFile: join(folder, 'crates.ts'),
    model: join(folder, 'model'),
    steps: 2,
    seed: 3,
    rewards: 'crumbs',
    engine: 'onnx',
    threads: 1,
    rehearsal: false,
    promptsPerStep: 3,
    groupSize: 4,
    heldOutTasks: 4,
    evalTasks: 4,
    evalEvery: 2,
    checkpointEvery: 1,
    maxTokens: 200,
    maxTurnTokens: 12,
    maxTurns: 2,
    constraint: 'schema+spans',
    learningRate: 0.02,
    warmupSteps: 0,
    loraRank: 2,
    loraAlpha: 4,
    loraTargets: ['q_proj', 'v_proj'],
  };

  /** @returns the run's folder */
  async function train(name: string, config: object): Promise<{ dir: string; code: number | null; stderr: string }> {
    const file = join(folder, `${name}.json`);
    const dir = join(folder, '.coach/runs', name);
    writeFileSync(file, JSON.stringify(config));
    const child = spawn(process.execPath, [bundledTrainer(), '--config', file, '--run-dir', dir], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stderr = '';
    child.stderr.on('data', (d: Buffer) => (stderr += d.toString()));
    child.stdout.on('data', (d: Buffer) => (stderr += d.toString()));
    return { dir, code: await new Promise((done) => child.on('close', done)), stderr };
  }
  /** An answer as a policy might have sampled it: letter by letter, which no tokenizer would make of the text. */
  function handMade(dir: string, taskId: string, prompt: string, said: [string, string]): AnswerPair {
    const [tokenizer, template, tools] = [Tokenizer.load(base.model), ChatTemplate.load(base.model), readTools(dir)];
    const user = { role: 'user' as const, content: prompt };
    const history = tokenizer.encode(template.render([user], tools, true));
    const whole = template.encodeDialogue(tokenizer, [user, { role: 'assistant', content: 'x' }], tools).ids;
    const side = (text: string) => {
      const letters = [...text].flatMap((letter) => tokenizer.encode(letter));
      assert.ok(
        letters.length > tokenizer.encode(text).length,
        'the letters are not what the tokenizer makes of the text',
      );
      const ids = [...history, ...letters, whole.at(-1)!];
      return {
        traceId: `${taskId} ${text}`,
        messages: [{ role: 'assistant' as const, content: text }],
        tokens: { ids, start: history.length, writer: 'p'.repeat(history.length) + 's'.repeat(letters.length + 1) },
      };
    };
    return {
      id: `pair-${taskId}`,
      runId: 'first',
      taskId,
      groupId: 'g',
      toolFile: 'crates.ts',
      model: base.model,
      checkpoint: 'step 2',
      prompt: [user],
      sides: [side(said[0]), side(said[1])],
    };
  }
  const events = (dir: string): TrainerEvent[] => readEvents(dir, 0).events;

  before(async () => {
    mkdirSync(join(folder, '.git'));
    mkdirSync(join(folder, '.coach/runs'), { recursive: true });
    makeTinyModel('preferences', join(folder, 'model'));
    writeCrates(folder);
  });

  it('takes the sampled ids as they are, tokenises a rewrite once, leaves out what can not be said, keeps the reference of the start', async () => {
    const first = await train('first', base);
    assert.equal(first.code, 0, first.stderr);
    const pairs = [1, 2, 3, 4].map((i) => handMade(first.dir, `w${i}`, `Weigh crate k${i}`, ['teal crate', 'ochre']));
    const author = { name: 'Ada' };
    const shown = { a: 0 as const, isBlind: true };
    const call = (label: string) => [
      {
        role: 'assistant' as const,
        content: '',
        tool_calls: [{ id: 'r', type: 'function' as const, function: { name: 'weighCrate', arguments: { label } } }],
      },
    ];
    recordPreferences(
      folder,
      [
        { type: 'mark', pair: pairs[0]!, verdict: 'first', shown },
        { type: 'mark', pair: pairs[1]!, verdict: 'tie', shown },
        { type: 'rewrite', pair: pairs[2]!, of: 0, messages: call('k3') },
        { type: 'rewrite', pair: pairs[3]!, of: 1, messages: call('no span of the prompt') },
      ],
      { author },
    );

    const second = await train('second', {
      ...base,
      method: 'dpo',
      steps: 3,
      evalEvery: 3,
      pairs: join(folder, '.coach/preferences.jsonl'),
      startFrom: first.dir,
    });
    assert.equal(second.code, 0, second.stderr);
    const all = events(second.dir);
    const notes = all.flatMap((e) => (e.type === 'noted' ? [e.message] : []));
    assert.ok(
      notes.some((n) => /^Training on 2 pairs: 1 marked, 1 rewritten; they are kept in pairs\.jsonl$/.test(n)),
      notes.join('\n'),
    );
    assert.ok(
      notes.some((n) =>
        /\(rewritten\): the chosen answer can't be said under constraint schema\+spans.*; it is left out$/.test(n),
      ),
      notes.join('\n'),
    );

    const kept = readFileSync(join(second.dir, 'pairs.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => PreferencePair.parse(JSON.parse(line)));
    assert.deepEqual(
      kept.map(({ source }) => source),
      ['marked', 'rewritten'],
    );
    assert.deepEqual(
      kept[0]!.tokens,
      { chosen: pairs[0]!.sides[0].tokens, rejected: pairs[0]!.sides[1].tokens },
      'sampled, not made anew',
    );
    const written = kept[1]!.tokens!.chosen!;
    assert.deepEqual(
      written.ids.slice(0, written.start),
      kept[1]!.tokens!.rejected!.ids.slice(0, written.start),
      'the same history before the rewrite as before the original',
    );
    assert.ok(written.writer.endsWith('s') && written.ids.length > written.start);

    // The reference is the start, so the first step knows no difference: loss = -log sigmoid(0) = ln 2, rewards 0.
    const [step1, , step3] = all.flatMap((e) => (e.type === 'stepFinished' ? [e.metrics] : []));
    assert.ok(Math.abs(step1!['loss']! - Math.LN2) < 1e-5, String(step1!['loss']));
    assert.ok(step3!['loss']! < step1!['loss']!, 'it learns');
    const success = (dir: string, which: 'before' | 'after') =>
      events(dir).flatMap((e) =>
        e.type === 'evaluated' && e.which === which && e.name === 'held-out' ? [e.result.success] : [],
      )[0];
    assert.equal(success(second.dir, 'before'), success(first.dir, 'after'), 'it begins where the other ended');
    const texts = (dir: string, phase: string) =>
      traceSummaries(dir)
        .filter((s) => s.phase === phase && events(dir).length > 0)
        .map((s) => readTrace(dir, s))
        .filter((t) => t.taskId)
        .map((t) => [t.taskId, t.turns.map((turn) => turn.text).join('|')]);
    const tasksOf = new Map(texts(first.dir, 'after').map(([id, text]) => [id, text]));
    assert.ok(
      texts(second.dir, 'before')
        .filter(([id]) => tasksOf.has(id!))
        .every(([id, text]) => tasksOf.get(id!) === text),
      'the same policy says the same',
    );
    assert.deepEqual(
      all.flatMap((e) => (e.type === 'evaluated' && e.name === 'marked tasks' ? [[e.which, e.result.n]] : [])),
      [
        ['before', 2],
        ['after', 2],
      ],
    );
  });

  it('GRPO goes on likewise: it begins where the other ended, and its KL is measured from there', async () => {
    const first = join(folder, '.coach/runs/first');
    const { dir, code, stderr } = await train('third', {
      ...base,
      steps: 1,
      evalEvery: 1,
      beta: 0.1,
      learningRate: 1e-12,
      startFrom: first,
    });
    assert.equal(code, 0, stderr);
    const [theirs, ours] = [first, dir].map((run) => readAdapter(join(run, 'adapter')).tensors);
    for (const [name, { data }] of theirs!)
      assert.ok(
        data.every((x, i) => Math.abs(x - ours!.get(name)!.data[i]!) < 1e-8),
        name,
      );
    assert.ok(
      [...theirs!].some(([name, { data }]) => name.includes('lora_B') && data.some((x) => x !== 0)),
      'the first run did learn',
    );
    const [step] = events(dir).flatMap((e) => (e.type === 'stepFinished' ? [e.metrics] : []));
    // the policy that sampled is the reference: KL 0 of each token
    assert.ok(Math.abs(step!['kl']!) < 1e-6, String(step!['kl']));
  });

  it('says so where the other run has another adapter, or there is nothing to train on', async () => {
    const other = await train('other', {
      ...base,
      method: 'dpo',
      pairs: join(folder, '.coach/preferences.jsonl'),
      startFrom: join(folder, '.coach/runs/first'),
      loraRank: 4,
    });
    assert.match(other.stderr, /startFrom: .* was trained with model .*, rank 2, .*; this run has/);
    const file = join(folder, 'ties.jsonl');
    writeFileSync(file, `${readFileSync(join(folder, '.coach/preferences.jsonl'), 'utf8').split('\n')[1]}\n`);
    const none = await train('none', { ...base, method: 'dpo', pairs: file });
    assert.match(none.stderr, /holds no pair/);
  });
});
