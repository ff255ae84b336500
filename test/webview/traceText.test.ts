import assert from 'node:assert/strict';
import { emptyRun, reduceRun } from '../../trainer/protocol/runState';
import { Task } from '../../trainer/protocol/task';
import { findInTrace, hitCount, occurrences } from '../../webview/derive/find';
import { saidAfter } from '../../webview/derive/traceSteps';
import { otherTimes, TraceIndex } from '../../webview/shared/traceIndex';
import { taskOf } from '../../trainer/protocol/taskOf';
import { fenced, openAiMessages, tokenRows, traceMarkdown, turnFacts } from '../../webview/components/traceText';
import { recordedRun } from './fixture';
import { traceOf } from './traceFixture';

const run = recordedRun({ steps: 4, heldOut: 24 }).events.reduce(reduceRun, emptyRun);
const find = (path: string) => run.traces.find((trace) => trace.path === path)!;
const { trace, tokenTexts } = traceOf(find('searchEmails → readEmail → answer'), 'run');
const failing = traceOf(run.traces.find((one) => one.path.includes('✗'))!, 'run').trace;

describe('webview: a trace as text', () => {
  it('gives OpenAI messages: arguments as a string, a call without words has no content', () => {
    const messages = openAiMessages(trace);
    assert.deepEqual(
      messages.map((m) => m.role),
      ['system', 'user', 'assistant', 'tool', 'assistant', 'tool', 'assistant'],
    );
    const [, , call, result, , , answer] = messages as [
      unknown,
      unknown,
      { content: null; tool_calls: { id: string; function: { arguments: string } }[] },
      { tool_call_id: string },
      unknown,
      unknown,
      { content: string },
    ];
    assert.equal(call.content, null);
    assert.deepEqual(JSON.parse(call.tool_calls[0]!.function.arguments), trace.turns[0]!.calls[0]!.arguments);
    assert.equal(result.tool_call_id, call.tool_calls[0]!.id);
    assert.equal(answer.content, trace.messages.at(-1)!.content);
  });

  it('gives Markdown in which nothing that was said can close its fence', () => {
    const hostile = structuredClone(trace);
    hostile.messages[1]!.content = 'first\n````\n# not a heading';
    const text = traceMarkdown(hostile);
    assert.match(text, /`````\nfirst\n````\n# not a heading\n`````/);
    for (const call of trace.turns.flatMap((turn) => turn.calls)) assert.ok(text.includes(`\`${call.name}\``));
    assert.equal(fenced('a'), '```\na\n```');
    assert.match(traceMarkdown(failing), /timed out, 120 ms/);
  });

  it('tells what the answer states and nobody said, in a fence', () => {
    assert.match(
      traceMarkdown({ ...trace, ungrounded: ['# 12', 'May 3'] }),
      /\*\*Stated, but found neither in the task nor in a result:\*\*\n\n```\n# 12\nMay 3\n```/,
    );
    for (const ungrounded of [[], undefined]) assert.ok(!traceMarkdown({ ...trace, ungrounded }).includes('Stated'));
  });

  it('makes a task that the task file’s schema takes: good calls and the answer as gold', () => {
    const task = Task.parse(taskOf(trace));
    assert.deepEqual(
      task.calls!.map((call) => call.name),
      ['searchEmails', 'readEmail'],
    );
    assert.equal(task.answer, trace.messages.at(-1)!.content);
    assert.deepEqual([task.source, taskOf(trace, 'schema').source], ['use', 'schema']);
    assert.equal(
      taskOf(failing).calls!.length,
      failing.turns.flatMap((turn) => turn.calls).filter((call) => call.result?.kind === 'ok').length,
    );
  });

  it('gives each token a row, with an advantage only where it was trained', () => {
    const trained = { ...trace, advantage: -1.5 };
    const rows = tokenRows(trained, tokenTexts);
    assert.equal(rows.length, trace.tokens.ids.length);
    for (const [i, row] of rows.entries())
      assert.deepEqual(row, [
        i,
        tokenTexts[i],
        trace.tokens.ids[i],
        trace.tokens.writer[i],
        trace.tokens.completionMask[i],
        trace.tokens.logprobs[i],
        trace.tokens.completionMask[i] === 1 ? -1.5 : null,
      ]);
  });
});

describe('webview: find in a trace', () => {
  it('counts without overlap', () => assert.equal(occurrences('aaaa', 'aa'), 2));

  it('finds names, arguments, results and words, in reading order, whatever the case', () => {
    // "Invoice": in the prompt of some tasks, the argument "invoices", two subjects of the search's result, the answer
    const hits = findInTrace(trace, 'INVOICE');
    const steps = hits.map((hit) => hit.anchor);
    assert.ok(steps.includes('call-1-0') && steps.includes('turn-3'), steps.join());
    assert.equal(hits.find((hit) => hit.anchor === 'call-1-0')!.count, 3);
    assert.equal(hits.find((hit) => hit.anchor === 'turn-3')!.count, 1);
    assert.equal(
      hitCount(hits),
      hits.reduce((sum, hit) => sum + hit.count, 0),
    );
    assert.deepEqual(findInTrace(trace, ''), []);
    assert.deepEqual(findInTrace(trace, 'nowhere to be found'), []);
  });

  it('shows each user message in its place, and what a turn alone earned', () => {
    const spoken = structuredClone(trace);
    spoken.messages.splice(4, 0, { role: 'user', content: 'And from Bob?' });
    spoken.turns[0] = { ...spoken.turns[0]!, reward: 0.5, advantage: -0.25 };
    assert.deepEqual(
      spoken.turns.map((_, i) => saidAfter(spoken, i).map(({ content }) => content)),
      [['And from Bob?'], [], []],
    );
    assert.deepEqual(findInTrace(spoken, 'from bob'), [{ anchor: 'said-1-0', count: 1 }]);
    const text = traceMarkdown(spoken);
    assert.match(text, /## 1\. model[^]*reward \+0\.5\d* · advantage −0\.25[^]*And from Bob\?[^]*## 2\. model/);
    assert.deepEqual(turnFacts(trace.turns[0]), []);
  });

  it('a token has the advantage of its turn where that has one', () => {
    const scored = structuredClone(trace);
    scored.advantage = 1;
    scored.turns[1]!.advantage = -2;
    const of = (turn: number): unknown[] => {
      const { start, end } = scored.turns[turn]!;
      const trained = tokenRows(scored, tokenTexts).filter((row) => row[4] === 1);
      return [...new Set(trained.filter(([i]) => Number(i) >= start && Number(i) < end).map((row) => row.at(-1)))];
    };
    assert.deepEqual([of(0), of(1), of(2)], [[1], [-2], [1]]);
  });
});

describe('webview: a task over time', () => {
  it('takes one trace of each time, in order, this one for its own time', () => {
    const index = new TraceIndex();
    index.sync(run.traces);
    const after = run.traces.find((one) => one.phase === 'after')!;
    const ids = otherTimes(index, after);
    assert.deepEqual(
      ids.map((id) => index.byId.get(id)!.phase),
      ['before', 'after'],
    );
    assert.equal(ids[1], after.id);
  });

  it('shows nothing where there was but one time', () => {
    const index = new TraceIndex();
    index.sync(run.traces.filter((one) => one.phase === 'train' && one.step === 2).slice(0, 8));
    assert.deepEqual(otherTimes(index, run.traces.find((one) => one.phase === 'train' && one.step === 2)!), []);
  });
});
