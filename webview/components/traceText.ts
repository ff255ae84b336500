/**
 * A trace as text for elsewhere: Markdown to read, OpenAI messages to replay, a task line to train on, tokens as a
 * table. Pure.
 */
import { advantageAt, type Message, type Trace, type Turn } from '../../trainer/protocol/trace';
import { duration, signed } from '../shared/format';
import { t } from '../shared/strings';

/** OpenAI's chat form: arguments are a JSON string, and what only calls has no content. */
export function openAiMessages(trace: Trace): Record<string, unknown>[] {
  return trace.messages.map((message) => {
    const calls = message.tool_calls;
    if (message.role === 'tool')
      return { role: 'tool', tool_call_id: message.tool_call_id ?? '', content: message.content };
    if (!calls || calls.length === 0) return { role: message.role, content: message.content };
    return {
      role: message.role,
      content: message.content === '' ? null : message.content,
      tool_calls: calls.map((call) => ({
        id: call.id,
        type: 'function',
        function: { name: call.function.name, arguments: JSON.stringify(call.function.arguments) },
      })),
    };
  });
}

/**
 * For people: what was asked, done and answered, how it ended and what it earned. What a model or a tool wrote stands
 * in fences, so it can't become markup.
 */
export function traceMarkdown(trace: Trace): string {
  const results = new Map(trace.turns.flatMap((turn) => turn.calls.map((call) => [call.id, call.result] as const)));
  const facts = [
    `${t('fact.reward')}: ${trace.reward === null ? t('reward.notScored') : signed(trace.reward)}`,
    ...(trace.advantage === null ? [] : [`${t('fact.advantage')}: ${signed(trace.advantage)}`]),
    `${t('fact.outcome')}: ` +
      `${t(trace.solved === true ? 'outcome.solved' : trace.solved === false ? 'outcome.unsolved' : 'outcome.unknown')}`,
    `${t('fact.model')}: ${trace.model}`,
    `${t('fact.checkpoint')}: ${trace.checkpoint}`,
    `${t('fact.took')}: ${duration(trace.durationMs)}`,
  ];
  const parts = [`# ${t('page.trace')} ${trace.id}`, facts.map((fact) => `- ${fact}`).join('\n')];
  let turn = 0;
  for (const message of trace.messages) {
    if (message.role === 'assistant') turn++;
    parts.push(messageMarkdown(message, turn, results));
    const earned = message.role === 'assistant' ? turnFacts(trace.turns[turn - 1]) : [];
    if (earned.length > 0) parts.push(earned.join(' · '));
    const parseError = message.role === 'assistant' ? trace.turns[turn - 1]?.parseError : undefined;
    if (parseError !== undefined) parts.push(`**${t('turn.unreadable')}**\n\n${fenced(parseError)}`);
  }
  parts.push(ending(trace));
  if (trace.ungrounded?.length)
    parts.push(`**${t('ending.ungrounded', { claims: '' }).trim()}**\n\n${fenced(trace.ungrounded.join('\n'))}`);
  if (trace.rewards.length > 0)
    parts.push(
      [
        `| ${t('rewards.name')} | ${t('rewards.score')} | ${t('rewards.weight')} |`,
        '| --- | ---: | ---: |',
        ...trace.rewards.map(
          (r) =>
            `| ${r.name.replaceAll('|', '\\|')} | ${r.score === null ? t('reward.notScored') : r.score} | ${r.weight} |`,
        ),
      ].join('\n'),
    );
  return `${parts.filter(Boolean).join('\n\n')}\n`;
}

function messageMarkdown(
  message: Message,
  turn: number,
  results: Map<string, Trace['turns'][number]['calls'][number]['result']>,
): string {
  const said =
    message.content === ''
      ? []
      : [fenced(message.content, message.role === 'tool' && isJson(message.content) ? 'json' : '')];
  if (message.role === 'assistant') {
    const calls = (message.tool_calls ?? []).map(
      (call) => `\`${call.function.name}\`\n\n${fenced(JSON.stringify(call.function.arguments, null, 2), 'json')}`,
    );
    return [`## ${turn}. ${t('who.policy')}`, ...said, ...calls].join('\n\n');
  }
  if (message.role === 'tool') {
    const result = results.get(message.tool_call_id ?? '');
    const how = result
      ? `, ${t(result.policy === 'mock' ? 'policy.mock' : 'policy.real')}, ` +
        `${t(`result.${result.kind}`)}, ${duration(result.durationMs)}`
      : '';
    return [`### ${t('who.tool')}${message.name ? ` ${message.name}` : ''}${how}`, ...said].join('\n\n');
  }
  return [`## ${t(message.role === 'system' ? 'who.system' : 'who.user')}`, ...said].join('\n\n');
}

/** What a turn alone earned, where it was scored by itself. */
export const turnFacts = ({ reward, advantage }: Partial<Turn> = {}): string[] => [
  ...(reward === undefined
    ? []
    : [t('turn.reward', { value: reward === null ? t('reward.notScored') : signed(reward) })]),
  ...(advantage === undefined ? [] : [t('turn.advantage', { value: signed(advantage) })]),
];

function ending(trace: Trace): string {
  if (trace.truncated !== 'no') return `**${t(`ending.${trace.truncated}`)}**`;
  return trace.terminated ? t('ending.terminated') : t('ending.unknown');
}

/** A fence longer than any run of backticks inside. */
export function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), (match) => match[0].length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

export const TOKEN_COLUMNS = ['index', 'text', 'id', 'writer', 'trained', 'logprob', 'advantage'] as const;

/** One row per token; advantage only where it was trained, as the loss sees it. */
export function tokenRows(trace: Trace, texts: readonly string[]): (string | number | null)[][] {
  const { ids, logprobs, completionMask, writer } = trace.tokens;
  return ids.map((id, i) => [
    i,
    texts[i] ?? '',
    id,
    writer[i] ?? '',
    completionMask[i] ?? 0,
    logprobs[i] ?? null,
    completionMask[i] === 1 ? advantageAt(trace, i) : null,
  ]);
}
