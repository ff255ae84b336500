/**
 * The nano folder and an adapter that `coach export --to peft` wrote, as PyPI's transformers and PEFT read them,
 * against our
 * own tokenizer, chat template and model on the onnx engine: same texts, same ids, logits within 1e-4.
 * `npm test -- parity`, by name only: the first time it installs some GB of Python packages (test/bench/venv.ts).
 * Last line: `N passed, N failed`.
 */
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { loadBaseModel, type BaseModel } from '../../../trainer/model/weights/baseModel';
import { loadCheckpoint } from '../../../trainer/model/weights/checkpoint';
import { functionTool } from '../../../trainer/store/exchange/exportData';
import { runCli } from '../../../trainer/app/cli/runCli';
import { openEngine } from '../../../trainer/model/engine/engine';
import { createAdapter } from '../../../trainer/model/network/adapter';
import type { CausalLM } from '../../../trainer/model/network/causalLM';
import type { Task, ToolSchema } from '../../../trainer/protocol/task';
import type { Message } from '../../../trainer/protocol/trace';
import { Random } from '../../../trainer/base/random';
import { realDependencies } from '../../../trainer/app/dependencies';
import { requireManifest } from '../../../trainer/store/runs/readRun';
import { readTasks } from '../../../trainer/tasks/readTasks';
import { Discovery } from '../../../trainer/tools/sources/typescript/toolFile';
import { openVenv, runPython } from '../../bench/venv';
import { logitsOfAll } from './logits';

const ROOT = resolve(__dirname, '../../..');
const NANO = join(ROOT, 'trainer/model/nano');
const EMAIL = join(ROOT, 'examples/email');
const TOLERANCE = 1e-4;

interface Dialogue {
  messages: Message[];
  tools: ToolSchema[];
  addGenerationPrompt: boolean;
}
interface Answer {
  texts: string[];
  ids: number[][];
  textIds: number[][];
  decoded: string[];
  versions: Record<string, string>;
}

/** Texts on which a pre-tokenizer or a byte-level vocabulary may differ. */
const TEXTS = [
  '',
  ' ',
  'Grüße aus Köln',
  'naïve café',
  '日本語 と emoji 👩‍👩‍👧 🇩🇪',
  'a\r\nb\t c\u00a0d',
  'camelCase HTTPServer x2y10',
  '{"a":[1,-2.50,"\\u00e9"]}',
  "it's 12:30, don't",
  '<|user|>x<|end|>',
  '< |user|>',
  '\u0000\u007f\u{10ffff}',
  'e\u0301 \u212b',
  'ＡＢＣ１２',
];

/**
 * Open prompts and whole dialogues with the tools' own answers, of tasks of every kind; one with a system message and
 * no tools.
 */
async function makeDialogues(tools: ToolSchema[], tasks: Task[]): Promise<Dialogue[]> {
  const inbox = (await import(join(EMAIL, 'tools.ts'))) as Record<string, (...args: unknown[]) => unknown>;
  const answerOf = (name: string, args: Record<string, unknown>): string => {
    const order = Object.keys((tools.find((tool) => tool.name === name)!.parameters['properties'] ?? {}) as object);
    return JSON.stringify(inbox[name]!(...order.map((key) => args[key])));
  };
  const dialogueOf = (id: string): Dialogue => {
    const task = tasks.find((each) => each.id === id)!;
    const messages: Message[] = [{ role: 'user', content: task.prompt }];
    for (const call of task.calls ?? []) {
      messages.push({
        role: 'assistant',
        content: '',
        tool_calls: [{ id: `${messages.length}`, type: 'function', function: call }],
      });
      messages.push({
        role: 'tool',
        name: call.name,
        tool_call_id: `${messages.length - 1}`,
        content: answerOf(call.name, call.arguments),
      });
    }
    if (messages.length > 1) messages.push({ role: 'assistant', content: task.answer ?? 'Done.' });
    return { messages, tools, addGenerationPrompt: false };
  };
  const open = ['search-001', 'noTool-001', 'send-001'].map(
    (id): Dialogue => ({ ...dialogueOf(id), messages: dialogueOf(id).messages.slice(0, 1), addGenerationPrompt: true }),
  );
  const whole = ['search-003', 'read-001', 'count-001', 'searchThenRead-001', 'searchThenRead-002'].map(dialogueOf);
  const spoken: Dialogue = {
    messages: [
      { role: 'system', content: 'Be brief. Grüße!' },
      { role: 'user', content: 'How are you?' },
    ],
    tools: [],
    addGenerationPrompt: true,
  };
  return [...open, ...whole, spoken];
}

/**
 * Two steps of SFT through the program itself, then its export: the adapter is not zero, and it took the user's way.
 */
async function trainAndExport(folder: string): Promise<void> {
  cpSync(EMAIL, join(folder, 'email'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{}');
  const settings = [
    'engine=onnx',
    'heldOutTasks=4',
    'evalTasks=2',
    'batchSize=4',
    'warmupSteps=0',
    'learningRate=0.01',
  ].flatMap((setting) => ['--set', setting]);
  for (const args of [
    ['train', 'email/tools.ts', '--method', 'sft', '--steps', '2', '--run-dir', 'run', ...settings],
    ['export', 'run', '--to', 'peft', '--out', 'export'],
  ]) {
    const quiet = { write: () => undefined };
    const code = await runCli(args, {
      cwd: folder,
      streams: { stdout: quiet, stderr: { write: (text) => process.stderr.write(text) } },
      dependencies: realDependencies,
      signal: new AbortController().signal,
      stop: () => undefined,
      now: Date.now,
    });
    assert.equal(code, 0, `coach ${args.join(' ')}`);
  }
}

function worstDifference(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length) return Infinity;
  let worst = 0;
  for (let i = 0; i < a.length; i++)
    worst = Math.max(worst, Math.abs(a[i]! - b[i]!) || (Number.isNaN(a[i]! - b[i]!) ? Infinity : 0));
  return worst;
}

async function compare(folder: string, python: string): Promise<{ passed: number; failed: number }> {
  await trainAndExport(folder);
  const engine = await openEngine({ engine: 'onnx', threads: 1 });
  const base: BaseModel = loadBaseModel(NANO, 1024);
  const { tools } = new Discovery().discover([join(EMAIL, 'tools.ts')]);
  const dialogues = await makeDialogues(tools, readTasks(join(EMAIL, 'tools.tasks.jsonl'), tools));
  const request = {
    model: NANO,
    adapter: join(folder, 'export'),
    base: join(folder, 'export/base'),
    texts: TEXTS,
    dialogues: dialogues.map((d) => ({ ...d, tools: d.tools.map(functionTool) })),
  };
  writeFileSync(join(folder, 'request.json'), JSON.stringify(request));
  runPython(python, join(__dirname, 'parity.py'), [folder]);
  const answer = JSON.parse(readFileSync(join(folder, 'answer.json'), 'utf8')) as Answer;
  console.log(
    Object.entries(answer.versions)
      .map(([name, version]) => `${name} ${version}`)
      .join(', '),
  );

  const count = { passed: 0, failed: 0 };
  const check = (name: string, isRight: boolean): void => {
    count[isRight ? 'passed' : 'failed']++;
    if (!isRight) console.log(`FAILED ${name}`);
  };
  const texts = dialogues.map((d) => base.template.render(d.messages, d.tools, d.addGenerationPrompt));
  const ids = texts.map((text) => base.tokenizer.encode(text));
  texts.forEach((text, i) =>
    check(`text of dialogue ${i}\n  ours   ${text}\n  theirs ${answer.texts[i]}`, text === answer.texts[i]),
  );
  ids.forEach((list, i) =>
    check(
      `ids of dialogue ${i}\n  ours   ${list.join()}\n  theirs ${answer.ids[i]!.join()}`,
      list.join() === answer.ids[i]!.join(),
    ),
  );
  ids.forEach((list, i) =>
    check(`text of the ids of dialogue ${i}`, base.tokenizer.decode(list, true) === answer.decoded[i]),
  );
  TEXTS.forEach((text, i) =>
    check(
      `ids of ${JSON.stringify(text)}: ours ${base.tokenizer.encode(text).join()}, theirs ${answer.textIds[i]!.join()}`,
      base.tokenizer.encode(text).join() === answer.textIds[i]!.join(),
    ),
  );

  // of the checkpoint, so that what the export does to names and values is compared too
  const {
    loraRank: rank,
    loraAlpha: alpha,
    loraTargets: targets,
  } = requireManifest(join(folder, 'run'), { readOnly: true }).config;
  const adapter = createAdapter(base.model.config, { rank, alpha, targets }, Random.fromSeed(0));
  adapter.load(loadCheckpoint(join(folder, 'run'), { which: 'best' }).checkpoint!.tensors);
  const policy: CausalLM = { ...base.model, adapter: { pairs: adapter.pairs, scaling: adapter.scaling } };
  const ours = {
    base: await logitsOfAll(engine, base.model, answer.ids),
    adapter: await logitsOfAll(engine, policy, answer.ids),
  };
  const moved = Math.max(...ours.base.map((logits, i) => worstDifference(logits, ours.adapter[i]!)));
  check(`the adapter moves the logits, by ${moved}`, moved > 0.01);
  for (const [name, logits] of [
    ['base', ours.base],
    ['adapter', ours.adapter],
    ['merged', ours.adapter],
  ] as const) {
    const differences = logits.map((each, i) => worstDifference(each, readFloats(join(folder, `${name}-${i}.bin`))));
    // merge_and_unload rounds the sum of weight and adapter, which neither we nor PEFT's policy do: told, not judged
    if (name !== 'merged')
      differences.forEach((worst, i) => check(`${name} logits of dialogue ${i}: ${worst} apart`, worst <= TOLERANCE));
    console.log(
      `${name}: largest difference of a logit ${Math.max(...differences).toExponential(1)} in ${logits.length} dialogues of ${Math.min(...ids.map((l) => l.length))} to ${Math.max(...ids.map((l) => l.length))} tokens`,
    );
  }
  console.log(`the adapter moves the logits by up to ${moved.toFixed(2)}`);
  adapter.dispose();
  base.dispose();
  engine.dispose();
  return count;
}

function readFloats(path: string): Float32Array {
  const bytes = readFileSync(path);
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
}

async function main(): Promise<void> {
  const python = openVenv((line) => console.error(`parity: ${line}`));
  let count = { passed: 0, failed: 1 };
  const folder = mkdtempSync(join(tmpdir(), 'coach-parity-'));
  try {
    if (python !== null) count = await compare(folder, python);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    console.log(`${count.passed} passed, ${count.failed} failed`);
    process.exitCode = count.failed === 0 ? 0 : 1;
  }
}

void main();
