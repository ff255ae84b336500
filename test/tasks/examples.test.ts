import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Task, TypeScriptTool } from '../../trainer/protocol/task';
import type { ToolHosts, ToolSession } from '../../trainer/tools/hosts/callTool';
import { generateTasks } from '../../trainer/tasks/generate/generateTasks';
import { readTasks, tasksFileBeside, tasksToJsonl } from '../../trainer/tasks/readTasks';
import { saysValue } from '../../trainer/base/saysValue';
import { answerOccurs } from '../../trainer/tasks/solved';
import { NEW_PHRASING, splitTasks } from '../../trainer/tasks/taskset';
import { discoverRewards } from '../../trainer/tools/sources/typescript/toolFile';
import { parseRewards } from '../../trainer/rewards/parseRewards';
import { scoreGroup } from '../../trainer/rewards/score';
import { trace } from '../rewards/fixtures';
import { discover, EXAMPLES, openHosts, task } from './fixtures';

const strings = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'number'
      ? [String(value)]
      : typeof value === 'object' && value !== null
        ? Object.values(value).flatMap(strings)
        : [];

const AT_ONCE = 16;

/** Runs the gold calls of each task, all real, a few tasks at once. */
async function checkGold(hosts: ToolHosts, tools: TypeScriptTool[], tasks: Task[]): Promise<void> {
  const changing = new Set(tools.filter((tool) => tool.changesWorld).map(({ name }) => name));
  const reading = hosts.open('reading');
  for (let i = 0; i < tasks.length; i += AT_ONCE) {
    await Promise.all(
      tasks.slice(i, i + AT_ONCE).map(async (one) => {
        // where the world changes, it is a world of its own
        const session = one.calls!.some((call) => changing.has(call.name)) ? hosts.open(one.id) : reading;
        await checkTask(session, one);
        if (session !== reading) session.close();
      }),
    );
  }
  reading.close();
}

/**
 * Each gold call must work, each text must have been said before it is needed, and the answer must stand in a result.
 */
async function checkTask(session: ToolSession, { id, prompt, calls, answer }: Task): Promise<void> {
  let seen = prompt;
  for (const call of calls!) {
    for (const text of strings(call.arguments))
      assert.ok(saysValue(seen, text) || saysValue(seen, Number(text)), `${id}: '${text}' is not in '${seen}'`);
    const result = await session.call(call.name, call.arguments);
    assert.equal(result.kind, 'ok', `${id}: ${call.name} ${JSON.stringify(call.arguments)}: ${result.content}`);
    assert.notEqual(result.content, '[]', id);
    assert.ok(result.content.length <= 600, `${id}: a result of ${result.content.length} characters`);
    seen += result.content;
  }
  if (answer !== undefined) assert.ok(answerOccurs(answer, seen.slice(prompt.length)), `${id}: ${answer}`);
  assert.ok(prompt.split(/\s+/).length <= 45, prompt);
}

describe('examples', function () {
  this.timeout(300_000);
  const hostsOf = new Map<string, ToolHosts>();
  const open = async (name: string, tools: TypeScriptTool[]): Promise<ToolHosts> => {
    const hosts = await openHosts(tools);
    hostsOf.set(name, hosts);
    return hosts;
  };
  after(async () => {
    for (const hosts of hostsOf.values()) await hosts.close();
  });

  it('email: 700 hand-written tasks, whose gold calls all run; 240 held out, 400 to train on', async () => {
    const tools = discover('email/tools.ts');
    assert.deepEqual(
      tools.map(({ name }) => name),
      ['searchEmails', 'readEmail', 'sendEmail', 'archiveEmail', 'countUnread'],
    );
    assert.deepEqual(
      tools.filter((tool) => tool.changesWorld).map(({ name }) => name),
      ['sendEmail', 'archiveEmail'],
    );
    const file = tasksFileBeside(join(EXAMPLES, 'email/tools.ts'))!;
    const tasks = readTasks(file, tools);
    assert.ok(tasks.length >= 700, `${tasks.length}`);
    assert.equal(new Set(tasks.map(({ prompt }) => prompt)).size, tasks.length);
    const split = splitTasks(tasks, { heldOut: 240, tools });
    assert.ok(
      split.heldOut.length >= 240 && split.train.length >= 400,
      `${split.heldOut.length} ${split.train.length}`,
    );
    await checkGold(await open('email', tools), tools, tasks);
  });

  for (const [name, path, changing] of [
    ['orders', 'orders/orders.ts', ['refundOrder']],
    ['harbour', 'harbour/almanac.ts', []],
  ] as const) {
    it(`${name}: 800 tasks are generated, the same ones twice, whose gold calls all run`, async () => {
      const tools = discover(path);
      assert.equal(tools.length, 6);
      assert.deepEqual(
        tools.filter((tool) => tool.changesWorld).map((tool) => tool.name),
        changing,
      );
      const hosts = await open(name, tools);
      const session = hosts.open('generate');
      const generate = (count: number): Promise<Task[]> =>
        generateTasks(tools, { count, seed: 0, call: (tool, args) => session.call(tool, args), note: assert.fail });
      assert.equal(tasksToJsonl(await generate(100)), tasksToJsonl(await generate(100)));
      const tasks = await generate(800);
      assert.equal(tasks.length, 800);
      session.close();
      for (const tool of tools)
        assert.ok(tasks.filter((task) => task.calls!.some((call) => call.name === tool.name)).length >= 40, tool.name);
      const split = splitTasks(tasks, { heldOut: 240, tools });
      assert.ok(split.heldOut.length >= 200 && split.train.length >= 400);
      assert.ok(split.heldOut.filter((task) => task.tags!.includes(NEW_PHRASING)).length >= 50);
      await checkGold(hosts, tools, split.heldOut.slice(0, 60));
    });
  }

  it("email: the user's reward runs in the tool host", async () => {
    const rewards = discoverRewards([join(EXAMPLES, 'email')]);
    assert.deepEqual(
      rewards.map(({ name, isGroup }) => [name, isGroup]),
      [['brevity', false]],
    );
    const hosts = await openHosts(discover('email/tools.ts'), rewards);
    hostsOf.set('rewards', hosts);
    const score = async (reply: string) => {
      const specs = parseRewards('brevity*2', ['brevity']);
      const [scored] = await scoreGroup(task('t', []), [trace([{ text: reply }])], [], specs, (name, given, traces) =>
        hosts.scoreReward(name, given, [...traces]),
      );
      return scored;
    };
    assert.equal((await score('It is 7.')).reward, 2);
    assert.equal((await score('so '.repeat(26))).reward, 1); // (40 - 26) / 28 = 0.5, twice
    assert.equal((await score('so '.repeat(50))).reward, 0);
  });
});
