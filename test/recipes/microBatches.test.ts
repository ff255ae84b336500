import assert from 'node:assert/strict';
import { batchShape, batchSize, makeBatch, type TrainedTrace } from '../../trainer/learning/batch';
import { longestBatch } from '../../trainer/recipes/steps/longest';
import { examplesPerStep } from '../../trainer/recipes/steps/examplesPerStep';
import { microBatches, splitGroups, stepParts } from '../../trainer/recipes/steps/microBatches';
import { parseSettings, withLimits } from '../../trainer/app/settings';
import { ChatTemplate } from '../../trainer/model/tokenizer/chatTemplate';
import { Tokenizer } from '../../trainer/model/tokenizer/tokenizer';
import { makeTinyModel } from '../fixtures/tinyModel';

/** Sequences of one prompt of 10 tokens, of which the rest is trained. */
const group = (lengths: number[]): TrainedTrace[] =>
  lengths.map((length, i) => {
    const ids = Array.from({ length }, (_, t) => (t === 10 ? 20 + i : 5));
    return {
      trace: { tokens: { ids, logprobs: ids.map(() => 0), completionMask: ids.map((_, t) => (t >= 10 ? 1 : 0)) } },
      allowed: new Map(),
    };
  });

describe('micro-batches', () => {
  it('a group within the budget stays whole; one beyond it is cut into equal parts within it, in order', () => {
    const [small, large] = [group([40, 40]), group(Array<number>(8).fill(250))];
    const parts = splitGroups([small, large], { tokensPerMicroBatch: 600 });
    assert.deepEqual(parts[0], small);
    assert.deepEqual(parts.slice(1).flat(), large);
    assert.deepEqual(
      parts.slice(1).map((part) => part.length),
      [2, 2, 2, 2],
    );
    for (const part of parts) assert.ok(batchSize([part]).tokens <= 600);
    assert.deepEqual(splitGroups([large], { tokensPerMicroBatch: 8192 }), [large]);
  });

  it('one sequence is the least, however long', () => {
    assert.deepEqual(
      splitGroups([group([200, 200, 200])], { tokensPerMicroBatch: 64 }).map((part) => part.length),
      [1, 1, 1],
    );
  });

  it('the sizes are known without making the tensors', () => {
    const groups = [group([60, 60, 60]), group([30, 90])];
    const batch = makeBatch(groups, 32);
    const { sequences, prefix, rows, length, trained } = batchShape(groups, 32);
    assert.deepEqual(
      [batch.sequences, batch.prefix.shape[0], ...batch.ids.shape, batch.places.shape[0]],
      [sequences, prefix, rows, length, trained],
    );
    batch.dispose();
  });

  it('what is equal is computed once: tokens that sequences begin with, and trained tokens that are the same in every way', () => {
    const [a] = group([60]);
    const same = makeBatch([[a!, { ...a! }]], 32);
    // 50 trained tokens, not 100; the last one is not fed
    assert.deepEqual([same.tokens, same.places.shape[0], same.completionMask.shape], [59, 128, [2, 128]]);
    assert.deepEqual([...same.slots.dataSync()].slice(0, 50), [...same.slots.dataSync()].slice(128, 178));
    same.dispose();
    const hotter = makeBatch([[a!, { ...a!, temperatures: { text: 2, calls: 2 } }]], 32);
    assert.notEqual(
      hotter.slots.dataSync()[0],
      hotter.slots.dataSync()[128],
      'sampled at another temperature it is another distribution',
    );
    hotter.dispose();
    const held = makeBatch(
      [
        [
          { ...a!, allowed: new Map([[12, [5, 6]]]) },
          { ...a!, allowed: new Map([[12, [5, 7]]]) },
          { ...a!, allowed: new Map([[12, [5, 6]]]) },
        ],
      ],
      32,
    );
    const [first, second, third] = [0, 1, 2].map((i) => [...held.slots.dataSync()].slice(i * 128, i * 128 + 4));
    assert.deepEqual(
      [first, second![2] === first![2], second![3] === first![3]],
      [third, false, true],
      'chosen from others it is another one',
    );
    held.dispose();
  });

  it('a step that is one micro-batch computes what it begins with in it; one of several once for all, and they have more room', () => {
    const sequences = Array.from({ length: 12 }, (_, i): TrainedTrace[] => {
      // 500 in common, 60 of its own, half of them trained
      const ids = Array.from({ length: 560 }, (_, t) => (t < 500 ? 7 : 8 + i));
      return [
        {
          trace: {
            tokens: { ids, logprobs: ids.map(() => null), completionMask: ids.map((_, t) => (t >= 530 ? 1 : 0)) },
          },
          allowed: new Map(),
        },
      ];
    });
    const budget = { tokensPerMicroBatch: 2048 };
    assert.deepEqual(stepParts(sequences.slice(0, 1), budget, false), { shared: 0, parts: [sequences.slice(0, 1)] });
    const { shared, parts } = stepParts(sequences, budget, false);
    assert.deepEqual([shared, parts.flat()], [500, sequences]);
    assert.ok(
      parts.length <= microBatches(sequences, budget).length / 2,
      `${parts.length} micro-batches, ${microBatches(sequences, budget).length} where each computes it`,
    );
    for (const part of parts) assert.ok(batchSize(part, shared).attention <= 600_000);
    const [batch, alone] = [makeBatch(parts[0]!, 32, shared), makeBatch(parts[0]!, 32)];
    assert.deepEqual([batch.isBehind, batch.prefix.size, alone.tokens - batch.tokens], [true, 512, 500]);
    batch.dispose();
    alone.dispose();
  });

  it('behind what is computed once, rows are as long as costs least; where it is computed with them, of the usual length', () => {
    // 8 rollouts: 500 tokens that the step begins with, 11 more of their prompt, 64 of their own; the last is not fed
    const rollouts = Array.from({ length: 8 }, (_, i): TrainedTrace => {
      const ids = Array.from({ length: 575 }, (_, t) => (t < 500 ? 7 : t < 511 ? 8 : 10 + i));
      return {
        trace: { tokens: { ids, logprobs: ids.map(() => 0), completionMask: ids.map((_, t) => (t >= 511 ? 1 : 0)) } },
        allowed: new Map(),
      };
    });
    const shapeOf = (shared: number): number[] => {
      const { rows, length } = batchShape([rollouts], 32, shared);
      return [rows, length];
    };
    // a row of 256 holds 11 + 3 * 63, so 8 take three of them, 768 tokens; one of 320 holds 11 + 4 * 63
    assert.deepEqual(shapeOf(500), [2, 320]);
    assert.deepEqual(shapeOf(0), [2, 256], '10 of the 11 are common to all of it, and a row holds 1 + 4 * 63');
  });

  it('rows are filled with the longest first, and each trained token is read where its sequence lies', () => {
    // nothing in common: 61, 71, 191 and 181 tokens, of which all but the last are fed
    const own = [61, 71, 191, 181].map((length, i): TrainedTrace[] => {
      const ids = Array.from({ length }, (_, t) => 1 + i * 7 + (t % 7));
      return [
        {
          trace: {
            tokens: { ids, logprobs: ids.map(() => 0), completionMask: ids.map((_, t) => (t === length - 1 ? 1 : 0)) },
          },
          allowed: new Map(),
        },
      ];
    });
    const batch = makeBatch(own, 32);
    assert.deepEqual(batch.ids.shape, [2, 256], '190 and 60, 180 and 70; as they come they would take three');
    const [ids, places, slots] = [batch.ids, batch.places, batch.slots].map((t) => [...t.dataSync()]);
    const before = own.map((_, i) => ids![places![slots![i * batch.columns]!]!]);
    assert.deepEqual(
      before,
      own.map(([one]) => one!.trace.tokens.ids.at(-2)),
    );
    batch.dispose();
  });

  it('SFT takes 16 examples, up to 64 where they have a lot in common, and what a setting says', () => {
    const folder = makeTinyModel('examples');
    const [tokenizer, template] = [Tokenizer.load(folder), ChatTemplate.load(folder)];
    const tools = (n: number) =>
      Array.from({ length: n }, (_, i) => ({
        name: `tool${i}`,
        description: 'Does one of many things that a long list of tools has to tell apart',
        parameters: {
          type: 'object' as const,
          properties: { text: { type: 'string', description: 'what it is about' } },
          required: ['text'],
        },
      }));
    const tasks = ['red', 'green', 'blue'].map((word) => ({
      id: word,
      kind: 'own',
      prompt: `Do ${word}`,
      calls: [{ name: 'tool0', arguments: { text: word } }],
    }));
    const count = (n: number, batchSize?: number): number =>
      examplesPerStep({ batchSize }, tokenizer, template, tools(n) as never, tasks as never);
    assert.equal(count(1), 16);
    assert.ok(count(8) > 16 && count(8) <= 64, String(count(8)));
    assert.equal(count(60), 64);
    assert.equal(count(60, 4), 4);
  });

  it('the longest: every sequence of maxTokens, prompts as short as there are, all trained that may be', () => {
    const config = withLimits(
      parseSettings({ toolFile: 'x', groupSize: 3, promptsPerStep: 2, maxTokens: 100, maxTurns: 2, maxTurnTokens: 20 }),
    );
    const { groups, shared } = longestBatch(config, { shared: 40, shortest: 50 });
    assert.equal(shared, 0, 'all of the step is one micro-batch');
    assert.deepEqual(
      groups.map((g) => g.length),
      [3, 3],
    );
    for (const {
      trace: { tokens },
    } of groups.flat())
      assert.deepEqual(
        [tokens.ids.length, tokens.completionMask.lastIndexOf(1), tokens.completionMask.filter((m) => m === 1).length],
        [100, 99, 40],
      );
    assert.equal(batchShape(groups, 32).prefix, 64, 'the 40 that all prompts begin with, in steps of 32');
    assert.equal(microBatches(groups, config).length, 1);
    const { groups: sft } = longestBatch(
      withLimits(parseSettings({ toolFile: 'x', method: 'sft', batchSize: 4, maxTokens: 100 })),
      { shared: 40, shortest: 50 },
    );
    assert.deepEqual(
      sft.map((g) => g.length),
      [1, 1, 1, 1],
    );
    assert.equal(sft[0]![0]!.trace.tokens.completionMask.filter((m) => m === 1).length, 50);
  });
});
