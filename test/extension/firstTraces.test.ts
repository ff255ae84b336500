import assert from 'node:assert/strict';
import { firstTraces, pieces } from '../../extension/traces/firstTraces';
import type { TraceSummary } from '../../trainer/protocol/trace';
import { recordedRun } from '../webview/fixture';

const shape = recordedRun({ steps: 1, heldOut: 4 }).events.flatMap((event) =>
  event.type === 'traceRecorded' ? [event.trace] : [],
)[0]!;
const traces = (phase: TraceSummary['phase'], count: number): TraceSummary[] =>
  Array.from({ length: count }, (_, i) => ({ ...shape, id: `${phase}${i}`, phase }));

describe('what of a long run goes to the page first', () => {
  it('the newest of each phase, in order', () => {
    const all = [...traces('before', 300), ...traces('train', 2_000), ...traces('after', 400)];
    const first = firstTraces(all)!;
    assert.deepEqual(
      first.map(({ id }) => id),
      [...traces('before', 300), ...traces('train', 2_000).slice(-320), ...traces('after', 400).slice(-320)].map(
        ({ id }) => id,
      ),
    );
  });

  it('of a short run all, at once', () =>
    assert.equal(firstTraces([...traces('before', 320), ...traces('train', 320)]), null));

  it('then all, in pieces, the last one marked', () => {
    const all = traces('train', 4_001);
    const parts = [...pieces(all)];
    assert.deepEqual(
      parts.flatMap((part) => part.traces),
      all,
    );
    assert.deepEqual(
      parts.map(({ isLast }) => isLast),
      [false, false, true],
    );
  });
});
