import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BUILT_IN_REWARDS } from '../../trainer/rewards/registry';
import { coach } from '../app/cli/coach';
import { tempFolder } from '../store/runs/sample';
import { STRING, task, tool } from '../tasks/fixtures';
import { trace } from './fixtures';
import { judgeServer, ranking } from './judgeServer';

describe('coach score', () => {
  const { dir, remove } = tempFolder();
  after(remove);
  const file = (name: string, lines: (object | string)[]): string => {
    writeFileSync(
      join(dir, name),
      lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'),
    );
    return name;
  };
  const scored = async (lines: (object | string)[], reward: string, more: string[] = []) => {
    const { code, stdout, stderr } = await coach(dir, ['score', file('in.jsonl', lines), '--reward', reward, ...more]);
    assert.equal(code, 0, stderr);
    return {
      lines: stdout
        .trimEnd()
        .split('\n')
        .map(
          (line) =>
            JSON.parse(line) as {
              rewards: Record<string, number | null>;
              components: Record<string, Record<string, number>>;
              error?: string;
            },
        ),
      stderr,
    };
  };
  const refused = async (args: string[], message: RegExp) => {
    const { code, stdout, stderr } = await coach(dir, ['score', ...args]);
    assert.deepEqual([code, stdout], [2, ''], stderr);
    assert.match(stderr, message);
    assert.ok(stderr.trim().split('\n').length === 2, `one message and one hint: ${stderr}`);
  };
  const call = (parameters: object) =>
    `<think>I look.</think>\n<tool_call>\n${JSON.stringify({ name: 'search', parameters })}\n</tool_call>`;
  const asked = { role: 'user', content: 'How many?' };
  const calls = (args: unknown) => ({
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'c', type: 'function', function: { name: 'search', arguments: args } }],
  });

  it("raw text in ToolRL's tags, by ToolRL's own rule and by others", async () => {
    const { lines } = await scored(
      [
        { completion: call({ q: true, n: 1 }), answer: call({ q: 1, n: 2 }), step: 3 },
        '',
        {
          completion: '<think>t</think>\n<response>It is 7.</response>',
          answer: '<think>t</think>\n<response>7</response>',
        },
      ],
      'toolrl,answer,searchFirst',
    );
    assert.deepEqual(lines, [
      // names 1, keys 1, one of two values (True is 1): 6 x 3/4 - 3
      {
        rewards: { toolrl: 2.5, answer: null, searchFirst: 1 },
        components: { toolrl: { format: 1, correctness: 1.5 }, answer: {}, searchFirst: { searchFirst: 1 } },
      },
      {
        rewards: { toolrl: 1, answer: 1, searchFirst: null },
        components: { toolrl: { format: 1, correctness: 0 }, answer: { answer: 1 }, searchFirst: {} },
      },
    ]);
  });

  it('options behind commas or colons, by the step of the line', async () => {
    for (const spec of ['toolrl:withLength=1,max1Step30Max3=true', 'toolrl:withLength=1:max1Step30Max3']) {
      const { lines } = await scored(
        [
          { completion: call({}), answer: call({}), step: 29 },
          { completion: call({}), answer: call({}), step: 30 },
        ],
        spec,
      );
      assert.deepEqual(
        lines.map((line) => line.components.toolrl),
        [
          { format: 1, correctness: 1, length: 0 },
          { format: 0.5, correctness: 3, length: 0 },
        ],
      );
    }
  });

  it("a gold text that can not be read is that line's error, not a 0", async () => {
    const { lines } = await scored(
      [
        { completion: call({}), answer: '<tool_call>\nf(1)\n</tool_call>' },
        { completion: call({}), answer: call({}) },
      ],
      'toolrl',
    );
    assert.equal(lines[0].rewards.toolrl, null);
    assert.match(lines[0].error!, /^toolrl: the gold calls of the answer can't be read/);
    assert.deepEqual([lines[1].rewards.toolrl, lines[1].error], [4, undefined]);
  });

  it('messages with gold: arguments as an object or as text, gold in three forms, results by their order', async () => {
    const dialogue = (args: unknown, ...rest: object[]) => [
      asked,
      calls(args),
      { role: 'tool', content: '[7]' },
      ...rest,
    ];
    const end = { role: 'assistant', content: 'There are 7.' };
    const unknown = '{"error":"unknown_tool","valid_tools":["find"]}';
    const { lines } = await scored(
      [
        {
          messages: dialogue('{"q":"rent"}', end),
          gold: { calls: [{ name: 'search', arguments: { q: 'rent' } }], answer: 7 },
        },
        { messages: dialogue({ q: 'rent' }, end), gold: [{ name: 'search', parameters: { q: 'rents' } }] },
        { messages: dialogue({ q: 'rent' }), gold: 'seven' },
        { messages: [asked, calls({}), { role: 'tool', tool_call_id: 'c', content: '{"error":"no such tool"}' }, end] },
        { messages: [asked, calls({}), { role: 'tool', tool_call_id: 'c', content: unknown }, end] },
      ],
      'correctness,answer,toolSuccess,format',
    );
    assert.deepEqual(
      lines.map((line) => line.rewards),
      [
        { correctness: 1, answer: 1, toolSuccess: 1, format: 1 },
        { correctness: 2 / 3, answer: 1, toolSuccess: 1, format: 1 }, // names 1, keys 1, value 0, of 3
        { correctness: null, answer: 0, toolSuccess: 1, format: 0 }, // no reply
        { correctness: null, answer: 0, toolSuccess: 0, format: 1 }, // 7 was found nowhere,
        { correctness: null, answer: 0, toolSuccess: 0, format: 1 }, // a name of no tool
      ],
    );
  });

  it('lines of one group are compared; a lone one is told', async () => {
    const replies = (n: number, group?: string) => ({
      messages: [
        asked,
        ...Array.from({ length: n }, () => [calls({}), { role: 'tool', content: '1' }]).flat(),
        { role: 'assistant', content: '7' },
      ],
      gold: '7',
      ...(group ? { group } : {}),
    });
    const { lines, stderr } = await scored([replies(1, 'a'), replies(1), replies(3, 'a')], 'otc');
    assert.deepEqual(
      lines.map((line) => line.rewards.otc),
      [1, 1, Math.sin((1.5 * Math.PI) / 2)],
    );
    assert.match(stderr, /otc: compares the members of a group, and 1 of 3 lines are alone/);
    assert.match(stderr, /^otc +1 +3 /m, 'the summary');
    const { code, stderr: quiet } = await coach(dir, [
      'score',
      file('one.jsonl', [replies(1)]),
      '--reward',
      'answer',
      '--json',
    ]);
    assert.deepEqual([code, quiet], [0, '']);
  });

  it("traces of a run: gold and tools are the run's", async () => {
    const tools = [tool('search', 'Search.', { q: STRING, 'n?': { type: 'number', default: 5 } })];
    const run = join(dir, 'run');
    mkdirSync(join(run, 'traces'), { recursive: true });
    writeFileSync(join(run, 'run.json'), '{}');
    writeFileSync(join(run, 'tools.json'), JSON.stringify(tools));
    writeFileSync(
      join(run, 'tasks.json'),
      JSON.stringify({
        train: [{ ...task('t', [{ name: 'search', arguments: { q: 'rent' } }], '7'), id: 't' }],
        validation: [],
        heldOut: [],
      }),
    );
    writeFileSync(
      join(run, 'traces/train.jsonl'),
      `${JSON.stringify(trace([{ calls: [['search', { q: 'rent', n: 5 }]] }, { text: 'It is 7.' }]))}\n`,
    );
    const { code, json, stderr } = await coach(dir, [
      'score',
      'run/traces/train.jsonl',
      '--reward',
      'correctness,toolrla,tgrl',
      '--json',
    ]);
    assert.equal(code, 0, stderr);
    // toolrla compares what was written: one of two values was not asked for
    assert.deepEqual(json.rewards, { correctness: 1, toolrla: 1 + 1 * 1 * 0.5 + 1, tgrl: 2 });
  });

  it('--list: all, with range, source and options', async () => {
    const { code, json } = await coach(dir, ['score', '--list', '--json']);
    assert.equal(code, 0);
    assert.deepEqual(
      json.rewards.map((reward: { name: string }) => reward.name),
      Object.keys(BUILT_IN_REWARDS),
    );
    const toolrl = json.rewards.find((reward: { name: string }) => reward.name === 'toolrl');
    assert.deepEqual(
      [toolrl.range, Object.keys(toolrl.options)],
      [
        [-3, 4],
        [
          'withLength',
          'scheduleLength',
          'correctMax1',
          'max1Step30Max3',
          'scheduleReward',
          'refined',
          'intermediate',
          'coarse',
          'template',
        ],
      ],
    );
    const { stdout } = await coach(dir, ['score', '--list']);
    assert.match(
      stdout,
      /^toolrla {2}\[-10, 3\]\n {2}format \+ name x coverage.*\n {2}ToolRLA, arXiv:2603\.01620.*\n {2}:lambda=10 \(0 to 1000\) {2}what a violation costs$/m,
    );
    assert.match(stdout, /^hdpo {2}\[0, 1\], an advantage channel/m);
  });

  it('a judge ranks lines of one group', async () => {
    const server = await judgeServer((asked) => ranking(asked, (text) => Number(text.includes('7'))));
    try {
      const reply = (content: string) => ({ group: 'a', messages: [asked, { role: 'assistant', content }], gold: '7' });
      const { lines, stderr } = await scored([reply('7'), reply('8')], 'judge', [
        '--judge-url',
        server.url,
        '--judge-model',
        'm',
      ]);
      assert.deepEqual(
        lines.map((line) => line.rewards.judge),
        [1, 0],
      );
      assert.match(
        stderr,
        /^judge m \(ranking 2, checklist 2, rubric 2, [0-9a-f]{16}\): 2 judged, 0 not; 2 requests, 200 \+ 20 tokens$/m,
      );
      await refused(
        [file('a.jsonl', [reply('7')]), '--reward', 'judge', '--judge-url', server.url],
        /no model is named\nSet COACH_JUDGE_URL/,
      );
    } finally {
      await server.close();
    }
  });

  it('one clear message for bad input, with line and nearest name', async () => {
    const good = { completion: call({}), answer: call({}) };
    await refused([], /needs FILE\.jsonl, or --list\nFor example/);
    await refused([file('a.jsonl', [good])], /needs --reward NAME\nRewards: correctness/);
    await refused(['a.jsonl', '--reward', 'toolr'], /unknown reward 'toolr'\nDid you mean toolrl\?/);
    await refused(['a.jsonl', '--reward', 'toolrl:refind=1'], /toolrl has no option 'refind'\nDid you mean refined\?/);
    await refused(['a.jsonl', '--reward', 'toolrl:refined=2'], /refined must be true or false, got '2'/);
    await refused(['a.jsonl', '--reward', 'toolrl*NaN'], /weight of 'toolrl' must be a finite number, got 'NaN'/);
    await refused(['gone.jsonl', '--reward', 'toolrl'], /gone\.jsonl: can't be read/);
    await refused(['a.jsonl', '--list'], /--list takes no file/);
    const bad = (lines: (object | string)[], message: RegExp) =>
      refused([file('b.jsonl', lines), '--reward', 'toolrl'], message);
    await bad([], /b\.jsonl: there is no line in it/);
    await bad([good, '', '{"completion": '], /b\.jsonl:3: is not JSON/);
    await bad([good, '[1]'], /b\.jsonl:2: must be an object, got \[1\]/);
    await bad([{ completon: 'x' }], /b\.jsonl:1: has neither messages nor a completion.*\nDid you mean completion\?/);
    await bad([{ completion: 3, answer: '' }], /:1: completion must be text, got 3/);
    await bad([{ completion: '' }], /:1: answer must be text in ToolRL's tags, got nothing/);
    await bad([{ ...good, step: 1.5 }], /:1: step must be a whole number, got 1\.5/);
    await bad([{ messages: [{ role: 'assistent', content: 'x' }] }], /:1: messages: .*role/);
    await bad(
      [{ messages: [asked], gold: { calls: [], anwser: '7' } }],
      /:1: gold has no field 'anwser'\nDid you mean answer\?/,
    );
    await bad([{ messages: [asked, calls('{"q":')], gold: '7' }], /:1: messages: /);
    await bad(
      [{ messages: [asked, { role: 'tool', content: '1' }], gold: '7' }],
      /:1: messages\.1: a tool's result without a call/,
    );
    await bad(
      [
        {
          messages: [asked],
          gold: [{ name: 'serch', arguments: {} }],
          tools: [{ type: 'function', function: { name: 'search' } }],
        },
      ],
      /:1: a gold call names the tool 'serch', which does not exist\nDid you mean search\?/,
    );
    await bad([{ ...trace([]), turns: 3 }], /:1: is no trace: .*turns/);
    await bad([{ ...trace([]), version: 99 }], /trace version must be at most/);
  });
});
