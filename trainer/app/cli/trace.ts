import { suggest } from '../../base/nearest';
import { UserError } from '../../protocol/result';
import { isJudges } from '../../protocol/reward';
import type { Trace } from '../../protocol/trace';
import { findRun } from '../../store/runs/listRuns';
import { readTrace, requireManifest, traceSummaries } from '../../store/runs/readRun';
import { differenceWords, VERDICT_WORDS, VERDICTS, type Expected, type Verdicts } from '../../protocol/verdicts';
import { isInertial } from '../../protocol/toolGraph';
import type { Command } from './command';
import { duration } from './output';

export const trace: Command = {
  name: 'trace',
  positionals: { usage: 'RUN ID', min: 1, max: 2 },
  summary: 'Show one trace of a run: messages, calls, results, rewards.',
  options: {},
  examples: ['coach trace 20251121-093005-email t-12-3', 'coach trace .coach/runs/20251121-093005-email t-12-3 --json'],

  async run({ positionals: [run = '', id] }, { cwd, out }) {
    const dir = findRun(run, cwd);
    requireManifest(dir, { readOnly: true });
    const summaries = traceSummaries(dir);
    const summary = summaries.find((s) => s.id === id);
    if (summary === undefined) {
      const ids = summaries.map((s) => s.id);
      const hint =
        ids.length === 0
          ? 'It has no traces yet.'
          : id === undefined
            ? `The last ones: ${ids.slice(-5).join(', ')}.`
            : suggest(id, ids.length > 2000 ? ids.slice(-2000) : ids).replace(/^(Known: (?:\S+ ){8}).*/s, '$1…');
      throw new UserError(
        'config',
        id === undefined ? `coach trace needs the ID of a trace of ${dir}` : `${dir}: no trace "${id}"`,
        hint,
      );
    }
    const found = readTrace(dir, summary);
    out.json(found);
    out.text(traceText(found));
    return 0;
  },
};

/** Messages, calls, results, verdicts beside what was expected, rewards: one trace in lines. */
export function traceText(t: Trace): string {
  const solved = t.solved === null ? 'not judged' : t.solved ? 'solved' : 'not solved';
  const end = t.terminated ? 'answered' : `cut off: ${t.truncated}`;
  const lines = [
    `${t.id}  task ${t.taskId}  ${t.phase}, step ${t.step}  ${solved}, ${end}  ${duration(t.durationMs / 1000)}`,
    '',
  ];
  if (t.forkOf) lines.splice(1, 0, `goes on from before turn ${t.forkOf.turn + 1} of ${t.forkOf.traceId}`);
  if (t.shownTools) lines.splice(1, 0, `shown ${t.shownTools.length} of the tools: ${t.shownTools.join(', ')}`);
  const anew = t.turns.flatMap(({ shownTools }, i) =>
    shownTools ? [`shown from turn ${i + 1} on: ${shownTools.join(', ')}`] : [],
  );
  const results = new Map(t.turns.flatMap((turn) => turn.calls.map((call) => [call.id, call.result] as const)));
  for (const message of t.messages) {
    if (message.role === 'tool') {
      const result = results.get(message.tool_call_id ?? '');
      const how = result
        ? `${result.policy}${result.kind === 'ok' ? '' : `, ${result.kind}`}, ${Math.round(result.durationMs)} ms`
        : '';
      lines.push(`  -> ${message.content}${how ? `  (${how})` : ''}`);
      continue;
    }
    if (message.content !== '') lines.push(`${message.role}: ${message.content}`);
    for (const call of message.tool_calls ?? [])
      lines.push(`${message.role} calls ${call.function.name}(${JSON.stringify(call.function.arguments)})`);
  }
  lines.push(...anew);
  for (const turn of t.turns)
    if (turn.parseError !== undefined) lines.push(`could not be parsed: ${turn.text}  (${turn.parseError})`);
  t.turns.forEach((turn, i) => {
    if (isInertial(turn)) lines.push(`turn ${i + 1}: made by the tool graph (${turn.policy}), not by the model`);
  });
  t.turns.forEach(({ reward, advantage }, i) => {
    const earned = [
      ...(reward === undefined ? [] : [`reward ${figure(reward)}`]),
      ...(advantage === undefined ? [] : [`advantage ${figure(advantage)}`]),
    ];
    if (earned.length > 0) lines.push(`turn ${i + 1}: ${earned.join(', ')}`);
  });
  if (t.ungrounded?.length)
    lines.push(`stated, but neither said by the user nor returned by a tool: ${t.ungrounded.join(', ')}`);
  const judged = t.rewards.filter(isJudges);
  if (t.verdicts) lines.push(`${judged.length > 0 ? 'by rule: ' : ''}${verdictLine(t.verdicts)}`);
  if (t.expected) lines.push(`expected: ${expectedWords(t.expected)}`);
  for (const difference of t.differences ?? []) lines.push(`  ${differenceWords(difference)}`);
  for (const { name, score, reason } of judged)
    lines.push(`by judge: ${name} ${score === null ? 'not scored' : figure(score)}${reason ? `, "${reason}"` : ''}`);
  lines.push('');
  for (const reward of t.rewards)
    lines.push(
      `${reward.name}: ${reward.score === null ? `not scored${reward.error ? ` (${reward.error})` : ''}` : `${Number(reward.score.toPrecision(4))}`}${reward.weight === 1 ? '' : ` x ${reward.weight}`}`,
    );
  lines.push(`reward ${figure(t.reward)}, advantage ${figure(t.advantage)}`);
  return lines.join('\n');
}

const verdictLine = (verdicts: Verdicts): string =>
  VERDICTS.map((name) => `${VERDICT_WORDS[name]}: ${MARKS[String(verdicts[name]) as keyof typeof MARKS]}`).join(', ');
const expectedWords = ({ calls, answer }: Expected): string =>
  [
    ...(calls ?? []).map(({ name, arguments: args }) => `${name}(${JSON.stringify(args)})`),
    ...(calls?.length === 0 ? ['no call'] : []),
    ...(answer === undefined ? [] : [`answer ${answer}`]),
  ].join(', then ');
const MARKS = { true: 'yes', false: 'no', null: 'does not apply' };

const figure = (value: number | null): string => (value === null ? '-' : `${Number(value.toPrecision(4))}`);
