import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EDITOR_MODELS, EDITOR_MODELS_URL } from '../../trainer/protocol/runConfig';
import type { ToolResult } from '../../trainer/protocol/trace';
import { memoryCache } from '../../trainer/rewards/judge/cache';
import { openClient } from '../../trainer/rewards/judge/openClient';
import { writerSettings } from '../../trainer/app/writer/settings';
import { writersWords } from '../../trainer/tasks/writer/words';
import { writeTasks, writtenWords, type WrittenTasks } from '../../trainer/tasks/writer/writeTasks';
import { makeTasks } from '../../trainer/app/prepare/tasks';
import { realDependencies } from '../../trainer/app/dependencies';
import { parseSettings } from '../../trainer/app/settings';
import { coach as coachWith } from '../app/cli/coach';
import { judgeServer, type Answer, type Asked } from '../rewards/judgeServer';
import { isUserError, ok, STRING, threw, tool } from './fixtures';

const coach = (dir: string, args: string[]) =>
  coachWith(dir, args, { dependencies: realDependencies, environment: {} });
const tools = [
  tool('findMember', 'Find a member by name.', { name: STRING }),
  tool('listLoans', 'Loans of a member.', { memberId: STRING }),
];
const PEOPLE = [
  'Jonas Weber',
  'Ada Moss',
  'Lin Park',
  'Omar Diaz',
  'Eva Holm',
  'Noor Said',
  'Kai Brandt',
  'Ines Vega',
  'Tom Ruiz',
  'Mia Lund',
];
const world = async (name: string, args: Record<string, unknown>): Promise<ToolResult> => {
  const at =
    name === 'findMember'
      ? PEOPLE.indexOf(String(args['name']))
      : Number(/^m-(\d)$/.exec(String(args['memberId']))?.[1] ?? -1);
  return at < 0 ? threw('no such member') : ok(name === 'findMember' ? { id: `m-${at}` } : { loans: [`book ${at}`] });
};
const hosts = { open: () => ({ call: world, close: () => undefined }) };

const isSolving = ({ body }: Asked): boolean => body.messages[1]!.content.includes('Which call is next?');
const isRanking = ({ body }: Asked): boolean => body.messages[1]!.content.includes('Mark each request');
const json = (value: unknown): Answer => ({ content: JSON.stringify(value) });
const marks = ({ body }: Asked, mark: (id: string) => number): Answer => {
  const ids = [...body.messages[1]!.content.matchAll(/^(r\d+): /gm)].map(([, id]) => id!);
  return json({ requests: ids.map((id) => ({ id, aligned: mark(id), needsTools: mark(id), concrete: mark(id) })) });
};
/** Who reads "look up NAME" and "loans of m-N" right. */
const solved = ({ body }: Asked): Answer => {
  const text = body.messages[1]!.content;
  const request = /^The request: (.*)$/m.exec(text)![1]!;
  if (text.includes('You called')) return json({ call: null });
  const name = PEOPLE.find((one) => request.includes(one));
  return json({ call: name ? { name: 'findMember', arguments: { name } } : null });
};
const WAYS = [
  'Please look up NAME for me',
  'who is this NAME, I wonder',
  'need the record of NAME right now',
  'NAME came by, find them',
  'a member called NAME wants something, search',
];
let said = 0;
/** Five good one-call requests, or nothing to call. */
const good = ({ body }: Asked): Answer => {
  const text = body.messages[1]!.content;
  if (!text.includes('solved by exactly one call')) return json({ tasks: [] });
  return json({
    tasks: WAYS.map((way) => {
      const name = PEOPLE[said++ % PEOPLE.length]!;
      return { prompt: way.replace('NAME', name), calls: [{ name: 'findMember', arguments: { name } }] };
    }),
  });
};

async function write(
  script: (asked: Asked, n: number) => Answer,
  { count = 8, timeoutMs = 60_000 } = {},
): Promise<WrittenTasks & { asked: Asked[] }> {
  const server = await judgeServer(script);
  const settings = { ...writerSettings({ writerUrl: server.url, writerModel: 'm' }, {})!, attempts: 1, timeoutMs };
  const client = await openClient({
    settings,
    engine: null,
    cache: memoryCache(),
    sleep: async () => undefined,
    now: Date.now,
  });
  try {
    said = 0;
    return {
      ...(await writeTasks({
        client,
        tools,
        count,
        seed: 1,
        hosts,
        seen: ['findMember {"name":"Jonas Weber"} -> {"id":"m-0"}'],
        signal: new AbortController().signal,
      })),
      asked: server.asked,
    };
  } finally {
    client.close();
    await server.close();
  }
}

describe('a language model as writer', function () {
  this.timeout(60_000);

  it('writes tasks that say so; kind, style, tools and real calls are in what it is asked; the lowest fifth is dropped', async () => {
    const { tasks, dropped, asked } = await write((one) =>
      isSolving(one) ? solved(one) : isRanking(one) ? marks(one, (id) => (id === 'r2' ? 0 : 9)) : good(one),
    );
    assert.equal(tasks.length, 8);
    assert.ok(tasks.every(({ source, calls, id }) => source === 'model' && calls!.length === 1 && /^w\d{4}$/.test(id)));
    assert.deepEqual(tasks[0]!.tags, ['oneCall', 'findMember']);
    assert.ok(dropped['ranked lowest']! >= 1);
    assert.ok(dropped['much like another']! > 0, 'the same words with the same name again');
    const first = asked[0]!.body.messages[1]!.content;
    for (const part of [
      /"name":"listLoans"/,
      /-> \{"id":"m-0"\}/,
      /solved by exactly one call/,
      /Style: /,
      /Difficulty: /,
    ])
      assert.match(first, part);
    assert.match(
      JSON.stringify(asked[0]!.body.response_format),
      /"const":"(findMember|listLoans)"/,
      'held to the schemas',
    );
    assert.ok(
      asked.filter(isSolving).every(({ body }) => !body.messages.some(({ content }) => content.includes('"calls"'))),
      'solved without the gold',
    );
  });

  it('drops, by reason, what is not of its kind, does not fit, fails, nobody could know, or does not come back', async () => {
    const bad = [
      { prompt: 'Hello there', calls: [] },
      { prompt: 'Find x', calls: [{ name: 'findMembers', arguments: {} }] },
      { prompt: 'Find Nobody please', calls: [{ name: 'findMember', arguments: { name: 'Nobody' } }] },
      { prompt: 'Show the loans of my neighbour', calls: [{ name: 'listLoans', arguments: { memberId: 'm-3' } }] },
      { prompt: 'What has m-4 got', calls: [{ name: 'listLoans', arguments: { memberId: 'm-4' } }] },
    ];
    const { tasks, dropped } = await write(
      (one) =>
        isSolving(one)
          ? json({ call: null })
          : json({ tasks: one.body.messages[1]!.content.includes('solved by exactly one call') ? bad : [] }),
      { count: 2 },
    );
    assert.deepEqual(tasks, []);
    const reasons = [
      'not of the kind that was asked for',
      'calls that do not fit the schemas',
      'calls that fail or find nothing',
      'a value that nobody could know',
      'other calls when it was solved without its gold',
    ];
    for (const reason of reasons) assert.ok(dropped[reason]! > 0, `${reason}: ${JSON.stringify(dropped)}`);
  });

  it('a stop ends the tool that runs for it', async () => {
    const stop = new AbortController();
    const slow = async (_name: string, _args: object, signal?: AbortSignal): Promise<ToolResult> => {
      setTimeout(() => stop.abort(new Error('stopped')), 50);
      await new Promise<void>((resolve) => {
        const late = setTimeout(resolve, 30_000);
        signal?.addEventListener('abort', () => (clearTimeout(late), resolve()), { once: true });
      });
      return threw('the call was cancelled');
    };
    const server = await judgeServer(good);
    const settings = writerSettings({ writerUrl: server.url, writerModel: 'm' }, {})!;
    const client = await openClient({
      settings,
      engine: null,
      cache: memoryCache(),
      sleep: async () => undefined,
      now: Date.now,
    });
    const startedAt = performance.now();
    const hosts = { open: () => ({ call: slow, close: () => undefined }) };
    try {
      await assert.rejects(
        writeTasks({ client, tools, count: 8, seed: 1, hosts, seen: [], signal: stop.signal }),
        /stopped/,
      );
      assert.ok(performance.now() - startedAt < 2000);
    } finally {
      client.close();
      await server.close();
    }
  });

  it('a wait for a silent server is told, and a stop ends it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'coach-writer-'));
    const server = await judgeServer(() => ({ raw: () => undefined }));
    try {
      const file = join(folder, 'tools.ts');
      writeFileSync(
        file,
        '/** Find a city. @tool */\nexport function findCity(name: "Lyon" | "Graz"): string { return name; }\n',
      );
      const stop = new AbortController();
      const told: string[] = [];
      const making = {
        config: parseSettings({ toolFile: file, writerUrl: server.url, writerModel: 'm', taskCount: 20 }),
        found: await realDependencies.discover([file]),
        workspace: folder,
        cwd: folder,
        note: () => undefined,
        dependencies: realDependencies,
        signal: stop.signal,
        onProgress(message: string) {
          told.push(message);
          if (message.startsWith('Asking the writer')) stop.abort(new Error('stopped'));
        },
      };
      await assert.rejects(makeTasks(making), /stopped/);
      assert.match(told.at(-1)!, /^Asking the writer.*, for \d+ s$/);
    } finally {
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it("a question that its model cannot hold is one reason, with a way out that is a writer's", () => {
    const judges = (tokens: number): string =>
      `the question is ${tokens} tokens and its reply up to 1102, this judge reads 2048: judgeMode pairwise and smaller groups make it shorter`;
    assert.match(writersWords(judges(1401)), /longer than the 2048 tokens that this writer reads; take a model with/);
    assert.equal(writersWords(judges(1401)), writersWords(judges(1465)));
  });

  it('nonsense and silence end in no task and a count, not in a failure', async () => {
    const nonsense = await write(() => ({ content: 'Sure! Here are some tasks.' }));
    assert.deepEqual(
      [nonsense.tasks.length, Object.keys(nonsense.failed)],
      [0, ['the writer gave no reply: the reply is not one JSON object']],
    );
    assert.ok(nonsense.asked.length <= 10, 'it is not asked for ever');
    const silent = await write(() => ({ raw: () => undefined }), { timeoutMs: 150 });
    assert.match(Object.keys(silent.failed)[0]!, /no answer in 150 ms/);
    assert.match(
      writtenWords(silent, 8),
      /^the writer gave 0 of 8 requests; \d+ questions came to nothing: \d+ the writer gave no reply/,
    );
  });

  it('is named by settings or environment, its key goes only to the server that it was given for, and messages speak of a writer', () => {
    assert.equal(writerSettings({}, {}), null);
    const environment = {
      COACH_WRITER_URL: 'http://a.example/v1',
      COACH_WRITER_MODEL: 'm',
      COACH_WRITER_KEY: 'sk-1',
      COACH_JUDGE_KEY: 'sk-judge',
    };
    assert.deepEqual([writerSettings({}, environment)!.apiKey, writerSettings({}, environment)!.model], ['sk-1', 'm']);
    assert.throws(
      () => writerSettings({ writerUrl: 'http://b.example/v1' }, environment),
      isUserError(/the writer's key was given for http:\/\/a\.example/, /COACH_WRITER_URL/),
    );
    assert.throws(
      () => writerSettings({ writerUrl: 'http://a.example/v1' }, {}),
      isUserError(/the writer needs a server and a model/, /COACH_WRITER_MODEL/),
    );
    assert.throws(
      () => writerSettings({ writerUrl: 'http://u:p@a.example/v1', writerModel: 'm' }, {}),
      isUserError(/no name, password or query/),
    );
    const lent = writerSettings(
      { writerUrl: EDITOR_MODELS, writerModel: 'gpt' },
      { [EDITOR_MODELS_URL]: 'http://127.0.0.1:9/v1', COACH_JUDGE_KEY: 'sk-judge', COACH_WRITER_KEY: 'lent' },
    )!;
    assert.deepEqual([lent.address, lent.apiKey], ['http://127.0.0.1:9/v1', 'lent']);
    assert.equal(writerSettings({ writerUrl: '/models/w.gguf' }, environment)!.modelPath, '/models/w.gguf');
  });
});

describe('coach tasks --writer', function () {
  this.timeout(120_000);
  const dir = mkdtempSync(join(tmpdir(), 'coach-writer-'));
  after(() => rmSync(dir, { recursive: true, force: true }));
  const TOOL = `/** Find a member by name.\n * @param name first and last name\n * @example findMember("Jonas Weber")\n * @example findMember("Ada Moss")\n * @tool */
export function findMember(name: string): { id: string } {\n  const at = ${JSON.stringify(PEOPLE)}.indexOf(name);\n  if (at < 0) throw new Error('no such member');\n  return { id: 'm-' + at };\n}\n`;

  it('mixes written tasks with generated ones, keeps the replies, and says in one note what an unreachable writer means', async () => {
    writeFileSync(join(dir, 'package.json'), '{}');
    writeFileSync(join(dir, 'library.ts'), TOOL);
    const server = await judgeServer((one) =>
      isSolving(one) ? solved(one) : isRanking(one) ? marks(one, () => 5) : good(one),
    );
    const lines = (text: string): { source: string; id: string; prompt: string }[] =>
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
    try {
      said = 0;
      const first = await coach(dir, [
        'tasks',
        'library.ts',
        '--count',
        '40',
        '--writer',
        server.url,
        '--writer-model',
        'm',
        '--out',
        'a.jsonl',
      ]);
      assert.equal(first.code, 0, first.stderr);
      const tasks = lines(readFileSync(join(dir, 'a.jsonl'), 'utf8'));
      const written = tasks.filter(({ source }) => source === 'model');
      assert.ok(
        written.length >= 5 && tasks.length > written.length,
        `${written.length} of ${tasks.length}\n${first.stderr}`,
      );
      assert.ok(tasks.every(({ source }) => ['model', 'grammar', 'schema'].includes(source)));
      assert.match(first.stderr, /the writer gave \d+ of 40 requests/);
      const requests = server.asked.length;
      const again = await coach(dir, [
        'tasks',
        'library.ts',
        '--count',
        '40',
        '--writer',
        server.url,
        '--writer-model',
        'm',
        '--out',
        'b.jsonl',
      ]);
      assert.equal(again.code, 0, again.stderr);
      assert.equal(readFileSync(join(dir, 'b.jsonl'), 'utf8'), readFileSync(join(dir, 'a.jsonl'), 'utf8'));
      assert.ok(server.asked.length < 2 * requests, 'what is kept is not asked again');
    } finally {
      await server.close();
    }
    const gone = await coach(dir, [
      'tasks',
      'library.ts',
      '--count',
      '40',
      '--writer',
      'http://127.0.0.1:9/v1',
      '--writer-model',
      'm',
      '--out',
      'c.jsonl',
    ]);
    assert.equal(gone.code, 0, gone.stderr);
    assert.match(
      gone.stderr,
      /Warning: the writer's server http:\/\/127\.0\.0\.1:9\/v1 can't be reached: .*; all requests are made by Coach itself/,
    );
    assert.ok(lines(readFileSync(join(dir, 'c.jsonl'), 'utf8')).every(({ source }) => source !== 'model'));
  });
});
