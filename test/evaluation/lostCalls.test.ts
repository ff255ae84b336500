import assert from 'node:assert/strict';
import { lostCalls } from '../../trainer/evaluation/lostCalls';
import { trace } from '../rewards/fixtures';

const traces = (lost: number, ok: number) =>
  [...Array<'hostDied'>(lost).fill('hostDied'), ...Array<'ok'>(ok).fill('ok')].map((kind) =>
    trace([{ calls: [['search', {}, kind, '""'] as never] }, { text: 'Done.' }]),
  );

describe('calls whose process died', () => {
  it('are told where they spoil a measurement', () => {
    assert.match(lostCalls(traces(37, 18))!.message, /^37 of 55 tool calls of this measurement got no answer/);
    assert.equal(lostCalls(traces(1, 49))!.code, 'callsLost');
    assert.equal(lostCalls(traces(1, 50)), null);
    assert.equal(lostCalls(traces(0, 5)), null);
    assert.equal(lostCalls([]), null);
  });
});
