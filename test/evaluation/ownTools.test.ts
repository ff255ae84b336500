import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import type { Entry } from '../../trainer/evaluation/benchmarks/bfcl/entries';
import { askOnce, ownTools } from '../../trainer/evaluation/benchmarks/bfcl/evaluateBfcl';
import { withModel } from '../../trainer/evaluation/evaluate';
import type { Trace } from '../../trainer/protocol/trace';
import { Random } from '../../trainer/base/random';
import { realDependencies } from '../../trainer/app/dependencies';
import { parseSettings, withLimits } from '../../trainer/app/settings';

const question = (id: string, prompt: string, name: string, parameter: string): Entry => ({
  id,
  prompt,
  category: 'simple_python',
  groundTruth: [],
  functions: [
    {
      name,
      description: `${name} of something.`,
      parameters: {
        type: 'dict',
        properties: { [parameter]: { type: 'integer', description: 'A number.' } },
        required: [parameter],
      },
    },
  ],
});

describe('episodes with tools of their own', () => {
  const entries = [
    question('a', 'Calculate the factorial of 5.', 'factorial', 'number'),
    question('b', 'Calculate the factorial of 5.', 'triangle_area', 'base'),
    question('c', 'Find the cube root of 27.', 'cube_root', 'value'),
  ];

  it('asked together, each sees its own tools alone, calls none of the others, and writes what it writes by itself', async () => {
    const config = withLimits(
      parseSettings({ toolFile: resolve(__dirname, 'none'), engine: 'wasm', maxTurnTokens: 24 }),
    );
    const engine = await realDependencies.openEngine(config);
    try {
      await withModel(
        { modelFolder: realDependencies.modelFolder(config.model, __dirname), config, trained: null, engine },
        async (base, graphs) => {
          const asking = { base, graphs, config, signal: new AbortController().signal, now: () => 0 };
          const ask = async (asked: readonly Entry[]): Promise<Trace[]> => {
            const rollouts = await askOnce(
              asked.map((entry) => ({
                id: entry.id,
                task: entry,
                groupId: entry.id,
                indexInGroup: 0,
                random: Random.fromSeed(1).fork(entry.id),
                tools: ownTools(entry, asking),
              })),
              asking,
              { phase: 'try', step: 0, temperature: 1 },
            );
            return rollouts.map(({ trace }) => trace);
          };
          const together = await ask(entries);
          const text = (trace: Trace): string => base.tokenizer.decode(trace.tokens.ids, false);
          for (const [i, entry] of entries.entries()) {
            const [name] = entry.functions.map((f) => f.name) as [string];
            const trace = together[i]!;
            for (const other of entries)
              assert.equal(
                text(trace).includes(`${other.functions[0]!.name}(`),
                other === entry,
                `${entry.id}: ${text(trace)}`,
              );
            assert.ok(trace.turns.flatMap(({ calls }) => calls).every((call) => call.name === name));
            const [alone] = await ask([entry]);
            assert.deepEqual([trace.tokens.ids, trace.tokens.writer], [alone!.tokens.ids, alone!.tokens.writer]);
          }
          assert.ok(
            together.some(({ turns }) => turns.some(({ calls }) => calls.length > 0)),
            together.map(text).join('\n'),
          );
        },
      );
    } finally {
      await engine.dispose();
    }
  });
});
