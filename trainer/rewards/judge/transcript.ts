import type { Episode } from '../episode';
import { framed } from './framed';

/**
 * A trace as the judge reads it: each turn with what was written, every call with its arguments, and how it ended. Text
 * of others in it is framed (framed.ts), and what is longer than the limit is cut
 * from the middle of the longest parts first, and marked, so that start, end and every call's name stay.
 *
 * @param limit characters
 */
export function transcript(episode: Episode, limit: number): string {
  const parts = partsOf(episode).map(({ label, text }): Part => ({ label, text: framed(text) }));
  for (let each = limit; length(parts) > limit && each >= 40; each = Math.floor(each / 2))
    for (const part of parts) part.text = cutMiddle(part.text, each);
  return cutMiddle(parts.map(({ label, text }) => `${label}${text}`).join('\n'), limit);
}

interface Part {
  label: string;
  text: string;
}

function partsOf({ trace, terminated }: Episode): Part[] {
  const parts = trace.turns.flatMap((turn, index): Part[] => {
    const isReply = index === trace.turns.length - 1 && turn.calls.length === 0 && terminated;
    const written = trace.messages.filter((message) => message.role === 'assistant')[index]?.content ?? turn.text;
    const said =
      turn.parseError !== undefined
        ? [{ label: `could not be parsed (${framed(turn.parseError)}): `, text: turn.text }]
        : written === '' && !isReply
          ? []
          : [{ label: isReply ? 'final answer: ' : 'says: ', text: written }];
    return [
      ...said,
      ...turn.calls.flatMap(({ name, arguments: args, result }) => [
        { label: `calls ${framed(name)} with `, text: JSON.stringify(args) },
        {
          label:
            result === null ? '  was never run' : result.kind === 'ok' ? '  result: ' : `  failed (${result.kind}): `,
          text: result?.content ?? '',
        },
      ]),
    ];
  });
  if (!terminated)
    parts.push({
      label: `ended without an answer (${trace.truncated === 'no' ? 'it stopped' : trace.truncated})`,
      text: '',
    });
  return parts.length > 0 ? parts : [{ label: 'did nothing', text: '' }];
}

const length = (parts: readonly Part[]): number =>
  parts.reduce((sum, { label, text }) => sum + label.length + text.length + 1, 0);

/** Start and end, with how much is gone between. */
export function cutMiddle(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const mark = ` […${text.length - limit} characters cut…] `;
  const half = Math.max(0, Math.floor((limit - mark.length) / 2));
  return `${text.slice(0, half)}${mark}${text.slice(text.length - half)}`.slice(0, Math.max(limit, mark.length));
}
