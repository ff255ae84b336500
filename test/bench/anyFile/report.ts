/**
 * What the bench prints: tables for people, and the numbers of its line of JSON. Shares are of 1 inside, in percent
 * where people read them.
 */
import { pairedChange, pairedGain } from '../../../trainer/evaluation/statistics';
import { wilson } from '../../../trainer/protocol/interval';
import { round } from '../measured';
import { FAILURES, type Failure, type Judged } from './failures';

/** One file, one seed. */
export interface Measured {
  file: string;
  seed: number;
  before: Judged[];
  /** null: it was not trained */
  after: Judged[] | null;
  run: TrainedRun | null;
  /** the run did not finish, in its words */
  refused: string | null;
}

export interface TrainedRun {
  seconds: number;
  /** on its own held-out tasks */
  before: number | null;
  after: number | null;
  verdict: string;
  /** tools that at least one task calls, of all */
  covered: number;
  tools: number;
  warnings: string[];
}

export interface Gain {
  mean: number;
  ci95: [number, number];
}
type Share = { k: number; n: number };

const successes = (judged: readonly Judged[]): boolean[] => judged.map(({ success }) => success);
const share = (flags: readonly boolean[]): Share => ({ k: flags.filter(Boolean).length, n: flags.length });

/** What its user has in the end: of a file that was refused the model as it was. null: nothing was to be trained. */
export const inTheEnd = ({ before, after, refused }: Measured): Judged[] | null =>
  after ?? (refused === null ? null : before);

/** One file and seed: each request counts as one of its own (Newcombe). */
export const gainOf = ({ before, after }: Measured): Gain | null =>
  after === null ? null : pairedChange(successes(before), successes(after));

/**
 * All of them, refused files as no change: of one seed Newcombe's interval; of several, a request of all seeds is one
 * cluster.
 */
export function pooledGain(all: readonly Measured[]): Gain | null {
  const pairs = all.flatMap((one) => {
    const after = inTheEnd(one);
    return after === null
      ? []
      : one.before.map(({ task, success }, i) => ({
          request: `${one.file} ${task.id}`,
          before: success,
          after: after[i]!.success,
        }));
  });
  if (pairs.length === 0) return null;
  const [before, after] = [pairs.map((pair) => pair.before), pairs.map((pair) => pair.after)];
  const requests = pairs.map(({ request }) => request);
  return new Set(requests).size === requests.length ? pairedChange(before, after) : pairedGain(before, after, requests);
}

export function fileTable(all: readonly Measured[]): string[][] {
  const rows = all.map((one) => [
    one.file,
    `${one.seed}`,
    percent(share(successes(one.before))),
    one.after ? percent(share(successes(one.after))) : '-',
    points(gainOf(one)),
    strict(one),
    answers(one.after ?? one.before),
    one.run ? `${one.run.covered} of ${one.run.tools}` : '-',
    one.run ? `${Math.round(one.run.seconds)}` : '-',
    one.run ? `${whole(one.run.before)} -> ${whole(one.run.after)} %, ${one.run.verdict}` : (one.refused ?? '-'),
  ]);
  return [
    [
      'file',
      'seed',
      'before',
      'after',
      'gain',
      "product's own",
      'answer right',
      'tools with tasks',
      'seconds',
      'what the run said',
    ],
    ...rows,
  ];
}

/** By a tag of the requests: 0 the kind, 1 the style. */
export function tagTable(all: readonly Measured[], tag: 0 | 1): string[][] {
  const names = [...new Set(all.flatMap(({ before }) => before.map(({ task }) => task.tags?.[tag] ?? '?')))].sort();
  return [
    [tag === 0 ? 'kind' : 'style', 'before', 'after'],
    ...names.map((name) => {
      const part = (list: readonly Judged[]): boolean[] =>
        successes(list.filter(({ task }) => task.tags?.[tag] === name));
      const after = all.flatMap((one) => inTheEnd(one) ?? []);
      return [
        name,
        percent(share(all.flatMap(({ before }) => part(before)))),
        after.length === 0 ? '-' : percent(share(part(after))),
      ];
    }),
  ];
}

/** How many of all requests went wrong in each way, with a 95 % interval. */
export function failureCounts(
  judged: readonly Judged[],
): Record<Failure, { n: number; ci95: [number, number] | null }> {
  return Object.fromEntries(
    (Object.keys(FAILURES) as Failure[]).map((failure) => {
      const n = judged.filter((each) => each.failure === failure).length;
      return [failure, { n, ci95: wilson(n, judged.length) }];
    }),
  ) as Record<Failure, { n: number; ci95: [number, number] | null }>;
}

export function failureTable(before: readonly Judged[], after: readonly Judged[] | null): string[][] {
  const cells = (judged: readonly Judged[] | null, failure: Failure): string => {
    if (judged === null) return '-';
    const { n } = failureCounts(judged)[failure];
    return percent({ k: n, n: judged.length });
  };
  return [
    ['failure, of all requests', 'before', 'after'],
    ...(Object.entries(FAILURES) as [Failure, string][]).map(([failure, words]) => [
      words,
      cells(before, failure),
      cells(after, failure),
    ]),
  ];
}

/** The parameters that were most often wrong, with an example. */
export function valueTable(judged: readonly Judged[], most = 12): string[][] {
  const found = new Map<string, { n: number; missing: number; extra: number; wrong: number; example: string }>();
  for (const { task, wrong } of judged) {
    for (const { parameter, how, gold, made } of wrong) {
      const one = found.get(parameter) ?? {
        n: 0,
        missing: 0,
        extra: 0,
        wrong: 0,
        example: `${JSON.stringify(gold) ?? 'none'} -> ${JSON.stringify(made) ?? 'none'} (${task.id})`,
      };
      one.n++;
      one[how]++;
      found.set(parameter, one);
    }
  }
  const rows = [...found].sort(([, a], [, b]) => b.n - a.n).slice(0, most);
  return [
    ['parameter', 'missing', 'extra', 'other value', 'gold -> made'],
    ...rows.map(([name, { missing, extra, wrong, example }]) => [name, `${missing}`, `${extra}`, `${wrong}`, example]),
  ];
}

export function numbersOf(all: readonly Measured[]): object {
  const before = all.flatMap((one) => one.before);
  const after = all.flatMap((one) => inTheEnd(one) ?? []);
  const rate = (judged: readonly Judged[]): object | null => {
    if (judged.length === 0) return null;
    const { k, n } = share(successes(judged));
    return { success: round(k / n), ci95: wilson(k, n)!.map((edge) => round(edge)), n };
  };
  const failures = (judged: readonly Judged[]): object | null =>
    judged.length === 0
      ? null
      : Object.fromEntries(Object.entries(failureCounts(judged)).map(([name, { n }]) => [name, n]));
  return {
    pooled: { before: rate(before), after: rate(after), gain: rounded(pooledGain(all)) },
    files: all.map((one) => ({
      file: one.file,
      seed: one.seed,
      before: rate(one.before),
      after: one.after && rate(one.after),
      gain: rounded(gainOf(one)),
      run: one.run && { ...one.run, seconds: round(one.run.seconds, 1) },
      refused: one.refused,
    })),
    failures: { before: failures(before), after: failures(after) },
  };
}

export function layOut(rows: readonly string[][]): string {
  const [head = [], ...body] = rows;
  return [head, head.map(() => '---'), ...body]
    .map((row) => `| ${row.map((cell) => cell.replace(/\|/g, '/').replace(/\s+/g, ' ')).join(' | ')} |`)
    .join('\n');
}

export function percent({ k, n }: Share): string {
  const interval = wilson(k, n);
  return interval === null
    ? '-'
    : `${((100 * k) / n).toFixed(1)} % [${interval.map((edge) => Math.round(100 * edge)).join(', ')}] (${k} of ${n})`;
}

export const points = (gain: Gain | null): string =>
  gain === null ? '-' : `${signed(gain.mean)} [${gain.ci95.map(signed).join(', ')}]`;

const signed = (value: number): string => `${value < 0 ? '' : '+'}${(100 * value).toFixed(1)}`;
const whole = (value: number | null): string => (value === null ? '-' : `${Math.round(100 * value)}`);
const rounded = (gain: Gain | null): object | null =>
  gain && { mean: round(gain.mean), ci95: gain.ci95.map((edge) => round(edge)) };

function strict({ before, after }: Measured): string {
  const rate = (judged: Judged[]): string =>
    `${((100 * judged.filter((each) => each.strict).length) / judged.length).toFixed(1)}`;
  return after === null ? `${rate(before)} %` : `${rate(before)} -> ${rate(after)} %`;
}

/** Of the requests that state an answer: how many replies hold it. */
function answers(judged: readonly Judged[]): string {
  const stated = judged.filter(({ answered }) => answered !== null);
  return stated.length === 0 ? '-' : `${stated.filter(({ answered }) => answered).length} of ${stated.length}`;
}
