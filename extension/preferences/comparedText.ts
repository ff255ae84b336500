/**
 * A trace as a text to be held beside another one of its task: only what was said and done, and what was found of it.
 */
import type { Trace } from '../../trainer/protocol/trace';
import { differenceWords, VERDICT_WORDS, VERDICTS } from '../../trainer/protocol/verdicts';
import { expectedText } from '../evaluations/taskText';
import { traceText, type TraceText } from './traceText';

/** No times, rewards or checkpoints: they would differ between any two. The tab says which one it is. */
export function comparedText(trace: Trace): TraceText {
  const { text, blocks } = traceText(trace, { blind: true });
  const { verdicts, differences = [], expected } = trace;
  if (!verdicts) return { text, blocks };
  const wanted = expected ? expectedText({ id: trace.taskId, prompt: '', ...expected }).trimEnd() : '';
  const told = { true: 'yes', false: 'no', null: 'does not apply' };
  const verdictLines = [
    ...VERDICTS.map((name) => `${VERDICT_WORDS[name]}: ${told[String(verdicts[name]) as keyof typeof told]}`),
    ...differences.map(differenceWords),
  ];
  return [
    ...(wanted === '' ? [] : [{ title: 'Expected', lines: wanted.split('\n') }]),
    { title: 'Verdicts', lines: verdictLines },
  ].reduce<TraceText>(withBlock, { text, blocks });
}

function withBlock({ text, blocks }: TraceText, { title, lines }: { title: string; lines: string[] }): TraceText {
  const line = text.split('\n').length;
  return {
    text: `${text}\n${title}\n${lines.map((one) => `    ${one}\n`).join('')}`,
    blocks: [...blocks, { line, end: line + lines.length, title, lines, kind: 'about', turn: null }],
  };
}
