import assert from 'node:assert/strict';
import { parsePanelRequest } from '../../extension/panel/panelRequests';

describe('messages of the page', () => {
  it('come through as they are', () => {
    const all = [
      { type: 'ready', runId: null },
      { type: 'showLog' },
      {
        type: 'try',
        runId: 'r',
        prompt: 'Hello',
        versions: ['base', 12],
        samples: 1,
        temperature: 0,
        toolPolicy: null,
      },
      { type: 'makeTask', runId: null, task: { id: 't', prompt: 'p', calls: [] } },
      { type: 'markPair', runId: 'r', traceIds: ['a', 'b'] },
    ];
    for (const one of all) assert.deepEqual(parsePanelRequest(one), one);
  });

  it('of another shape are refused, by name', () => {
    for (const [raw, why] of [
      [null, /without a type/],
      [{ type: 'eval', code: '1' }, /\(eval\)/],
      [{ type: 'openTrace', runId: 'r', summary: { file: '../../etc/passwd' } }, /\(openTrace\)/],
      [{ type: 'saveFile', text: '', name: '../x' }, /\(saveFile\)/],
      [
        { type: 'try', runId: 'r', prompt: '', versions: [], samples: 99, temperature: 0, toolPolicy: 'real' },
        /\(try\)/,
      ],
    ] as const)
      assert.throws(() => parsePanelRequest(raw), why);
  });
});
