/**
 * 10,000 recorded traces of 10 steps through all arithmetic rewards, on one core: at most 2 s.
 *   node --import tsx test/bench/rewards.ts [traces]
 * Prints one JSON line. Traces are made once, before the clock starts; every episode is new to the rewards.
 */
import { Episode } from '../../trainer/rewards/episode';
import { parseRewards } from '../../trainer/rewards/parseRewards';
import { BUILT_IN_REWARDS } from '../../trainer/rewards/registry';
import { scoreEpisodes } from '../../trainer/rewards/score';
import { STRING, NUMBER, task, tool } from '../tasks/fixtures';
import { trace, type Step } from '../rewards/fixtures';

const GROUP = 8;
const STEPS = 10;
const tools = Array.from({ length: 8 }, (_, i) =>
  tool(`tool${i}`, 'A tool.', { query: STRING, 'limit?': { ...NUMBER, default: 5 } }),
);

/** Nine calls, some of them wrong, and a reply. */
function steps(group: number, member: number): Step[] {
  const calls = Array.from(
    { length: STEPS - 1 },
    (_, i): Step => ({
      text: 'I look for the next part.',
      calls: [
        [
          `tool${(group + i) % 8}`,
          { query: (member + i) % 5 === 0 ? 'another' : `part ${i}`, limit: i },
          (member + i) % 7 === 0 ? 'threw' : 'ok',
          `"${'found '.repeat(20)}${i}"`,
        ],
      ],
    }),
  );
  return [...calls, { text: member % 3 === 0 ? 'I could not find it.' : `It makes ${group}.` }];
}

async function main(count: number): Promise<void> {
  const groups = Array.from({ length: count / GROUP }, (_, g) => {
    const gold = Array.from({ length: 4 }, (_, i) => ({
      name: `tool${(g + i) % 8}`,
      arguments: { query: `part ${i}`, limit: i },
    }));
    return {
      task: task(`task ${g}`, gold, `${g}`),
      traces: Array.from({ length: GROUP }, (_, m) => trace(steps(g, m), { id: `${g}-${m}` })),
    };
  });
  const names = Object.keys(BUILT_IN_REWARDS).filter((name) => BUILT_IN_REWARDS[name].per !== 'judge');
  const specs = parseRewards(names.join(','));
  const score = async (): Promise<number> => {
    const started = process.hrtime.bigint();
    for (const group of groups)
      await scoreEpisodes(
        group.traces.map((one) => new Episode(group.task, one, tools)),
        specs,
      );
    return Number(process.hrtime.bigint() - started) / 1e9;
  };
  const cpuBefore = process.cpuUsage();
  const [cold, warm] = [await score(), await score()];
  const cpu = process.cpuUsage(cpuBefore);
  console.log(
    JSON.stringify({
      bench: 'rewards',
      traces: count,
      steps: STEPS,
      rewards: names.length,
      coldSeconds: cold,
      warmSeconds: warm,
      cpuSecondsOfBoth: (cpu.user + cpu.system) / 1e6,
      limitSeconds: 2,
      node: process.version,
    }),
  );
}

void main(Number(process.argv[2] ?? 10_000));
