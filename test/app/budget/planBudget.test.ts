import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { planBudget, type BudgetOptions, type PlannedBudget } from '../../../trainer/app/budget/planBudget';
import { shortenAs } from '../../../trainer/app/budget/shorten';
import { modelTemplate, modelTokenizer } from '../../../trainer/model/weights/describeModel';
import { modelFolder } from '../../../trainer/model/weights/modelFolder';
import type { Task, ToolSchema } from '../../../trainer/protocol/task';
import { parseSettings } from '../../../trainer/app/settings';
import { readTasks, tasksFileBeside } from '../../../trainer/tasks/readTasks';
import { generateTasks } from '../../../trainer/tasks/generate/generateTasks';
import { ChatTemplate } from '../../../trainer/model/tokenizer/chatTemplate';
import { familyTemplate } from '../../fixtures/tinyModel';
import { discover, EXAMPLES, openHosts } from '../../tasks/fixtures';

const nano = modelFolder('nano', process.cwd());
const tokenizer = modelTokenizer(nano);
const template = modelTemplate(nano);

const tool = (
  name: string,
  description: string,
  properties: Record<string, object>,
  required = Object.keys(properties),
): ToolSchema => ({
  name,
  description,
  parameters: { type: 'object', properties, required },
  source: { file: 'tools.ts', line: 1 },
  binding: { exportName: name, positional: 'object' },
  changesWorld: false,
});
const NAMES = [
  'findRoom',
  'listBookings',
  'createBooking',
  'cancelBooking',
  'movePerson',
  'orderLunch',
  'sendInvite',
  'checkDevice',
  'reserveDesk',
  'printBadge',
  'openDoor',
  'reportFault',
];
/** Four described parameters each, one of them nested, one an enum. */
const office = (count: number): ToolSchema[] =>
  NAMES.slice(0, count).map((name) =>
    tool(name, `Do what the office needs for ${name}. It is written down at once. Nobody has to confirm it.`, {
      room: {
        type: 'string',
        description: 'Name of the room, as it stands on its door.',
        examples: ['Amber', 'Birch'],
      },
      floor: { type: 'integer', description: 'Which floor, from 0.', minimum: 0, maximum: 12 },
      size: { enum: ['small', 'medium', 'large'], description: 'How many people it is for.' },
      person: {
        type: 'object',
        description: 'Who asks for it.',
        properties: {
          name: { type: 'string', description: 'First and last name.' },
          team: { type: 'string', description: 'Their team.' },
        },
        required: ['name', 'team'],
      },
    }),
  );
const args = { room: 'Amber', floor: 3, size: 'large', person: { name: 'Jonas Weber', team: 'sales' } };
const chain: Task = {
  id: '1',
  prompt: 'Find a large room on floor 3 for Jonas Weber of sales, and book it for the whole team please',
  calls: [
    { name: 'findRoom', arguments: args },
    { name: 'listBookings', arguments: args },
  ],
  answer: 'Amber is booked for Jonas Weber.',
};
const seen = chain.calls!.map((call) => ({
  ...call,
  content: JSON.stringify([
    { id: 'R-1204', room: 'Amber', floor: 3, size: 'large', free: true },
    { id: 'R-1207', room: 'Birch', floor: 3, size: 'large', free: false },
  ]),
}));

function plan(
  options: Partial<BudgetOptions> & { settings?: Record<string, unknown> } = {},
  context = 2048,
  by = template,
): PlannedBudget {
  const { settings, ...rest } = options;
  return planBudget(
    { config: parseSettings({ toolFile: 'tools.ts', ...settings }), tools: office(12), tasks: [chain], seen, ...rest },
    { tokenizer, template: by, context, weights: 2e6 },
  );
}
const messages = ({ notes }: PlannedBudget, level: string): string =>
  notes
    .filter((note) => note.level === level)
    .map(({ message }) => message)
    .join('\n');

describe('budget', () => {
  for (const context of [1024, 2048]) {
    it(`the embedded model holds 12 tools of four parameters, a chain of two calls and its results, with a context of ${context}`, () => {
      const planned = plan({}, context);
      const { prompt, task, maxTokens, calls } = planned.budget;
      assert.ok(prompt > 400 && task > 512, `prompt ${prompt}, task ${task}: or nothing is shown by this`);
      assert.ok(maxTokens >= task && maxTokens <= context, `${task} of ${maxTokens}`);
      assert.equal(calls, 2);
      assert.equal(messages(planned, 'warning'), '');
      assert.match(
        messages(planned, 'info'),
        /^Budget: prompt \d+ tokens, a turn up to \d+, results up to \d+: maxTokens [\d,]+ of [12],\d{3}$/,
      );
    });
  }

  it('leaves room for each turn and result that may come, in steps of 64', () => {
    const {
      budget: { prompt, turn, result, calls, maxTokens },
    } = plan();
    assert.equal(maxTokens, Math.ceil((prompt + calls * (turn + result) + turn) / 64) * 64);
  });

  for (const file of ['harbour/almanac.ts', 'email/tools.ts']) {
    it(`examples/${file}: 512 was enough, and stays`, async function () {
      this.timeout(60_000);
      const tools = discover(file);
      const hosts = await openHosts(tools);
      try {
        const results: BudgetOptions['seen'][number][] = [];
        const session = hosts.open('tasks');
        const call = async (name: string, given: Record<string, unknown>) => {
          const result = await session.call(name, given);
          results.push({ name, arguments: given, content: result.content });
          return result;
        };
        const own = tasksFileBeside(resolve(EXAMPLES, file));
        const tasks = own ? readTasks(own, tools) : await generateTasks(tools, { count: 800, seed: 0, call });
        if (own)
          for (const task of tasks.slice(0, 100))
            for (const one of task.calls ?? []) await call(one.name, one.arguments);
        const { limits, budget } = plan({ tools, tasks, seen: results }, 1024);
        assert.deepEqual(limits, { maxTokens: 512, maxTurnTokens: 96, toolOutputBytes: 16_384 });
        assert.deepEqual(budget.shortened, {});
      } finally {
        await hosts.close();
      }
    });
  }

  it('a tool of one long call has longer turns', () => {
    const wide = tool(
      'fileReport',
      'File a report.',
      Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`part${i}`, { type: 'string' }])),
    );
    const { limits } = plan({ tools: [wide], tasks: [], seen: [] });
    assert.ok(limits.maxTurnTokens > 96 && limits.maxTurnTokens <= 2048 / 8 + 16, `${limits.maxTurnTokens}`);
  });

  it('results are cut to an eighth of the context, and it says so', () => {
    const long = seen.map((one) => ({
      ...one,
      content: JSON.stringify(Array.from({ length: 200 }, (_, i) => ({ id: `R-${1000 + i}`, room: 'Amber' }))),
    }));
    const planned = plan({ seen: long });
    assert.equal(planned.budget.result, 256);
    assert.ok(planned.limits.toolOutputBytes < 2000, `${planned.limits.toolOutputBytes} bytes`);
    assert.match(
      messages(planned, 'warning'),
      /the longest result that a tool gave takes [\d,]+ tokens; results are cut in their middle to about 256\. .*toolOutputBytes/,
    );
  });

  describe('a template that writes whole schemas', () => {
    const whole = new ChatTemplate(familyTemplate('qwen2_5'));
    const at = (context: number): PlannedBudget => plan({ settings: { model: '/a/model' } }, context, whole);
    const long = at(16_000).budget.task;

    it('leaves out examples first, then the descriptions of parameters, then all but the first sentence', () => {
      const order = ['examples', 'parameters', 'sentences'];
      const steps = [1.01, 0.99, 0.9, 0.75, 0.65].map((share) => at(Math.floor(long * share)));
      assert.deepEqual(steps[0]!.budget.shortened, {});
      const used = steps.map(({ budget }) => new Set(Object.values(budget.shortened).flat()));
      assert.deepEqual([...used[1]!], ['examples']);
      used.forEach((kinds) =>
        assert.deepEqual(
          [...kinds].sort((a, b) => order.indexOf(a) - order.indexOf(b)),
          order.slice(0, kinds.size),
        ),
      );
      assert.equal(used.at(-1)!.size, 3, 'the shortest uses all');
      steps.forEach(({ budget }) => assert.ok(budget.task <= budget.context, `${budget.task} of ${budget.context}`));
      const last = steps.at(-1)!;
      assert.equal(last.tools[0]!.description.endsWith('findRoom.'), true, last.tools[0]!.description);
      assert.match(
        messages(last, 'warning'),
        /the text of 12 tools is longer than this model can hold, so the policy does not see .*findRoom's examples and descriptions of parameters and all but the first sentence/,
      );
    });

    it('what may be called stays, and a resume shortens alike', () => {
      const { tools, budget } = at(Math.floor(long * 0.65));
      const { properties, required } = tools[0]!.parameters as {
        properties: Record<string, Record<string, unknown>>;
        required: string[];
      };
      assert.deepEqual(properties['floor'], { type: 'integer', minimum: 0, maximum: 12 });
      assert.deepEqual(properties['size'], { enum: ['small', 'medium', 'large'] });
      assert.deepEqual(Object.keys((properties['person'] as { properties: object }).properties), ['name', 'team']);
      assert.deepEqual(required, ['room', 'floor', 'size', 'person']);
      assert.deepEqual(shortenAs(office(12), budget.shortened), tools);
    });

    it('a parameter that is called description keeps its name', () => {
      const notes = tool('addNote', 'Add a note. Later.', {
        description: { type: 'string', description: 'What it says.' },
      });
      const [shorter] = shortenAs([notes], { addNote: ['parameters'] });
      assert.deepEqual(shorter!.parameters.properties, { description: { type: 'string' } });
    });

    it('what does not fit all the same is refused, with numbers and the way out', () => {
      assert.throws(
        () => at(700),
        (error: Error & { hint?: string }) =>
          /^12 tools do not fit into this model: their prompt takes [\d,]+ tokens as short as it can be, the longest task with its calls and results [\d,]+, the model holds 700\. The longest: \w+ \d+, /.test(
            error.message,
          ) && /fewer tools.*longer context/.test(error.hint!),
      );
    });
  });

  it('where each request is shown a few tools, there is room for the longest of them', () => {
    const many = Array.from({ length: 4 }, (_, i) =>
      office(12).map((one) => ({ ...one, name: `${one.name}${i}` })),
    ).flat();
    const tools = [...office(12), ...many];
    assert.throws(() => plan({ tools }, 1024), /^UserError: 60 tools do not fit/);
    const few = plan({ tools, settings: { shownTools: 3 } }, 1024);
    assert.equal(messages(few, 'warning'), '');
    assert.equal(few.tools.length, 60, 'all are there to be shown');
    const three = plan({ tools: many.slice(-3), tasks: [{ ...chain, calls: [] }], seen: [] }, 1024);
    assert.ok(
      Math.abs(few.budget.prompt - three.budget.prompt) < 20,
      `${few.budget.prompt}, of three ${three.budget.prompt}`,
    );
    const gold = office(6).map(({ name }) => ({ name, arguments: {} }));
    const six = plan({ tools, tasks: [{ ...chain, calls: gold }], seen: [], settings: { shownTools: 3 } });
    assert.ok(six.budget.prompt > few.budget.prompt + 60, 'a training request is shown all tools of its gold calls');
    assert.throws(() => plan({ tools, settings: { shownTools: 30 } }, 512), /30 of 60 tools do not fit/);
  });

  it('what was set by hand holds; where it cannot work, it is said', () => {
    const small = plan({ settings: { maxTokens: 300, maxTurnTokens: 12 } });
    assert.deepEqual([small.limits.maxTokens, small.limits.maxTurnTokens], [300, 12]);
    assert.match(
      messages(small, 'warning'),
      /maxTokens 300 leaves no room to write: the prompt alone takes up to \d+ tokens/,
    );
    assert.match(
      messages(small, 'warning'),
      /maxTurnTokens 12 is too small for the longest gold call, which takes \d+ tokens/,
    );
    const tight = plan({ settings: { maxTokens: small.budget.prompt + 40 } });
    assert.match(
      messages(tight, 'warning'),
      /maxTokens [\d,]+ is too small for the longest task: solved by its gold calls it takes [\d,]+ tokens\. Leave maxTokens out/,
    );
    assert.match(messages(small, 'info'), /\(maxTokens, maxTurnTokens as set\)/);
  });

  it('says how long an update on demonstrations is: longer with longer results, of prompts of their own much longer', () => {
    const tokensOf = (options: Parameters<typeof plan>[0] = {}): number => plan(options).updateSize()!.tokens;
    const usual = tokensOf();
    const short = tokensOf({ seen: seen.map((one) => ({ ...one, content: '"Amber"' })) });
    const { template: chat, tokenizer: reader } = { template, tokenizer };
    const own = chat.encodeDialogue(reader, [{ role: 'user', content: chain.prompt }], []).ids.length;
    assert.ok(usual > plan().budget.prompt + 16 * own, `${usual} tokens`);
    assert.ok(short < 0.8 * usual, `${short} of ${usual}`);
    assert.ok(tokensOf({ settings: { renameTools: 0.5 } }) > 2 * usual, 'no prompt begins as another one');
    const bounded = tokensOf({ settings: { sftAnswerTokens: 16 } });
    assert.ok(bounded < usual, 'a result behind the last call is seldom computed');
    assert.equal(plan({ tasks: [], seen: [] }).updateSize(), null);
  });
});
