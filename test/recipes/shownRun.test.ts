/** Runs whose requests are shown a few of many tools: in training with the gold tools, in measuring without. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { foldRun, readTrace, requireManifest, traceSummaries } from '../../trainer/store/runs/readRun';
import { bundledTrainer } from '../fixtures/bundledTrainer';
import { makeTinyModel } from '../fixtures/tinyModel';

const root = resolve(__dirname, '../..');
const THINGS = ['crate', 'barrel', 'lantern', 'ladder', 'anchor', 'basket', 'hammer'];
const toolOf = (thing: string): string => `weigh${thing[0]!.toUpperCase()}${thing.slice(1)}`;
/** Requests of the last one share no word with it or with each other: nothing finds it. */
const OTHER_WORDS =
  'alfa bravo charlie delta echo foxtrot golf hotel india juliett kilo lima mike november oscar papa quebec romeo sierra tango uniform'.split(
    ' ',
  );
const labelOf = (thing: string, i: number): string => (thing === 'hammer' ? OTHER_WORDS[i / 2]! : `${100 + i}`);
const wordsOf = (thing: string, i: number): string =>
  `${thing === 'hammer' ? '' : `How heavy is ${thing} `}${labelOf(thing, i)}?`;

describe('a run that shows each request a few of its tools', function () {
  this.timeout(120_000);
  const folder = mkdtempSync(join(tmpdir(), 'coach-shown-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  async function train(name: string, settings: object): Promise<string> {
    const dir = join(folder, 'runs', name);
    const config = join(folder, `${name}.json`);
    writeFileSync(config, JSON.stringify(settings));
    const child = spawn(process.execPath, [bundledTrainer(), '--config', config, '--run-dir', dir], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, COACH_DATA: join(folder, 'no encoder') },
    });
    let errors = '';
    child.stderr.on('data', (text) => (errors += text));
    assert.equal(await new Promise((done) => child.on('close', done)), 0, errors);
    return dir;
  }

  const SETTINGS = {
    toolFile: join(folder, 'yard.ts'),
    model: join(folder, 'model'),
    steps: 2,
    warmSteps: 1,
    batchSize: 8,
    seed: 1,
    engine: 'onnx',
    threads: 1,
    promptsPerStep: 7,
    groupSize: 2,
    numIterations: 1,
    heldOutTasks: 7,
    evalTasks: 2,
    evalEvery: 2,
    checkpointEvery: 2,
    maxTurns: 1,
    constraint: 'schema+spans',
    loraRank: 2,
    loraTargets: ['q_proj'],
    memoryCheck: false,
    rehearsal: false,
  };
  const tasks = Array.from({ length: 42 }, (_, i) => {
    const thing = i % 2 === 0 ? 'hammer' : THINGS[((i - 1) / 2) % 6]!;
    const label = labelOf(thing, i);
    return { id: `w${i}`, prompt: wordsOf(thing, i), calls: [{ name: toolOf(thing), arguments: { label } }] };
  });
  before(() => {
    writeFileSync(join(folder, 'package.json'), '{}');
    writeFileSync(
      join(folder, 'yard.ts'),
      THINGS.map(
        (t) =>
          `/** How heavy a ${t} is. @param label which one @tool */\nexport function ${toolOf(t)}(label: string): number { return label.length; }\n`,
      ).join(''),
    );
    writeFileSync(join(folder, 'yard.tasks.jsonl'), tasks.map((task) => JSON.stringify(task)).join('\n'));
    mkdirSync(join(folder, 'runs'));
    makeTinyModel('shown', join(folder, 'model'));
  });

  it('SFT, then GRPO: traces name what was shown; the result says how much of the gold was found', async () => {
    const dir = await train('grpo', { ...SETTINGS, shownTools: 3 });
    const manifest = requireManifest(dir);
    assert.deepEqual([manifest.config.shownTools, manifest.shownBy], [3, 'words']);
    const traces = traceSummaries(dir).map((summary) => readTrace(dir, summary));
    const goldOf = new Map(tasks.map(({ id, calls }) => [id, calls[0]!.name]));
    for (const { phase, shownTools, taskId } of traces) {
      assert.equal(shownTools!.length, 3, phase);
      const gold = goldOf.get(taskId)!;
      const isFound = gold !== toolOf('hammer');
      assert.equal(shownTools!.includes(gold), phase === 'train' || isFound, `${phase} ${taskId}`);
    }
    const { evaluations, curve } = foldRun(dir);
    const before = evaluations.find(({ which, name }) => which === 'before' && name === 'held-out')!.result.metrics!
      .shown!;
    const missed = traces.filter(
      ({ phase, taskId }) => phase === 'before' && goldOf.get(taskId) === toolOf('hammer'),
    ).length;
    assert.ok(missed > 0, 'or nothing is shown by this');
    assert.equal(before.recall, (7 - missed) / 7);
    assert.equal(before.complete!.share, before.recall);
    assert.ok(before.promptTokens! > 20 && before.promptTokens! < 100, `${before.promptTokens}`);
    assert.equal(curve[0]!.metrics['coach/unsayable'], 0, 'each gold call can be said');
  });

  it('with find_tools: what a request is not shown is looked up in what is learnt, and nothing else is told', async () => {
    const twice = Array.from({ length: 36 }, (_, i) => {
      const calls = [i, i + 1].map((n) => ({ name: toolOf(THINGS[n % 6]!), arguments: { label: `${100 + n}` } }));
      const prompt = [i, i + 1].map((n) => `How heavy is ${THINGS[n % 6]!} ${100 + n}?`).join(' ');
      return { id: `t${i}`, prompt, calls };
    });
    const file = join(folder, 'twice.tasks.jsonl');
    writeFileSync(file, twice.map((task) => JSON.stringify(task)).join('\n'));
    const dir = await train('find', { ...SETTINGS, tasks: file, shownTools: 1, findTools: true, maxTurns: 4 });
    assert.equal(requireManifest(dir).config.findTools, true);
    const traces = traceSummaries(dir).map((summary) => readTrace(dir, summary));
    for (const { shownTools } of traces) assert.deepEqual([shownTools!.length, shownTools![0]], [2, 'find_tools']);
    const [warm, sampled] = foldRun(dir).curve;
    assert.equal(warm!.metrics['coach/unsayable'], 0, 'each gold dialogue can be said, with its look-up');
    assert.ok(Number.isFinite(sampled!.metrics['loss']));
    const { evaluations } = foldRun(dir);
    const { shown } = evaluations.find(({ which, name }) => which === 'before' && name === 'held-out')!.result.metrics!;
    assert.equal(shown!.complete!.share, 0, 'one tool, of two that are needed');
  });
});
