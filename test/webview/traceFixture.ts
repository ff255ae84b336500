/**
 * Full traces to the fixture's summaries: messages, calls with results, tokens with masks; hostile texts and failures
 * among them.
 */
import type { Trace, TraceSummary, Turn } from '../../trainer/protocol/trace';
import { START } from './fixture';
import { random } from './random';

const HOSTILE_RESULT = {
  hits: 3,
  mails: [
    {
      id: 'm-104',
      from: 'ana@example.org',
      subject: 'Invoice 2207',
      body: '<script>document.title="owned"</script> due on 3 May \u202e!esrever',
    },
    { id: 'm-101', from: 'ana@example.org', subject: '<b onclick=alert(1)>Invoice</b> 2199', body: 'x'.repeat(900) },
    { id: 'm-88', from: 'bank@example.org', subject: 'Statement', body: '' },
  ],
  nextPage: null,
};

export function traceOf(summary: TraceSummary, runId: string): { trace: Trace; tokenTexts: string[] } {
  const rng = random(Array.from(summary.id).reduce((sum, c) => (sum * 31 + c.charCodeAt(0)) >>> 0, 7));
  const system =
    'You call tools.\nsearchEmails(query: string, from?: string, limit = 5): Search the inbox. Newest first.\nreadEmail(id: string): The whole mail.\nsendEmail(to: string, text: string): Send a mail.';
  const messages: Trace['messages'] = [
    { role: 'system', content: system },
    { role: 'user', content: summary.prompt },
  ];
  const turns: Turn[] = [];
  const tokens = {
    ids: [] as number[],
    logprobs: [] as (number | null)[],
    completionMask: [] as (0 | 1)[],
    writer: '',
    texts: [] as string[],
  };
  const write = (text: string, writer: string): void => {
    for (const piece of text.match(/ ?[A-Za-z0-9]{1,5}|\s|[^A-Za-z0-9\s]/gu) ?? []) {
      const isForced = writer === 's' && /^[{}":,[\]]$/.test(piece) && rng.next() < 0.8;
      const isTrained = writer === 's' && !isForced;
      tokens.ids.push(Math.floor(rng.next() * 8000));
      tokens.logprobs.push(writer === 's' ? (isForced ? 0 : Math.log(0.05 + 0.95 * Math.sqrt(rng.next()))) : null);
      tokens.completionMask.push(isTrained ? 1 : 0);
      tokens.writer += isForced ? 'f' : writer;
      tokens.texts.push(piece);
    }
  };
  write(`<|system|>${system}\n<|user|>${summary.prompt}\n<|assistant|>`, 'p');
  let clock = START + 5000;
  const startedAt = clock;
  const steps = summary.path.split(' → ').filter((step) => !/^[(…]/.test(step));
  for (const [i, step] of steps.entries()) {
    const name = step.replace('✗', '');
    const sampleMs = 25 + Math.round(rng.next() * 40);
    clock += sampleMs;
    const start = tokens.ids.length;
    if (name === 'answer' || name === '?') {
      const text =
        name === 'answer'
          ? 'Invoice 2207 from Ana is the newest; it is due on 3 May.'
          : '<tool_call>{"name": "readEmail", "arguments": {"id": m-104}}';
      write(text, 's');
      turns.push({
        start,
        end: tokens.ids.length,
        text,
        calls: [],
        sampleMs,
        ...(name === '?' ? { parseError: 'call 1: arguments are not JSON: unexpected token m at position 47' } : {}),
      });
      messages.push({ role: 'assistant', content: text });
      continue;
    }
    const args: Record<string, unknown> =
      name === 'searchEmails'
        ? { query: i === 0 ? 'invoices' : 'Ana', from: 'Ana', ...(summary.solved ? {} : { limit: 50 }) }
        : name === 'readEmail'
          ? { id: 'm-104' }
          : { to: 'tom@example.org', text: 'The venue: Hafenstr. 12' };
    const id = `call_${i}`;
    const text = `<tool_call>${JSON.stringify({ name, arguments: args })}</tool_call>`;
    write(text, 's');
    const isBad = step.endsWith('✗');
    const durationMs = isBad ? 120 : 2 + Math.round(rng.next() * 30);
    const result: NonNullable<Turn['calls'][number]['result']> = isBad
      ? {
          kind: 'timeout',
          content: '{"error":"searchEmails: no answer within 10,000 ms"}',
          policy: 'real',
          startedAt: clock,
          durationMs,
        }
      : {
          kind: 'ok',
          content: JSON.stringify(
            name === 'searchEmails'
              ? HOSTILE_RESULT
              : { id: 'm-104', from: 'ana@example.org', due: '2026-05-03', paid: false, amount: 1290.5 },
          ),
          policy: name === 'sendEmail' ? 'mock' : 'real',
          ...(name === 'sendEmail' ? { mockSource: 'schema' as const } : {}),
          startedAt: clock,
          durationMs,
        };
    clock += durationMs;
    turns.push({ start, end: tokens.ids.length, text, calls: [{ id, name, arguments: args, result }], sampleMs });
    messages.push(
      { role: 'assistant', content: '', tool_calls: [{ id, type: 'function', function: { name, arguments: args } }] },
      { role: 'tool', content: result.content, tool_call_id: id, name },
    );
    write(`\n<|tool|>${result.content.slice(0, 300)}\n`, 't');
    write('<|assistant|>', 'x');
  }
  const { texts, ...kept } = tokens;
  const trace: Trace = {
    version: 2,
    id: summary.id,
    runId,
    taskId: summary.taskId,
    phase: summary.phase,
    step: summary.step,
    groupId: summary.groupId,
    indexInGroup: 0,
    seed: 7,
    model: 'nano',
    checkpoint: summary.checkpoint ?? (summary.phase === 'before' ? 'base' : `checkpoints/${summary.step}`),
    temperature: summary.phase === 'train' ? 1 : 0,
    constraint: 'schema+spans',
    messages,
    turns,
    tokens: kept,
    terminated: summary.path.endsWith('answer'),
    truncated: summary.truncated,
    solved: summary.solved,
    rewards: rewardsOf(summary),
    reward: summary.reward,
    advantage: summary.advantage,
    startedAt,
    durationMs: clock - startedAt,
  };
  return { trace, tokenTexts: texts };
}

/** Components that add up to the summary's reward, with the weights of the fixture's settings. */
function rewardsOf({ reward }: TraceSummary): Trace['rewards'] {
  if (reward === null)
    return [
      { name: 'correctness', score: null, weight: 0.7, error: 'TypeError: cannot read property "answer" of undefined' },
    ];
  const efficiency = reward === 1 ? 1 : reward > 0.2 ? 0.25 : 0;
  return [
    { name: 'correctness', score: Math.max(0, (reward - 0.2 * efficiency - 0.1) / 0.7), weight: 0.7 },
    { name: 'efficiency', score: efficiency, weight: 0.2 },
    { name: 'format', score: 1, weight: 0.1 },
  ];
}
