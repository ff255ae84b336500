import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { exportOtel, otelFile } from '../../../trainer/app/cli/exportOtel';
import { importRun } from '../../../trainer/store/exchange/otel/importRun';
import { otlpOf } from '../../../trainer/store/exchange/otel/exportOtlp';
import { nanos, plain } from '../../../trainer/store/exchange/otel/otlp';
import { headersFrom, tracesUrl } from '../../../trainer/store/exchange/otel/sendOtlp';
import { openPairs } from '../../../trainer/store/preferences/openPairs';
import type { Trace } from '../../../trainer/protocol/trace';
import { runInfo } from '../../../trainer/store/runs/listRuns';
import { readTools, readTrace, traceSummaries } from '../../../trainer/store/runs/readRun';
import { clock, newRun, sampleTool, sampleTrace, tempFolder } from '../runs/sample';

const options = { content: true, version: '1', tools: [sampleTool] };
const spansOf = (trace: Trace, more: Partial<typeof options> = {}) =>
  otlpOf([trace], { ...options, ...more }).resourceSpans[0]!.scopeSpans![0]!.spans!;

describe('OpenTelemetry', () => {
  const { dir, remove } = tempFolder();
  before(() => mkdirSync(join(dir, '.git')));
  after(remove);
  const signal = new AbortController().signal;
  const tracesOf = (folder: string) => traceSummaries(folder).map((summary) => readTrace(folder, summary));
  const write = (name: string, text: string) => {
    writeFileSync(join(dir, name), text);
    return join(dir, name);
  };

  it('times: ms to ns without losing digits', () => {
    assert.equal(nanos(1763717405123.25), '1763717405123250000');
  });

  it('a trace is an agent span over its chats and tools, with token counts; what was said only where asked', () => {
    const trace = sampleTrace('a');
    const spans = spansOf(trace);
    assert.deepEqual(
      spans.map((s) => s.name),
      ['invoke_agent coach', `chat ${trace.model}`, 'execute_tool search', `chat ${trace.model}`],
    );
    const [agent, chat, tool] = spans.map((s) => plain(s.attributes));
    assert.ok(
      spans
        .slice(1)
        .every(
          (s) =>
            s.parentSpanId === spans[0]!.spanId &&
            s.traceId === spans[0]!.traceId &&
            /^[0-9a-f]{32}$/.test(s.traceId) &&
            /^[0-9a-f]{16}$/.test(s.spanId),
        ),
    );
    assert.deepEqual(
      [chat!['gen_ai.usage.input_tokens'], chat!['gen_ai.usage.output_tokens']],
      [trace.turns[0]!.start, trace.turns[0]!.end - trace.turns[0]!.start],
    );
    assert.deepEqual(
      [tool!['gen_ai.tool.call.arguments'], tool!['gen_ai.tool.name'], agent!['coach.task.id']],
      ['{"query":"Grüße"}', 'search', trace.taskId],
    );
    assert.deepEqual(
      spans[0]!.events!.map((e) => plain(e.attributes)['gen_ai.evaluation.name']),
      trace.rewards.map((r) => r.name),
    );
    const bare = JSON.stringify(spansOf(trace, { content: false }));
    for (const text of ['Grüße', 'mail 3', 'It is']) assert.ok(!bare.includes(text), text);
    assert.deepEqual(spansOf(trace), spans); // the same ids again
  });

  it('a failed call is an error; a reward without a score is no event', () => {
    const trace = sampleTrace('a', {
      rewards: [{ name: 'x', score: null, weight: 1 }],
      truncated: 'turnLimit',
      terminated: false,
    });
    trace.turns[0]!.calls[0]!.result = { ...trace.turns[0]!.calls[0]!.result!, kind: 'timeout' };
    const [agent, , tool] = spansOf(trace);
    assert.deepEqual(
      [agent!.events, agent!.status?.message, tool!.status?.code, plain(tool!.attributes)['error.type']],
      [[], 'turnLimit', 2, 'timeout'],
    );
  });

  it('out and in again: messages, calls, results, times and tools are the same', async () => {
    const run = newRun(dir, { runDir: join(dir, 'run') });
    const original = sampleTrace('a');
    for (const trace of [original, sampleTrace('b')])
      run.append({ type: 'traceRecorded', trace: run.recordTrace(trace) });
    run.close();
    assert.deepEqual(await exportOtel(run.dir, { content: true, to: { out: join(dir, 'otel') }, signal }), {
      traces: 2,
      spans: 8,
    });
    const back = importRun({ file: join(dir, 'otel', otelFile), workspace: dir, now: clock() });
    assert.deepEqual([back.traces, back.form, back.problems], [2, 'otlp', []]);
    const [trace] = tracesOf(back.dir).filter((t) => t.id === 'a');
    // ids of calls stay; a result's name is not in the conventions' message
    assert.deepEqual(
      trace!.messages,
      original.messages.map(({ name: _, ...m }) => m),
    );
    assert.deepEqual(
      trace!.turns.map((t) => [
        t.text,
        t.sampleMs,
        t.calls.map((c) => [c.name, c.arguments, c.result?.content, c.result?.durationMs]),
      ]),
      original.turns.map((t) => [
        original.messages.filter((m) => m.role === 'assistant')[original.turns.indexOf(t)]!.content,
        t.sampleMs,
        t.calls.map((c) => [c.name, c.arguments, c.result?.content, c.result?.durationMs]),
      ]),
    );
    assert.deepEqual(
      [trace!.temperature, trace!.terminated, trace!.reward, trace!.tokens.ids],
      [original.temperature, true, null, []],
    );
    assert.deepEqual(
      readTools(back.dir).map((t) => [t.name, t.description]),
      [['search', 'Search the inbox.']],
    );
    const info = runInfo(back.dir);
    assert.deepEqual([info.method, info.status, info.steps, info.problem], ['imported', 'stopped', 0, null]);
    await assert.rejects(
      exportOtel(newRun(dir, { runDir: join(dir, 'none') }).dir, {
        content: true,
        to: { out: join(dir, 'x') },
        signal,
      }),
      /has no traces yet/,
    );
  });

  it('an export without content says why it can not be read', async () => {
    await exportOtel(join(dir, 'run'), { content: false, to: { out: join(dir, 'bare') }, signal });
    assert.throws(
      () => importRun({ file: join(dir, 'bare', otelFile), workspace: dir, now: clock() }),
      /no trace in it; 4 chats were recorded without their messages/,
    );
  });

  it('OpenAI-style logs: rows, requests with replies, bare lists; the same prompt is a group whose pair can be marked', () => {
    const ask = { role: 'user', content: 'Where is it?' };
    const calls = (args: string) => ({
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c9', type: 'function', function: { name: 'find', arguments: args } }],
    });
    const file = write(
      'logs.jsonl',
      [
        JSON.stringify({
          messages: [
            ask,
            calls('{"q":"it"}'),
            { role: 'tool', tool_call_id: 'c9', content: '[1]' },
            { role: 'assistant', content: 'There.' },
          ],
          tools: [
            { type: 'function', function: { name: 'find', description: 'Finds.', parameters: { type: 'object' } } },
          ],
        }),
        JSON.stringify({
          request: { model: 'gpt-x', temperature: 0.5, messages: [ask] },
          response: { model: 'gpt-x-1', created: 1700000000, choices: [{ message: calls('{"q":"that"}') }] },
        }),
        JSON.stringify([
          { role: 'system', content: 'S' },
          { role: 'user', content: [{ type: 'text', text: 'Hi' }, { type: 'image_url' }] },
          { role: 'assistant', content: 'Ho' },
        ]),
        '{oops',
        '{"a":1}',
        '{"messages":[{"role":"user","content":"alone"}]}',
        '{"messages":[{"role":"wizard","content":"x"}]}',
      ].join('\n'),
    );
    const { dir: folder, traces, problems, form } = importRun({ file, workspace: dir, now: clock() });
    assert.deepEqual(
      [traces, form, problems.map((p) => p.slice(0, 20))],
      [3, 'messages', ['line 4: no JSON', 'line 5: is neither O', 'line 6: has no messa', 'line 7: messages.0.r']],
    );
    const [first, second, third] = tracesOf(folder);
    assert.deepEqual(
      [
        first!.groupId === second!.groupId,
        first!.groupId === third!.groupId,
        second!.indexInGroup,
        second!.temperature,
        first!.temperature,
        second!.model,
      ],
      [true, false, 1, 0.5, null, 'gpt-x-1'],
    );
    assert.deepEqual(
      [
        first!.turns[0]!.calls[0]!.arguments,
        first!.turns[0]!.calls[0]!.result?.content,
        second!.turns[0]!.calls[0]!.result,
        second!.terminated,
      ],
      [{ q: 'it' }, '[1]', null, false],
    );
    assert.equal(third!.messages[1]!.content, 'Hi[image_url]');
    const { pairs } = openPairs(dir, folder);
    assert.deepEqual(
      pairs.map((p) => p.pair.sides.map((s) => s.messages[0]!.tool_calls![0]!.function.arguments)),
      [[{ q: 'it' }, { q: 'that' }]],
    );
    assert.throws(
      () => importRun({ file: write('empty.jsonl', '\n'), workspace: dir, now: clock() }),
      /there is no trace in it, it is empty/,
    );
  });

  it("spans of others: OpenLLMetry's flat attributes and OpenInference's; a secret in them is not written", () => {
    const attribute = (key: string, stringValue: string) => ({ key, value: { stringValue } });
    const span = (spanId: string, attributes: object[]) => ({
      traceId: 'aa'.repeat(16),
      spanId,
      name: 'x',
      startTimeUnixNano: '1000000000',
      endTimeUnixNano: '3000000000',
      attributes,
    });
    const key = `AKIA${'IOSFODNN7EXAMPLE'}`;
    const file = write(
      'foreign.json',
      JSON.stringify({
        resourceSpans: [
          {
            scopeSpans: [
              {
                spans: [
                  span('01'.repeat(8), [
                    attribute('llm.request.type', 'chat'),
                    attribute('gen_ai.prompt.0.role', 'user'),
                    attribute('gen_ai.prompt.0.content', `Use ${key}`),
                    attribute('gen_ai.completion.0.role', 'assistant'),
                    attribute('gen_ai.completion.0.tool_calls.0.name', 'f'),
                    attribute('gen_ai.completion.0.tool_calls.0.arguments', '{"a":1}'),
                  ]),
                  {
                    ...span('02'.repeat(8), [
                      attribute('openinference.span.kind', 'LLM'),
                      attribute('llm.input_messages.0.message.role', 'user'),
                      attribute('llm.input_messages.0.message.content', 'Hi'),
                      attribute('llm.output_messages.0.message.role', 'assistant'),
                      attribute('llm.output_messages.0.message.content', 'Ho'),
                      attribute('llm.model_name', 'm'),
                    ]),
                    traceId: 'bb'.repeat(16),
                  },
                ],
              },
            ],
          },
        ],
      }),
    );
    const { dir: folder } = importRun({ file, workspace: dir, now: clock() });
    const traces = tracesOf(folder);
    assert.deepEqual(
      traces.map((t) => [t.messages.at(-1)!.role, t.turns[0]!.sampleMs, t.durationMs]),
      [
        ['assistant', 2000, 2000],
        ['assistant', 2000, 2000],
      ],
    );
    const flat = traces.find((t) => t.turns[0]!.calls.length > 0)!;
    assert.deepEqual(
      [flat.messages[0]!.content, flat.turns[0]!.calls[0]!.arguments],
      ['Use [redacted:aws-key]', { a: 1 }],
    );
  });

  it('posts to a collector: batches, headers, and what it answers', async () => {
    const bodies: { url: string; key: string | undefined; json: { resourceSpans: unknown[] } }[] = [];
    let status = 200;
    let reply = '{}';
    const server = createServer((request, response) => {
      let text = '';
      request
        .on('data', (d) => (text += d))
        .on('end', () => {
          bodies.push({ url: request.url!, key: request.headers['x-key'] as string, json: JSON.parse(text) });
          response.writeHead(status).end(reply);
        });
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    process.env['OTEL_EXPORTER_OTLP_HEADERS'] = 'x-key=a%20b';
    try {
      const send = () => exportOtel(join(dir, 'run'), { content: false, to: { endpoint }, signal });
      assert.deepEqual(await send(), { traces: 2, spans: 8 });
      assert.deepEqual(
        [bodies.length, bodies[0]!.url, bodies[0]!.key, bodies[0]!.json.resourceSpans.length],
        [1, '/v1/traces', 'a b', 1],
      );
      [status, reply] = [401, 'no key'];
      await assert.rejects(send(), /refused the traces: 401 no key/);
      [status, reply] = [200, '{"partialSuccess":{"rejectedSpans":"3","errorMessage":"too old"}}'];
      await assert.rejects(send(), /rejected some spans: 3 too old/);
    } finally {
      delete process.env['OTEL_EXPORTER_OTLP_HEADERS'];
      await new Promise((done) => server.close(done));
    }
    await assert.rejects(
      exportOtel(join(dir, 'run'), { content: false, to: { endpoint }, signal }),
      /can't be reached/,
    );
    assert.equal(tracesUrl('https://x.example/custom'), 'https://x.example/custom');
    assert.throws(() => tracesUrl('localhost:4317'), /must be http or https/);
    assert.deepEqual(headersFrom('a=1,b=2%2C3'), { a: '1', b: '2,3' });
  });
});
