/**
 * The requests of `npm run bench anyFile` are sound: their gold calls work in the real tool files, and they are as
 * different as people's.
 */
import { strict as assert } from 'node:assert';
import { dirname } from 'node:path';
import type { GoldCall, Task, TypeScriptTool } from '../../trainer/protocol/task';
import { answerOccurs } from '../../trainer/tasks/solved';
import { openToolHosts, type HostOptions, type ToolHosts } from '../../trainer/tools/hosts/callTool';
import { drawRequests, sharedData } from './anyFile/draw';
import { EXCLUDED_INTENTS } from './anyFile/excluded';
import { DRAWN, FURTHER, HAND_MADE, requestsOf, toolsOf } from './anyFile/files';

const SHARES: Record<string, number> = { oneCall: 60, twoStep: 20, noTool: 12, others: 8 };
const FURTHER_SHARES: Record<string, Record<string, number>> = {
  geo: { oneCall: 18, twoStep: 6, noTool: 4, others: 2 },
  home: { oneCall: 20, twoStep: 4, noTool: 4, others: 2 },
  crm: { oneCall: 25, twoStep: 2, noTool: 3, others: 0 },
  builds: { oneCall: 22, twoStep: 4, noTool: 4, others: 0 },
  shop: { oneCall: 22, twoStep: 4, noTool: 4, others: 0 },
  flights: { oneCall: 23, twoStep: 3, noTool: 4, others: 0 },
  helpdesk: { oneCall: 24, twoStep: 3, noTool: 3, others: 0 },
};

for (const file of [...HAND_MADE, ...FURTHER]) {
  describe(`bench anyFile: ${file.name}`, () => {
    let tools: TypeScriptTool[] = [];
    let tasks: Task[] = [];
    let hosts: ToolHosts;

    before(async () => {
      tools = toolsOf(file);
      tasks = requestsOf(file, tools);
      hosts = await openToolHosts(hostOptions(file.sources[0]!, tools));
    });
    after(() => hosts.close());

    it('every gold call returns something, in order, in the real file', async () => {
      for (const task of tasks) {
        const results = await play(hosts, task);
        assert.deepEqual(
          results.filter(({ kind }) => kind !== 'ok'),
          [],
          `${task.id}: ${task.prompt}`,
        );
        const empty = results.find(({ content }) => /^(null|undefined|\[\]|)$/.test(content));
        if (empty) assert.ok(task.calls!.length === 1, `${task.id}: a look-up finds nothing`);
      }
    });

    it('a number or an id of the gold calls stands in the request or in an earlier result, and an answer in the last result', async () => {
      for (const task of tasks) {
        const results = await play(hosts, task);
        (task.calls ?? []).forEach((call, i) => {
          const seen = [task.prompt, ...results.slice(0, i).map(({ content }) => content)].join('\n').toLowerCase();
          for (const id of idsOf(call)) assert.ok(seen.includes(id.toLowerCase()), `${task.id}: nothing says ${id}`);
        });
        if (task.answer !== undefined && results.length > 0)
          assert.ok(
            answerOccurs(task.answer, results.at(-1)!.content),
            `${task.id}: '${task.answer}' is not in ${results.at(-1)!.content}`,
          );
      }
    });

    it('are of the stated kinds, and no two are alike', () => {
      const counts: Record<string, number> = { oneCall: 0, twoStep: 0, noTool: 0, others: 0 };
      for (const task of tasks) {
        const kind = task.tags![0]!;
        counts[kind in counts ? kind : 'others']!++;
        assert.equal(task.calls!.length, kind === 'noTool' ? 0 : kind === 'twoStep' ? 2 : 1, task.id);
      }
      assert.deepEqual(counts, FURTHER_SHARES[file.name] ?? SHARES);
      const grams = tasks.map(({ prompt }) => wordGrams(prompt));
      for (let a = 0; a < tasks.length; a++)
        for (let b = 0; b < a; b++)
          assert.ok(jaccard(grams[a]!, grams[b]!) < 0.3, `${tasks[a]!.prompt} / ${tasks[b]!.prompt}`);
      assert.deepEqual(
        tools
          .map(({ name }) => name)
          .filter((name) => !tasks.some(({ calls }) => calls!.some((call) => call.name === name))),
        [],
        'every tool is asked for',
      );
    });

    it('a quarter of them share no word with the tools that they need', () => {
      const apart = tasks.filter((task) => task.calls!.length > 0 && sharedWords(task, tools).length === 0);
      assert.ok(apart.length >= tasks.length / 4, `${apart.length} of ${tasks.length}`);
    });

    it('the tools that change the world exist', () => {
      assert.deepEqual(
        file.changing.filter((name) => !tools.some((tool) => tool.name === name)),
        [],
      );
    });
  });
}

describe('bench anyFile: requests drawn from public data', () => {
  for (const file of DRAWN) {
    it(`${file.name}: 88 with one call that works, 12 without, always the same ones`, async function () {
      if (typeof file.requests === 'string') throw new Error(`${file.name} is not drawn`);
      if (!hasData()) this.skip(); // they lie outside of the repository
      const tools = toolsOf(file);
      const tasks = requestsOf(file, tools);
      assert.deepEqual(
        [88, 12].map((_, kind) => tasks.filter(({ calls }) => calls!.length === 1 - kind).length),
        [88, 12],
      );
      assert.deepEqual(drawRequests(file.requests), tasks);
      for (const task of tasks)
        for (const { name, arguments: args } of task.calls!)
          for (const value of Object.values(args))
            assert.ok(
              typeof value === 'number' || task.prompt.includes(value as string),
              `${task.id}: ${name} ${String(value)}`,
            );
      const hosts = await openToolHosts(hostOptions(file.sources[0]!, tools));
      try {
        for (const task of tasks)
          assert.deepEqual(
            (await play(hosts, task)).filter(({ kind }) => kind !== 'ok'),
            [],
            task.id,
          );
      } finally {
        await hosts.close();
      }
    });
  }

  it('every intent that is drawn from is kept out of pre-training', () => {
    for (const { requests } of DRAWN)
      if (typeof requests !== 'string')
        assert.deepEqual(
          Object.keys(requests.acts).filter(
            (intent) => !(EXCLUDED_INTENTS[requests.data] as readonly string[]).includes(intent),
          ),
          [],
        );
  });

  it('says where the data are to be named', () => {
    const before = process.env['COACH_SHARED_DATA'];
    process.env['COACH_SHARED_DATA'] = __dirname;
    try {
      assert.throws(() => sharedData(), /COACH_SHARED_DATA/);
    } finally {
      if (before === undefined) delete process.env['COACH_SHARED_DATA'];
      else process.env['COACH_SHARED_DATA'] = before;
    }
  });
});

function hasData(): boolean {
  try {
    return sharedData() !== '';
  } catch {
    return false;
  }
}

const hostOptions = (path: string, tools: TypeScriptTool[]): HostOptions => ({
  tools,
  workspace: dirname(path),
  policyOf: () => 'real',
  ask: async () => 'unavailable',
  timeoutMs: 5000,
  outputBytes: 16_384,
  memoryMb: 128,
  seed: 0,
  size: 1,
  note: () => {},
});

interface Result {
  kind: string;
  content: string;
}

async function play(hosts: ToolHosts, task: Task): Promise<Result[]> {
  const session = hosts.open(task.id);
  const results: Result[] = [];
  for (const { name, arguments: args } of task.calls ?? []) {
    const { kind, content } = await session.call(name, args);
    results.push({ kind, content });
  }
  session.close();
  return results;
}

/** Values such as M-1003, B101, P207: nobody can guess them. */
const idsOf = (call: GoldCall): string[] =>
  Object.values(call.arguments).filter(
    (value): value is string => typeof value === 'string' && /^[A-Z]-?\d{3,}$/.test(value),
  );

function wordGrams(text: string): Set<string> {
  const words = text.toLowerCase().match(/[a-z0-9']+/g) ?? [];
  return new Set(words.map((_, i) => words.slice(i, i + 3).join(' ')).slice(0, Math.max(1, words.length - 2)));
}

function jaccard(a: Set<string>, b: Set<string>): number {
  const both = [...a].filter((each) => b.has(each)).length;
  return both / (a.size + b.size - both);
}

const EMPTY = new Set(
  'a an the of to for by in on at or and is it its that what whose who so far was were how his her has have done as with e.g such'.split(
    ' ',
  ),
);

/**
 * Words of the request that stand in the name or the description of a gold tool; a value is no word of the request's
 * own.
 */
function sharedWords(task: Task, tools: readonly TypeScriptTool[]): string[] {
  const values = task.calls!.flatMap(
    (call) =>
      JSON.stringify(call.arguments)
        .toLowerCase()
        .match(/[a-z]+/g) ?? [],
  );
  const own = new Set(stems(task.prompt).filter((word) => !values.includes(word)));
  return task.calls!.flatMap(({ name }) => {
    const { description } = tools.find((tool) => tool.name === name)!;
    return stems(`${name.replace(/([A-Z])/g, ' $1')} ${description}`).filter((word) => own.has(word));
  });
}

const stems = (text: string): string[] =>
  (text.toLowerCase().match(/[a-z]+/g) ?? [])
    .filter((word) => !EMPTY.has(word))
    .map((word) => (word.length > 3 ? word.replace(/(es|s|ed|ing)$/, '') : word));
