/** A trace as plain text to be read, compared and commented on: one block a step. Pure, free of `vscode`. */
import type { Trace, Turn } from '../../trainer/protocol/trace';

export interface TraceBlock {
  /** of the block's heading; lines count from 0 */
  line: number;
  /** the block's last line */
  end: number;
  title: string;
  /** what stands below the heading, line by line, not indented */
  lines: string[];
  kind: 'task' | 'system' | 'call' | 'result' | 'answer' | 'unreadable' | 'end' | 'about';
  /** index of the turn in the trace; null: no step of the policy */
  turn: number | null;
}

export interface TraceText {
  text: string;
  blocks: TraceBlock[];
}

/**
 * @param blind leaves out what would tell which model this is and what was thought of it: checkpoint, reward,
 * advantage, times
 */
export function traceText(trace: Trace, { blind }: { blind: boolean }): TraceText {
  const lines: string[] = [];
  const blocks: TraceBlock[] = [];
  const block = (kind: TraceBlock['kind'], title: string, content: string[], turn: number | null = null): void => {
    if (lines.length > 0) lines.push('');
    const line = lines.length;
    lines.push(title, ...content.map((text) => (text === '' ? '' : `    ${text}`)));
    blocks.push({ line, end: lines.length - 1, title, lines: content, kind, turn });
  };
  let turn = -1;
  for (const message of trace.messages) {
    switch (message.role) {
      case 'system':
        block('system', 'System', split(message.content));
        break;
      case 'user':
        block('task', turn < 0 ? 'Task' : 'User', split(message.content));
        break;
      case 'assistant': {
        turn++;
        const made = trace.turns[turn];
        const calls = message.tool_calls ?? [];
        if (made?.parseError !== undefined)
          block('unreadable', `Step ${turn + 1} · could not be read: ${made.parseError}`, split(made.text), turn);
        else if (calls.length === 0) block('answer', `Step ${turn + 1} · answers`, split(message.content), turn);
        else
          calls.forEach(({ function: { name, arguments: args } }, i) =>
            block(
              'call',
              `Step ${turn + 1} · calls ${name}`,
              [...(i === 0 && message.content !== '' ? split(message.content) : []), ...argumentLines(args)],
              turn,
            ),
          );
        break;
      }
      case 'tool': {
        const result = resultOf(trace.turns, message.tool_call_id);
        const how = [
          result && result.kind !== 'ok' ? result.kind : '',
          result?.policy === 'mock' ? 'mock' : '',
          !blind && result ? `${Math.round(result.durationMs)} ms` : '',
        ]
          .filter(Boolean)
          .join(', ');
        block(
          'result',
          `Result${message.name ? ` of ${message.name}` : ''}${how ? ` (${how})` : ''}`,
          jsonLines(message.content),
          Math.max(turn, 0),
        );
      }
    }
  }
  block('end', trace.terminated ? 'Ended by itself' : `Cut off: ${END[trace.truncated]}`, []);
  if (!blind) {
    const score = (value: number | null) => (value === null ? 'not scored' : String(Number(value.toPrecision(4))));
    const ungrounded = trace.ungrounded?.length
      ? [`stated, but found neither in the task nor in a result: ${trace.ungrounded.join(', ')}`]
      : [];
    block('about', 'About', [
      `checkpoint ${trace.checkpoint}, ${trace.phase}, step ${trace.step}`,
      ...ungrounded.flatMap(split),
      `reward ${score(trace.reward)}`,
      ...trace.rewards.map(
        (r) =>
          `  ${r.name} ${score(r.score)}${r.weight === 1 ? '' : ` × ${r.weight}`}${r.error ? ` (${r.error})` : ''}`,
      ),
    ]);
  }
  return { text: `${lines.join('\n')}\n`, blocks };
}

const END = {
  no: 'it could not be read',
  turnLimit: 'the limit of turns',
  tokenLimit: 'the limit of tokens',
  cancelled: 'cancelled',
} as const;

function resultOf(turns: readonly Turn[], callId: string | undefined) {
  return callId === undefined
    ? null
    : (turns.flatMap((turn) => turn.calls).find((call) => call.id === callId)?.result ?? null);
}

/** `name: value`, one line each; a text of several lines keeps them. */
function argumentLines(args: Record<string, unknown>): string[] {
  const entries = Object.entries(args);
  if (entries.length === 0) return ['(no arguments)'];
  return entries.flatMap(([name, value]) => {
    const [first = '', ...rest] = split(JSON.stringify(value, null, 2));
    return [`${name}: ${first}`, ...rest];
  });
}

/** JSON laid out over lines, so that a difference is a line; what is none stays as it is. */
function jsonLines(text: string): string[] {
  try {
    const value: unknown = JSON.parse(text);
    return split(typeof value === 'object' ? JSON.stringify(value, null, 2) : text);
  } catch {
    return split(text);
  }
}

/** Line ends of every kind; characters that turn or hide text are shown as what they are. */
function split(text: string): string[] {
  return text
    .replace(
      /[\u202a-\u202e\u2066-\u2069\u200b-\u200f\ufeff]/g,
      (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
    .split(/\r\n|[\n\r\u2028\u2029]/);
}
