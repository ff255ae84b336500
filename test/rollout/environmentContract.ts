import assert from 'node:assert/strict';
import { Random } from '../../trainer/base/random';
import type { Task } from '../../trainer/protocol/task';
import type { AssistantTurn, Environment, Outcome } from '../../trainer/rollout/environment/environment';

export interface EnvironmentUnderTest {
  /** a fresh one */
  open(): Environment;
  task: Task;
  /** a call that works, whatever is said, and one of a tool that is not there */
  call: { name: string; arguments: Record<string, unknown> };
  close?(): Promise<void> | void;
}

const never = new AbortController().signal;
const turn = (content: string, ...calls: AssistantTurn['calls']): AssistantTurn => ({ text: content, content, calls });

/** What every environment keeps to. @param openIts once for all tests */
export function environmentContract(name: string, openIts: () => Promise<EnvironmentUnderTest>): void {
  describe(`environment contract: ${name}`, function () {
    this.timeout(60_000);
    let its: EnvironmentUnderTest;
    before(async () => {
      its = await openIts();
    });
    after(() => its?.close?.());
    const begun = async (): Promise<Environment> => {
      const environment = its.open();
      await environment.reset(its.task, Random.fromSeed(1));
      return environment;
    };
    const call = (id: string) => ({ id, ...its.call });
    const ghost = (id: string) => ({ id, name: 'noSuchTool', arguments: {} });
    /** What a policy reads of it; times are not compared. */
    const read = ({ messages, done }: Outcome): unknown => ({ messages, done });

    it("begins with messages and tools, the last word being the user's", async () => {
      const environment = its.open();
      const { messages, tools } = await environment.reset(its.task, Random.fromSeed(1));
      assert.equal(messages.at(-1)!.role, 'user');
      assert.ok(tools.some((tool) => tool.name === its.call.name));
      environment.close();
    });

    it('each call is answered under its own name, in order; a failed one is a result, too', async () => {
      const environment = await begun();
      const { messages, done, info } = await environment.step(turn('', call('a'), ghost('b'), call('c')), never);
      assert.equal(done, false);
      assert.deepEqual(
        messages.slice(0, 3).map(({ role, tool_call_id }) => [role, tool_call_id]),
        ['a', 'b', 'c'].map((id) => ['tool', id]),
      );
      assert.deepEqual(
        info.results.map(({ kind }) => kind),
        ['ok', 'unknownTool', 'ok'],
      );
      assert.deepEqual(
        info.results.map(({ content }) => content),
        messages.slice(0, 3).map(({ content }) => content),
      );
      environment.close();
    });

    it('ends: answers without a call come to an end, and nothing is to be read then', async () => {
      const environment = await begun();
      let outcome: Outcome;
      let turns = 0;
      do outcome = await environment.step(turn('That is all.'), never);
      while (!outcome.done && ++turns < 10);
      assert.equal(outcome.done, true);
      assert.deepEqual([outcome.messages, outcome.info.results], [[], []]);
      environment.close();
    });

    it('the same turns lead to the same words', async () => {
      const said = async (): Promise<unknown[]> => {
        const environment = await begun();
        const outcomes = [
          await environment.step(turn('', call('a')), never),
          await environment.step(turn('Done.'), never),
        ];
        environment.close();
        return outcomes.map(read);
      };
      assert.deepEqual(await said(), await said());
    });

    it('a fork is in the same state, and goes its own way', async () => {
      const environment = await begun();
      await environment.step(turn('', call('a')), never);
      const fork = await environment.fork?.();
      if (!fork) return environment.close();
      const expected = read(await environment.step(turn('', call('b')), never));
      environment.close();
      assert.deepEqual(read(await fork.step(turn('', call('b')), never)), expected);
      fork.close();
    });

    it('a cancel leaves no call behind; closing twice is harmless', async () => {
      const environment = await begun();
      const stop = new AbortController();
      const stepped = environment.step(turn('', call('a')), stop.signal);
      stop.abort();
      await stepped;
      environment.close();
      environment.close();
      await assert.rejects(environment.step(turn('', call('b')), never));
    });
  });
}
