import assert from 'node:assert/strict';
import { few, rehearsalRows } from '../../trainer/protocol/rehearsal';
import type { Task, ToolSchema } from '../../trainer/protocol/task';
import type { ToolResult, ToolResultKind, Trace } from '../../trainer/protocol/trace';
import { spreadOverKinds } from '../../trainer/recipes/rehearsal/rehearse';
import { figuresOf, problemsOf, warmStepsOf, type Rehearsed } from '../../trainer/recipes/rehearsal/report';
import { parseSettings, withLimits } from '../../trainer/app/settings';
import { sampleTool, sampleTrace } from '../store/runs/sample';

const tools: ToolSchema[] = ['search', 'remove'].map((name) => ({ ...sampleTool, name }));
const task = (id: string, name = 'search'): Task => ({
  id,
  prompt: `Find ${id}`,
  calls: [{ name, arguments: { query: id } }],
});
const tasks = Array.from({ length: 6 }, (_, i) => task(`${i}`));
const result = (kind: ToolResultKind = 'ok', content = '[]'): ToolResult => ({
  kind,
  content,
  policy: 'real',
  startedAt: 0,
  durationMs: 0,
});
const config = withLimits(parseSettings({ toolFile: 'x', maxTokens: 64 }));
const K = 4;

const trace = (id: string, more: Partial<Trace>): Trace =>
  sampleTrace(id, { solved: false, reward: 0, truncated: 'no', ...more });
/** A policy that solves every second episode. */
const fine = (more: (i: number) => Partial<Trace> = () => ({})): Rehearsed => ({
  tools,
  k: K,
  gold: [
    { tool: 'search', result: result() },
    { tool: 'search', result: result() },
    { tool: 'search', result: result() },
  ],
  goldRewards: [1, 1],
  greedy: [0, 1].map((i) => trace(`g${i}`, { solved: i === 0, ...more(i) })),
  sampled: Array.from({ length: 2 * K }, (_, i) =>
    trace(`s${i}`, { solved: i % 2 === 0, reward: i % 2 === 0 ? 1 : 0, ...more(i) }),
  ),
});
const problems = (r: Rehearsed, settings = config): string =>
  problemsOf(figuresOf(r), r, settings, tasks)
    .map(({ what, wayOut }) => `${what} -> ${wayOut}`)
    .join('\n');

describe('rehearsal', () => {
  it('lets through what can learn, also where it solves nothing yet', () => {
    assert.equal(problems(fine()), '');
    assert.equal(
      problems(fine(() => ({ solved: false, reward: 0 }))),
      '',
      'all fail, but the right calls would be rewarded',
    );
  });

  it('a budget that is too small: every episode is cut off at maxTokens', () => {
    const ids = Array.from({ length: 64 }, () => 1);
    const cut = fine(() => ({
      solved: false,
      reward: 0,
      truncated: 'tokenLimit',
      turns: [],
      tokens: { ids, logprobs: ids.map(() => null), completionMask: ids.map(() => 0), writer: 'p'.repeat(64) },
    }));
    assert.match(
      problems(cut),
      /^10 of 10 episodes were cut off at maxTokens 64 .* -> Leave maxTokens out, and it is planned/,
    );
    assert.equal(figuresOf(cut).cutOff, figuresOf(cut).episodes);
    const some = (n: number): Rehearsed => ({
      ...cut,
      greedy: fine().greedy,
      sampled: [...cut.sampled.slice(0, n), ...fine().sampled.slice(n)],
    });
    assert.match(problems(some(8)), /^8 of 10 episodes were cut off/);
    assert.equal(problems(some(4)), '', 'less than half');
    const called = [{ start: 1, end: 2, text: '', calls: [], sampleMs: 0 }];
    const noRoom = fine(() => ({
      solved: false,
      reward: 0,
      truncated: 'tokenLimit',
      turns: called,
      tokens: { ids: [1, 2], logprobs: [null, null], completionMask: [0, 0], writer: 'ps' },
    }));
    assert.match(
      problems(noRoom),
      /^10 of 10 episodes were cut off at maxTokens 64/,
      'the result of its call had no room',
    );
  });

  it('a wrong template: no reply can be read', () => {
    const turns = [{ start: 0, end: 1, text: 'x', calls: [], parseError: 'call 1 is broken: no JSON', sampleMs: 0 }];
    assert.match(
      problems(fine(() => ({ solved: false, reward: 0, turns }))),
      /no reply could be read .*call 1 is broken: no JSON -> Set constraint=schema, .*chat template/,
    );
  });

  it('replies without an end', () => {
    const ids = [1, 2];
    assert.match(
      problems(
        fine(() => ({
          solved: false,
          reward: 0,
          truncated: 'tokenLimit',
          turns: [],
          tokens: { ids, logprobs: [null, null], completionMask: [0, 0], writer: 'pp' },
        })),
      ),
      /no reply came to its end within maxTurnTokens 96 -> /,
    );
  });

  it('a reward that is constant: the right calls get what failed ones get', () => {
    const constant = { ...fine(() => ({ reward: 0.5 })), goldRewards: [0.5, 0.5] };
    assert.match(
      problems(constant),
      /the reward is 0\.5 whatever is done: .*rewards=correctness,answer\) -> Set rewards to one that tells right from wrong/,
    );
    assert.equal(problems(constant, { ...config, method: 'sft' }), '', 'SFT asks no reward');
    assert.equal(problems({ ...constant, goldRewards: [1, 0.5] }), '', 'one right dialogue is told apart');
  });

  it('a tool that always fails, where most tasks need it; one that fails at times does not end the run', () => {
    const failing = (of: number): Rehearsed => ({
      ...fine(),
      gold: Array.from({ length: 4 }, (_, i) => ({
        tool: 'search',
        result: i < of ? result('threw', '{"error":"no database"}') : result(),
      })),
    });
    assert.match(
      problems(failing(4)),
      /search failed in each of 4 right calls: \{"error":"no database"\} -> Correct search, mock what can't run here/,
    );
    assert.equal(problems(failing(3)), '');
    assert.deepEqual(
      figuresOf(failing(3)).goldErrors.map(({ tool, n, of }) => [tool, n, of]),
      [['search', 3, 4]],
    );
  });

  it('says what it saw in words', () => {
    const called = [
      {
        start: 0,
        end: 1,
        text: '',
        calls: [
          {
            id: 'c',
            name: 'search',
            arguments: {},
            result: result('invalidArguments', '{"error":"query is missing"}'),
          },
        ],
        sampleMs: 0,
      },
    ];
    const r = fine(() => ({ turns: called }));
    const rows = Object.fromEntries(rehearsalRows({ ...figuresOf(r), problems: [], seconds: 1 }));
    assert.equal(rows['Solved'], '1 of 2 greedily; of 2 tasks sampled 4 times pass@1 50 %, pass@4 100 %');
    assert.equal(rows['Tool errors'], 'search invalidArguments 10 times ({"error":"query is missing"})');
    assert.equal(rows['Tools never tried'], 'remove');
    assert.equal(rows['Rewards'], 'equal in 0 of 2 groups; from 0 to 1, gold calls 1');
  });

  it('of hundreds of words the first are told, and how many more there are', () => {
    assert.equal(few(['a', 'b'], 2), 'a; b');
    assert.equal(few(['a', 'b', 'c', 'd'], 2, ', '), 'a, b, and 2 more');
  });

  it('a policy that seldom finds the right calls is shown them first; one that finds them is not, nor where they are unknown', () => {
    const weak = figuresOf(fine(() => ({ solved: false, reward: 0 })));
    const steps = (settings: object, of = tasks, figures = weak): number =>
      warmStepsOf(figures, { ...config, ...settings }, of);
    assert.equal(steps({ steps: 64 }), 48);
    assert.equal(steps({ steps: 64 }, tasks, figuresOf(fine())), 0);
    assert.equal(
      steps(
        { steps: 64 },
        tasks.map((one) => ({ ...one, source: 'grammar' as const })),
        figuresOf(fine()),
      ),
      48,
      'half of them solved, but there are many more',
    );
    assert.deepEqual(
      [
        steps({ steps: 64, method: 'sft' }),
        steps({ steps: 64, startFrom: 'run' }),
        steps({ steps: 64, warmSteps: 5 }),
        steps({ steps: 64 }, [{ id: 'a', prompt: 'x', answer: 'y' }]),
      ],
      [0, 0, 5, 0],
    );
  });

  it('its tasks are spread over the kinds', () => {
    const mixed = [...tasks, task('r', 'remove')];
    assert.deepEqual(
      spreadOverKinds(mixed, 3).map(({ id }) => id),
      ['0', 'r', '1'],
    );
    assert.equal(spreadOverKinds(mixed, 99).length, mixed.length);
  });
});
