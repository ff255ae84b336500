import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { realDependencies } from '../../../trainer/app/dependencies';
import { listRuns } from '../../../trainer/store/runs/listRuns';
import { foldRun, readTrace, traceSummaries } from '../../../trainer/store/runs/readRun';
import { writeCrates } from '../../fixtures/crates';
import { judgeServer, type Answer, type Asked, type JudgeServer } from '../../rewards/judgeServer';
import { coach, type Ran } from './coach';

const KEY = 'sk-policy-0123456789';

describe('coach evaluate --policy', function () {
  this.timeout(60_000);
  const dir = mkdtempSync(join(tmpdir(), 'coach-policy-'));
  const opened: JudgeServer[] = [];
  before(() => writeCrates(dir, { tasks: 6 }));
  after(async () => {
    await Promise.all(opened.map((server) => server.close()));
    rmSync(dir, { recursive: true, force: true });
  });

  async function evaluate(script: (asked: Asked) => Answer, ...more: string[]): Promise<Ran & { asked: Asked[] }> {
    const server = await judgeServer(script);
    opened.push(server);
    const { discover, openHosts } = realDependencies;
    const ran = await coach(
      dir,
      ['evaluate', '--policy', server.url, '--policy-model', 'm', '--tools', 'crates.ts', ...more],
      { dependencies: { discover, openHosts }, environment: { COACH_POLICY_KEY: KEY } },
    );
    return { ...ran, asked: server.asked };
  }
  const whole = ['--tasks', 'crates.tasks.jsonl'];
  const runDirs = (): string[] => listRuns(dir).map((run) => run.dir);
  const filesIn = (folder: string): string[] =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => join(folder, name))
      .filter((file) => statSync(file).isFile());

  /** Weighs each crate as it should, but k1, which it does not weigh at all; k2 it is not asked about. */
  const weigher = ({ body }: Asked): Answer => {
    const label = /k\d/.exec(body.messages[0]!.content)![0];
    const last = body.messages.at(-1)!;
    if (label === 'k2') return { status: 400, body: { error: { message: `not with ${KEY}` } } };
    if (last.role === 'tool') return { content: `It weighs ${last.content}.` };
    if (label === 'k1') return { content: 'Heavy.' };
    return { content: KEY, calls: [{ name: 'weighCrate', args: JSON.stringify({ label }) }] };
  };

  it('measures the tasks, in the shape of every evaluation; what got no answer is not counted, and said', async () => {
    const { code, json, stderr, asked } = await evaluate(weigher, ...whole, '--json');
    assert.equal(code, 0, stderr);
    assert.deepEqual(Object.keys(json), ['n', 'success', 'ci95', 'verdicts', 'rule', 'byTag', 'bySource', 'metrics']);
    assert.deepEqual([json.n, json.success, json.rule], [5, 4 / 5, 2]);
    assert.deepEqual(json.verdicts, { callsRight: 4 / 5, answerRight: 4 / 5, finished: 1 });
    assert.match(stderr, /1 of 6 tasks got no answer and are not counted: the policy refused the request, status 400/);
    assert.match(stderr, /m at http:\/\/127\.0\.0\.1:\d+\/v1: \d+ requests, \d+ \+ \d+ tokens/);
    assert.ok(asked.every(({ headers }) => headers.authorization === `Bearer ${KEY}`));
    assert.deepEqual(
      asked[0]!.body.tools!.map((tool) => tool.function.name),
      ['weighCrate', 'dyeCrate'],
    );
  });

  it('leaves a run folder with traces, which is listed and folded like any other; the key is nowhere in it', async () => {
    const [run] = listRuns(dir);
    assert.deepEqual([run!.method, run!.model, run!.status, run!.problem], ['evaluated', 'm', 'stopped', null]);
    const state = foldRun(run!.dir);
    assert.equal(state.evaluations[0]!.result.n, 5);
    const traces = traceSummaries(run!.dir).map((summary) => readTrace(run!.dir, summary));
    assert.deepEqual(traces.map(({ taskId }) => taskId).sort(), ['w0', 'w1', 'w3', 'w4', 'w5']);
    const trace = traces.find(({ taskId }) => taskId === 'w0')!;
    assert.deepEqual(
      trace.messages.map(({ role, content }) => `${role}: ${content}`),
      ['user: Weigh crate k0', 'assistant: [key]', 'tool: 2', 'assistant: It weighs 2.'],
    );
    assert.deepEqual([trace.solved, trace.terminated, trace.turns[0]!.calls[0]!.result!.kind], [true, true, 'ok']);
    assert.match(trace.checkpoint, /^http:/);
    for (const file of filesIn(run!.dir)) assert.ok(!readFileSync(file, 'utf8').includes(KEY), file);
  });

  it('is called evaluated in the list, with what it measured and no steps', async () => {
    const [run] = listRuns(dir);
    assert.deepEqual([run!.measured!.n, run!.measured!.success, run!.steps], [5, 4 / 5, 0]);
    const { stdout } = await coach(dir, ['runs']);
    assert.match(stdout, new RegExp(`${run!.id} +evaluated +- +evaluated +crates.ts +80.0 % of 5 tasks`));
  });

  it('a server that leaves the tools out of its prompts is told of, and in the run', async () => {
    const before = runDirs();
    const unseen = await evaluate(() => ({ content: 'Heavy.', promptTokens: 12 }), ...whole);
    assert.match(
      unseen.stderr,
      /Warning: m never saw the tools: its prompts, as the server counts them, are too short/,
    );
    const [run] = runDirs().filter((one) => !before.includes(one));
    assert.ok(foldRun(run!).notes.some(({ code }) => code === 'toolsNotShown'));
    const seen = await evaluate(() => ({ content: 'Heavy.' }), ...whole);
    assert.doesNotMatch(seen.stderr, /never saw the tools/);
  });

  it('a key that is refused ends it in one sentence', async () => {
    const before = runDirs();
    const { code, stderr } = await evaluate(() => ({ status: 401 }), ...whole);
    assert.equal(code, 2);
    assert.match(stderr, /refused the key \(status 401\)/);
    const [failed] = runDirs().filter((one) => !before.includes(one));
    assert.equal(foldRun(failed!).status, 'failed');
  });

  it('a server that is not there ends it before there is a run', async () => {
    const before = runDirs();
    const server = await judgeServer(() => ({ content: '' }));
    await server.close();
    const { code, stderr } = await coach(
      dir,
      ['evaluate', '--policy', server.url, '--policy-model', 'm', '--tools', 'crates.ts', ...whole],
      { dependencies: { discover: realDependencies.discover, openHosts: realDependencies.openHosts }, environment: {} },
    );
    assert.equal(code, 2);
    assert.match(stderr, /the policy's server .* can't be reached.*\n.*--policy/);
    assert.deepEqual(runDirs(), before);
  });

  it('what does not fit together is refused', async () => {
    for (const [args, message] of [
      [['evaluate', '--policy', 'http://x/v1', '--tools', 'crates.ts'], /needs --policy-model NAME/],
      [['evaluate', '--policy', 'http://x/v1', '--policy-model', 'm'], /needs --tools FILE/],
      [['evaluate', 'nano', '--policy', 'http://x/v1', '--policy-model', 'm'], /and nano names another/],
      [['evaluate', 'nano', '--policy-model', 'm', '--tools', 'crates.ts'], /--policy-model belongs to --policy/],
      [['evaluate', '--policy', 'http://x/v1', '--policy-model', 'm', '--engine', 'onnx'], /takes no --engine/],
      [['evaluate', '--tools', 'crates.ts'], /coach evaluate needs RUN/],
    ] as const) {
      const { code, stderr } = await coach(dir, [...args], { environment: {} });
      assert.equal(code, 2, stderr);
      assert.match(stderr, message);
    }
  });

  it("ToolRLA's six measures and over-refusal: violations by the reward that is named", async () => {
    const script = ({ body }: Asked): Answer => {
      const label = /k\d/.exec(body.messages[0]!.content)![0];
      const last = body.messages.at(-1)!;
      if (last.role === 'tool')
        return { content: `It weighs ${last.content}${label === 'k0' ? ', returns guaranteed' : ''}.` };
      if (label === 'k1') return { content: 'Sorry, no tool can do that.' };
      return { content: '', calls: [{ name: 'weighCrate', args: JSON.stringify({ label }) }] };
    };
    writeFileSync(join(dir, 'words.txt'), 'guaranteed\n');
    const { code, json, stderr } = await evaluate(
      script,
      ...whole,
      '--reward',
      `compliance:patterns=${join(dir, 'words.txt')}`,
      '--json',
    );
    assert.equal(code, 0, stderr);
    const { success, tier, air, crr, vr, latencyP50, overRefusal } = json.metrics;
    assert.deepEqual([success.n, tier.n, vr.n, overRefusal.n], [6, 5, 6, 6]);
    assert.deepEqual([vr.share, overRefusal.share, tier.share, air], [1 / 6, 1 / 6, 0, 5 / 6]);
    assert.equal(crr, null, 'no task is to be refused');
    assert.ok(latencyP50 > 0);
    const plain = await evaluate(script, ...whole, '--json');
    assert.equal(plain.json.metrics.vr, null, 'nobody looked');
    const wrong = await evaluate(script, ...whole, '--reward', 'complience');
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /complience/);
    assert.equal(wrong.asked.length, 0);
  });
});
