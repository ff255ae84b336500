/**
 * Making a tool from demonstrations: what a scripted maker sends, what is refused and why, what is offered and written.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { realDependencies } from '../../../trainer/app/dependencies';
import { ASKERS } from '../../../trainer/app/distill/teacher';
import { divided } from '../../../trainer/app/maketool/demonstrations';
import { makeTool } from '../../../trainer/app/maketool/makeTool';
import { sleepFor } from '../../../trainer/rewards/judge/judge';
import { remotePolicy, remoteSettings } from '../../../trainer/rollout/policy/remote';
import { readTasks } from '../../../trainer/tasks/readTasks';
import { Discovery } from '../../../trainer/tools/sources/typescript/toolFile';
import { judgeServer, type Answer, type Asked, type JudgeServer } from '../../rewards/judgeServer';
import { tempFolder } from '../../store/runs/sample';
import { isUserError } from '../../tasks/fixtures';
import { coach, type Ran } from './coach';

const demos = ['pear fig', 'b a', 'yak gnu cat', 'two one', 'z y x', 'dog ant', 'rook pawn', 'oak ash elm'].map(
  (words) => ({
    request: `Sort these words: ${words}`,
    answer: words.split(' ').sort().join(' '),
  }),
);
const lines = (all: readonly object[]): string => all.map((one) => `${JSON.stringify(one)}\n`).join('');

const doc = `/** Sort words by the alphabet.
 *  @param words what is to be sorted, in any order
 *  @pure
 *  @tool */
`;
const sorter = (body: string, head = 'export function sortWords(words: string[]): string'): string =>
  `\`\`\`ts\n${doc}${head} {\n  ${body}\n}\n\`\`\``;
const leftOver = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith('coach-maketool-'));
const RIGHT = sorter("return [...words].sort().join(' ');");

const ofSort = (request: string): object => ({ words: request.replace(/^.*: /, '').split(' ') });
/** What a maker says that was asked for the calls: by default the right ones. */
function callsFor({ body }: Asked, of: (request: string) => unknown = ofSort): string {
  const asked = body.messages.at(-1)!.content;
  const requests = [...asked.matchAll(/^(\d+): (.*)$/gm)];
  return JSON.stringify(Object.fromEntries(requests.map(([, id, request]) => [id, of(request!)])));
}
const isAboutCalls = ({ body }: Asked): boolean => body.messages.at(-1)!.content.startsWith('Now use ');
const isAboutTools = ({ body }: Asked): boolean => body.messages.at(-1)!.content.startsWith('These tools are there');

describe('coach maketool', function () {
  this.timeout(30_000);
  const { dir, remove } = tempFolder();
  const opened: JudgeServer[] = [];
  // what is left over is looked for in a folder of its own: other tests make tools beside this one
  const { TMPDIR } = process.env;
  before(() => {
    mkdirSync(join(dir, '.tmp'));
    process.env.TMPDIR = join(dir, '.tmp');
    mkdirSync(join(dir, '.git'));
    writeFileSync(join(dir, 'demos.jsonl'), lines(demos));
  });
  after(async () => {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
    await Promise.all(opened.map((server) => server.close()));
    remove();
  });

  /** @param replies of a scripted maker to each proposal, in turn; calls as callsFor has them */
  async function make(
    replies: string[] | ((asked: Asked) => Answer),
    args: string[] = [],
    stopAt?: RegExp,
  ): Promise<Ran & { asked: Asked[] }> {
    let proposals = 0;
    const script = (asked: Asked): Answer =>
      typeof replies === 'function'
        ? replies(asked)
        : {
            content: isAboutCalls(asked)
              ? callsFor(asked)
              : isAboutTools(asked)
                ? '{"tool":null}'
                : replies[proposals++]!,
          };
    const server = await judgeServer(script);
    opened.push(server);
    const given = ['tools.ts', '--from', 'demos.jsonl', '--maker', server.url, '--maker-model', 'm', ...args];
    const ran = await coach(dir, ['maketool', ...given], {
      dependencies: {
        ...realDependencies,
        openHosts: (o) => realDependencies.openHosts({ ...o, timeoutMs: 600, memoryMb: 48 }),
      },
      environment: { COACH_MAKER_KEY: 'sk-maker' },
      ...(stopAt ? { stopAt } : {}),
    });
    return { ...ran, asked: server.asked };
  }

  it('sends two wrong tools back with why, takes the third, and prints it as a diff', async () => {
    const { code, stdout, stderr, asked } = await make([
      sorter("return words.join(' ');"),
      sorter("return words.sort().reverse().join(' ');"),
      RIGHT,
    ]);
    assert.equal(code, 0, stderr);
    assert.match(
      stderr,
      /Try 1 of 3: for "Sort these words: pear fig", called with .*: it gave "pear fig", right is "fig pear"/,
    );
    assert.match(stderr, /sortWords passed at try 3: right on the 3 demonstrations .* and the 3 that verify it/);
    assert.match(stderr, /On 2 further ones it is right 2 times/);
    assert.match(stderr, /Nothing is written; --apply adds it, with 8 tasks/);
    assert.match(stdout, /^--- \/dev\/null\n\+\+\+ b\/tools\.ts\n@@ -0,0 \+1,\d+ @@\n\+\/\*\* Sort words/);
    assert.ok(!existsSync(join(dir, 'tools.ts')));
    assert.ok(asked.every(({ headers }) => headers.authorization === 'Bearer sk-maker'));
    // the maker never reads the answers that verify, nor a further one
    const told = asked.map(({ body }) => JSON.stringify(body)).join('\n');
    for (const { answer } of demos.slice(3)) assert.ok(!told.includes(answer), answer);
    assert.ok(demos.slice(0, 3).every(({ answer }) => told.includes(answer)));
    assert.deepEqual(leftOver(), []);
  });

  it('refuses whatever is no such tool, with one reason each, and runs none of it that could reach out', async () => {
    const two = `${doc}export function one(words: string[]): string { return words[0]!; }\n${doc}export function two(words: string[]): string { return words[0]!; }`;
    const bad: [reply: string, why: RegExp][] = [
      ['I would rather talk about the weather.', /the reply holds no code block/],
      ['```python\ndef sort(words):\n    return sorted(words)\n```', /line 1 is no TypeScript/],
      [sorter("return require('fs').readdirSync('/')[0];"), /it imports fs/],
      [
        `\`\`\`ts\nimport { readFileSync } from 'fs';\n${doc}export function sortWords(words: string[]): string { return readFileSync(words[0]!, 'utf8'); }\n\`\`\``,
        /it imports fs; a tool here imports nothing/,
      ],
      [sorter('return process.cwd();'), /it uses process;/],
      [sorter("return String(globalThis['fetch']);"), /it uses globalThis;/],
      [sorter('return words[Math.floor(Math.random() * words.length)]!;'), /it uses Math\.random;/],
      [`\`\`\`ts\n${two}\n\`\`\``, /it has 2 tools, one and two/],
      ['```ts\nexport function sortWords(words: string[]): string { return words.join(); }\n```', /no tool/],
      [
        '```ts\n/** Sort words.\n *  @tool */\nexport function sortWords(words: string[]): string { return words.join(); }\n```',
        /words has no description/,
      ],
      [
        sorter('return words[0]!;', 'export function deleteWords(words: string[]): string').replace(' *  @pure\n', ''),
        /as if it changed something outside/,
      ],
      [sorter('return words[0]!;').replace('\n```', "\nthrow new Error('at the top');\n```"), /at the top/],
      [sorter("throw new Error('no idea');"), /no idea/],
      [sorter('for (;;);'), /600 ms/],
      [sorter('const all: number[][] = []; for (;;) all.push(new Array(4e6).fill(all.length));'), /died|memory/],
      [sorter("return 'x'.repeat(40_000);"), /longer than what a model reads/],
      [sorter("return 'fig pear';"), /which is not right|right is/],
    ];
    const { code, json, stderr } = await make(
      bad.map(([reply]) => reply),
      ['--tries', String(bad.length), '--json'],
    );
    assert.equal(code, 2, stderr);
    const said = stderr.split('\n').filter((line) => line.startsWith('Try '));
    assert.equal(said.length, bad.length, stderr);
    bad.forEach(([, why], i) => assert.match(said[i]!, why));
    assert.match(stderr, /coach: no tool passed in 17 tries: 5 reached for something outside of its arguments/);
    const expected = { noCode: 1, notTypeScript: 1, outside: 5, notOneTool: 2, undescribed: 1, changesWorld: 1 };
    const ran = { notLoaded: 1, threw: 1, timedOut: 1, tooMuch: 2, wrongAnswer: 1 };
    assert.deepEqual(json.refused, { ...expected, ...ran });
    assert.equal(json.tool, null);
  });

  it('writes the tool and its tasks with --apply alone, behind what is there, and takes no name twice', async () => {
    writeFileSync(
      join(dir, 'tools.ts'),
      'const helper = 1;\n/** Say it.\n *  @param text what\n *  @tool */\nexport const say = (text: string): string => text + helper;',
    );
    const shadowing = RIGHT.replace('```ts\n', '```ts\nconst helper = 2;\n');
    const { code, json, stderr } = await make([shadowing, RIGHT], ['--apply', '--json']);
    assert.equal(code, 0, stderr);
    assert.deepEqual([json.tool, json.tries, json.refused], ['sortWords', 2, { nameTaken: 1 }]);
    const { tools } = new Discovery().discover([join(dir, 'tools.ts')]);
    assert.deepEqual(
      tools.map(({ name }) => name),
      ['say', 'sortWords'],
    );
    assert.match(
      stderr,
      /Written, with 8 tasks in tools\.tasks\.jsonl; so that others are made as before, .*fillTasks/,
    );
    assert.deepEqual(tools[1]!.examples, ['sortWords(["b","a"])']);
    assert.equal(readFileSync(join(dir, 'tools.ts'), 'utf8'), json.text);
    const tasks = readTasks(join(dir, 'tools.tasks.jsonl'), tools);
    assert.equal(tasks.length, demos.length);
    const { prompt, calls, answer, source } = tasks[0]!;
    assert.deepEqual({ prompt, answer, source }, { prompt: demos[0]!.request, answer: 'fig pear', source: 'person' });
    assert.deepEqual(calls, [{ name: 'sortWords', arguments: { words: ['pear', 'fig'] } }]);
    const again = await make([RIGHT, RIGHT, RIGHT]);
    assert.equal(again.code, 2);
    assert.match(again.stderr, /no tool passed in 3 tries: 3 took a name that is there already/);
  });

  it('makes none where a tool that is there gives the right answers, and does not believe it unseen', async () => {
    const says =
      (tool: string) =>
      (asked: Asked): Answer => {
        if (isAboutTools(asked)) return { content: JSON.stringify({ tool }) };
        const isSay = asked.body.messages.at(-1)!.content.startsWith('Now use say.');
        return {
          content: isAboutCalls(asked)
            ? callsFor(asked, isSay ? (text) => ({ text }) : ofSort)
            : RIGHT.replace('sortWords', 'inOrder'),
        };
      };
    const known = await make(says('sortWords'));
    assert.equal(known.code, 0, known.stderr);
    assert.match(known.stderr, /^sortWords is there already, and right on all of 6 demonstrations: no tool is made/m);
    assert.equal(known.stdout, '');
    assert.equal(known.asked.length, 2);
    const wrong = await make(says('say'));
    assert.match(wrong.stderr, /inOrder passed at try 1/);
  });

  it('ends where calls can not be made, a reply is cut, or the budget is spent', async () => {
    const calls = (content: string): Promise<Ran> =>
      make(
        (asked) => ({ content: isAboutCalls(asked) ? content : RIGHT.replace('sortWords', 'order') }),
        ['--tries', '1'],
      );
    assert.match((await calls('no')).stderr, /the calls can't be read: the reply is not one JSON object/);
    assert.match((await calls('{"1":{"words":["a"]}}')).stderr, /no object of arguments for request 2/);
    const wrong = (
      await make(
        (asked) => ({
          content: isAboutCalls(asked) ? callsFor(asked, () => ({ words: 3 })) : RIGHT.replace('sortWords', 'order'),
        }),
        ['--tries', '1'],
      )
    ).stderr;
    assert.match(wrong, /1 came without calls that can be made/);
    assert.match(
      (await make(() => ({ content: '```ts\nexport', finish: 'length' }), ['--tries', '1'])).stderr,
      /1 was cut off by its length/,
    );
    const spent = await make(['no', 'no'], ['--maker-budget', '200', '--tries', '2']);
    assert.match(
      spent.stderr,
      /no tool passed in 1 try: 1 held no code; the maker's budget is spent: 220 of 200 tokens/,
    );
  });

  it('a maker that never answers is one message, and a stop ends it; no code of its stays', async () => {
    const server = await judgeServer(() => ({ raw: () => undefined }));
    opened.push(server);
    const settings = { ...remoteSettings(server.url, 'm', undefined, 'maker'), timeoutMs: 100, attempts: 1 };
    const policy = await remotePolicy(settings, { sleep: sleepFor, now: Date.now, asker: ASKERS.maker });
    const asked = makeTool({
      policy,
      replyTokens: null,
      parts: divided(demos),
      taken: { tools: [], names: [] },
      tries: 3,
      seed: 0,
      openHosts: () => Promise.reject(new Error('no code came')),
      spent: () => null,
      signal: new AbortController().signal,
      onRefused: () => undefined,
    });
    await assert.rejects(asked, isUserError(/the maker gave no answer in 1 tries: .*100 ms/, /name another maker/));
    const stopped = await make([sorter('for (;;);')], [], /^Try 1/);
    assert.equal(stopped.code, 130);
    assert.deepEqual(leftOver(), []);
  });

  it('a maker that can not be asked, and demonstrations that are none, are one message each', async () => {
    const refused = await make(() => ({ status: 401 }));
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /^coach: .*401/m);
    const told = async (demonstrations: string, ...args: string[]): Promise<string> => {
      writeFileSync(join(dir, 'bad.jsonl'), demonstrations);
      const { code, stderr } = await coach(dir, ['maketool', 'tools.ts', '--from', 'bad.jsonl', ...args]);
      assert.equal(code, 2, stderr);
      return stderr;
    };
    assert.match(
      await told(''),
      /bad\.jsonl: a tool needs 6 demonstrations, 3 to be made from and 3 to be verified with; there are 0/,
    );
    const one = demos.map(({ request }) => ({ request, answer: 'yes' }));
    assert.match(
      await told(lines(one)),
      /all 8 demonstrations have one answer, "yes": a tool that always gives it would pass/,
    );
    assert.match(await told('{"request":"a"}\n'), /bad\.jsonl:1: is no demonstration: answer/);
    assert.match(await told('{"request":"a","answer":1,"n":2}\n'), /bad\.jsonl:1: is no demonstration: .*"n"/);
    assert.match(await told('nonsense\n'), /bad\.jsonl:1: is not JSON/);
    assert.match(await told(lines([demos[0]!, demos[0]!])), /bad\.jsonl:2: the request stands on line 1 already/);
    assert.match(await told(lines(demos)), /coach maketool needs --maker URL\|DIR\|GGUF/);
    const { stderr } = await coach(dir, ['maketool', 'tools.js', '--from', 'demos.jsonl', '--maker', 'x']);
    assert.match(stderr, /tools\.js: a made tool is TypeScript/);
    assert.match((await coach(dir, ['maketool', 'tools.ts'])).stderr, /needs --from DEMOS\.jsonl/);
    assert.match(
      (await coach(dir, ['maketool', 'tools.ts', '--from', 'none.jsonl'])).stderr,
      /none\.jsonl: .*no such file/,
    );
  });
});
