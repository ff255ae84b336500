import assert from 'node:assert/strict';
import { actualText, expectedText, withAnswerShown } from '../../extension/evaluations/taskText';
import { sampleTrace } from '../store/runs/sample';

describe('expected and actual calls as texts', () => {
  const task = {
    id: 't',
    prompt: 'p',
    calls: [{ name: 'search', arguments: { query: 'rent', from: 'Ana' } }],
    answer: '12',
  };
  const trace = sampleTrace('a-0');

  it('one call as its name and its arguments in the order of their names, then the answer', () => {
    assert.equal(expectedText(task), 'search\n  from: "Ana"\n  query: "rent"\nanswer: 12\n');
    assert.equal(expectedText({ ...task, calls: [], answer: undefined }), '(no call)\n');
    assert.equal(expectedText({ id: 't', prompt: 'p', answer: 'yes' }), 'answer: yes\n');
  });

  it('what was done in the same form, with how a call failed and what could not be read', () => {
    const turn = trace.turns[0]!;
    const call = {
      ...turn.calls[0]!,
      name: 'search',
      arguments: { from: 'Ana', query: 'rent' },
      result: { kind: 'timeout' as const, content: '{}', policy: 'real' as const, startedAt: 0, durationMs: 1 },
    };
    const made = {
      ...trace,
      truncated: 'no' as const,
      turns: [
        { ...turn, calls: [call] },
        { ...turn, calls: [], text: '<call', parseError: 'no JSON' },
      ],
      messages: [...trace.messages, { role: 'assistant' as const, content: '12 mails' }],
    };
    assert.equal(
      actualText(made, task),
      'search\n  from: "Ana"\n  query: "rent"\n  (timeout)\ncould not be read: <call\nanswer: 12 mails\n',
    );
    assert.equal(
      actualText({ ...made, turns: [], truncated: 'turnLimit' }, { ...task, answer: undefined }),
      '(cut off: turnLimit)\n',
    );
    assert.equal(actualText(made, { id: 't', prompt: 'p', answer: '12' }), 'answer: 12 mails\n');
  });

  it('right calls with an answer that is not right are no two equal texts', () => {
    const asked = { ...task, calls: [], answer: undefined };
    const said = { ...trace, turns: [], truncated: 'no' as const };
    said.messages = [...trace.messages, { role: 'assistant', content: 'I found curse.' }];
    said.verdicts = { callsRight: true, answerRight: false, finished: true };
    const shown = withAnswerShown(asked, said, 'any');
    assert.deepEqual(
      [expectedText(shown), actualText(said, shown)],
      ['(no call)\nanswer: any\n', '(no call)\nanswer: I found curse.\n'],
    );
    assert.equal(withAnswerShown(asked, { verdicts: { ...said.verdicts, answerRight: true } }, 'any'), asked);
    assert.equal(withAnswerShown(task, said, 'any'), task, 'it states one');
  });
});
