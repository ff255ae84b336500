import { loadBaseModel } from '../weights/baseModel';
import { openEngine } from '../engine/engine';
import { passRates, runTasks } from '../../evaluation/evaluate';
import { wilson } from '../../protocol/interval';
import { DecoderGraphs } from '../decoding/decoderGraphs';
import type { Task, ToolSchema } from '../../protocol/task';
import type { Message, ToolResult, Trace } from '../../protocol/trace';
import { RunConfig } from '../../protocol/runConfig';
import { withLimits } from '../../app/settings';
import { Random } from '../../base/random';
import { localPolicy } from '../../rollout/policy/local';
import { stableJson } from '../../protocol/arguments';
import type { ToolHosts } from '../../tools/hosts/callTool';
import { PieceTokenizer } from './batches';
import { choiceReader, isRightCall, isRightTool, type Chosen } from './choices';
import { makeDialogues, type Dialogue } from './dialogue';
import { intentsFolder } from './intents';
import { unseenPeople } from './sources';
import { loadLexicon } from './words';

/**
 * Run by hand, of the model in FOLDER (default: the one beside this file):
 * `node --import tsx trainer/model/nano/measure.ts [SETS] [FOLDER]`: success and pass@8 of whole episodes on tool sets
 * of
 *   words that pre-training never saw;
 * `node --import tsx trainer/model/nano/measure.ts people [FOLDER]`: the right function of eight, and the right call,
 * for
 *   people's test lines of functions that
 *   pre-training never saw (greedy, each choice after right ones, which is when a greedy call is right).
 */
const SAMPLES = 8;

interface ToolSet {
  tools: ToolSchema[];
  tasks: Task[];
  hosts: Pick<ToolHosts, 'open'>;
}

/**
 * A set of synthetic tools with its dialogues as tasks; a tool gives what the dialogue says it gave, and to any other
 * call an error.
 */
function toolSet(dialogues: readonly Dialogue[], set: number): ToolSet {
  const tools = dialogues[0]!.tools.map(
    (t): ToolSchema => ({ ...t, source: { file: 'synthetic', line: 1 } }) as ToolSchema,
  );
  const results = new Map<string, string>();
  const tasks = dialogues.map((d, i): Task => {
    d.gold.forEach((call, k) =>
      results.set(`${call.name} ${stableJson(call.arguments)}`, toolMessages(d.messages)[k]!.content),
    );
    return { id: `${set}-${i}`, prompt: d.messages[0]!.content, calls: d.gold, tags: [d.kind] };
  });
  const call = (name: string, args: unknown): Promise<ToolResult> => {
    const content = results.get(`${name} ${stableJson(args)}`);
    const base = { policy: 'mock' as const, mockSource: 'recorded' as const, startedAt: 0, durationMs: 0 };
    return Promise.resolve(
      content === undefined
        ? { ...base, kind: 'threw', content: '{"error":"not found"}' }
        : { ...base, kind: 'ok', content },
    );
  };
  return { tools, tasks, hosts: { open: () => ({ call, close: () => undefined }) } };
}

/** In the order of the calls. */
const toolMessages = (messages: readonly Message[]): Message[] => messages.filter((m) => m.role === 'tool');

async function measure(sets: number, folder: string): Promise<void> {
  const config = withLimits(RunConfig.parse({ toolFile: 'synthetic' }));
  const engine = await openEngine({ engine: 'onnx' });
  const base = loadBaseModel(folder, config.maxTokens);
  const graphs = new DecoderGraphs(engine, base.model);
  const lexicon = loadLexicon('heldOut');
  const random = Random.fromSeed('nano-measure');
  const greedy: Trace[] = [];
  const sampled: Trace[] = [];
  const kinds: string[] = [];
  for (let set = 0; kinds.length < sets * 3; set++) {
    const dialogues = makeDialogues(random.fork(set), lexicon, 1);
    if (dialogues[0]!.tools.length === 0) continue; // a drill
    const { tools, tasks, hosts } = toolSet(dialogues, set);
    const measuring = {
      base,
      policy: localPolicy(base, graphs, tools, config.constraint, 'nano'),
      tools,
      hosts,
      config,
      runId: 'nano',
      phase: 'try' as const,
      step: 0,
      signal: new AbortController().signal,
      now: Date.now,
    };
    greedy.push(...(await runTasks(tasks, measuring)));
    sampled.push(...(await runTasks(tasks, measuring, SAMPLES)));
    kinds.push(...dialogues.map((d) => d.kind));
  }
  const of = (kind: string | null): object => {
    const chosen = kinds.flatMap((k, i) => (kind === null || k === kind ? [i] : []));
    const solved = chosen.filter((i) => greedy[i]!.solved).length;
    const { pass1, passK } = passRates(
      chosen.flatMap((i) => sampled.slice(i * SAMPLES, (i + 1) * SAMPLES)),
      SAMPLES,
      SAMPLES,
    );
    return {
      n: chosen.length,
      success: solved / chosen.length,
      ci95: wilson(solved, chosen.length),
      pass1,
      [`pass${SAMPLES}`]: passK,
    };
  };
  console.log(
    JSON.stringify(
      { all: of(null), ...Object.fromEntries([...new Set(kinds)].map((k) => [k, of(k)])) },
      (_, v: unknown) => (typeof v === 'number' ? +v.toFixed(3) : v),
    ),
  );
  base.dispose();
  engine.dispose();
}

async function measurePeople(folder: string): Promise<void> {
  const engine = await openEngine({ engine: 'onnx' });
  const base = loadBaseModel(folder, 2048);
  const tokenizer = PieceTokenizer.load(folder);
  const read = choiceReader(engine, base.model, tokenizer.idOf('"'));
  const stream = unseenPeople(tokenizer, base.template, intentsFolder());
  const chosen = await read(Array.from({ length: 25 }, () => stream.batch(1)));
  const of = (kind: string, isRight: (c: Chosen) => boolean): object => {
    const own = chosen.filter((c) => c.kind === kind);
    const right = own.filter(isRight).length;
    return {
      n: own.length,
      right: +(right / own.length).toFixed(3),
      ci95: wilson(right, own.length)?.map((x) => +x.toFixed(3)),
    };
  };
  console.log(
    JSON.stringify({
      tool: of('person', isRightTool),
      call: of('person', isRightCall),
      noTool: of('personNone', isRightTool),
    }),
  );
  base.dispose();
  engine.dispose();
}

if (require.main === module) {
  const [what = '100', folder = __dirname] = process.argv.slice(2);
  void (what === 'people' ? measurePeople(folder) : measure(Number(what), folder));
}
