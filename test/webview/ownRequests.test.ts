import assert from 'node:assert/strict';
import type { TraceSummary } from '../../trainer/protocol/trace';
import { measuredRequests, requestsGain } from '../../webview/derive/ownRequests';
import { TraceIndex } from '../../webview/shared/traceIndex';
import { recordedRun } from './fixture';

const [shape] = recordedRun({ steps: 1, heldOut: 4 }).events.flatMap((event) =>
  event.type === 'traceRecorded' ? [event.trace] : [],
);
let made = 0;
const tried = (taskId: string, checkpoint: string, solved: boolean | null): TraceSummary => ({
  ...shape!,
  id: `t${++made}`,
  groupId: `try-${made}`,
  taskId,
  phase: 'try',
  checkpoint,
  solved,
});
const request = (id: string) => ({ id, prompt: id, calls: [] });

describe('own requests, measured', () => {
  const index = new TraceIndex();
  index.sync([
    tried('a', 'base', false),
    tried('a', 'step 8', false),
    tried('a', 'step 8', true), // the newest counts
    tried('b', 'base', true),
    tried('b', 'step 4', false), // another checkpoint
    tried('c', 'base', false),
    tried('c', 'step 8', true),
    tried('d', 'base', null), // typed, before anybody said what is right
    { ...tried('e', 'base', true), phase: 'validation' },
  ]);
  const of = (after: string | null) =>
    measuredRequests(index, ['a', 'b', 'c', 'd', 'e'].map(request), { before: 'base', after });

  it('the newest try with each of the two checkpoints, and none of another', () => {
    assert.deepEqual(
      of('step 8').map(({ before, after }) => [before?.solved ?? null, after?.solved ?? null]),
      [
        [false, true],
        [true, null],
        [false, true],
        [null, null],
        [null, null],
      ],
    );
    assert.ok(of(null).every(({ after }) => after === null));
  });

  it('before and after over those that were measured with both, paired by Newcombe', () => {
    const gain = requestsGain(of('step 8'))!;
    assert.deepEqual([gain.before.n, gain.before.success, gain.after.success], [2, 0, 1]);
    assert.equal(gain.change.difference, 1);
    assert.equal(requestsGain(of(null)), null);
    const one = requestsGain(of('step 4'))!;
    assert.deepEqual([one.after.n, one.change.difference, one.change.verdict], [1, -1, 'chance']);
  });
});
