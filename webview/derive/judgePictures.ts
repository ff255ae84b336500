/** The judge in pictures: against people, and against what the gold calls say of the traces that it ranked. */
import type { JudgeVerdict } from '../../trainer/protocol/reward';
import { CHOICES, type Agreement } from './agreement';
import type { Cell, Picture } from './pictures';

/** Rows: people, columns: the judge. */
export function agreementPicture({ table, traceIds }: Pick<Agreement, 'table' | 'traceIds'>): Picture {
  return {
    rows: CHOICES,
    columns: CHOICES,
    cells: CHOICES.map((people) =>
      CHOICES.map((judge): Cell => ({ value: table[people][judge], traceIds: traceIds[people][judge] })),
    ),
    kind: 'count',
    scale: 'row',
  };
}

/**
 * Rows: the ranks that the judge gave, best first; columns: whether the trace solved its task. Traces of which that is
 * not known are left out, and so are verdicts without a ranking.
 */
export function ranksAndGold(
  verdicts: readonly Pick<JudgeVerdict, 'traceIds' | 'ranks'>[],
  solvedOf: (traceId: string) => boolean | null | undefined,
): Picture {
  const byRank = new Map<number, { solved: string[]; notSolved: string[] }>();
  for (const { traceIds, ranks } of verdicts)
    traceIds.forEach((id, i) => {
      const rank = ranks?.[i];
      const solved = solvedOf(id);
      if (rank === undefined || solved === null || solved === undefined) return;
      let row = byRank.get(rank);
      if (!row) byRank.set(rank, (row = { solved: [], notSolved: [] }));
      row[solved ? 'solved' : 'notSolved'].push(id);
    });
  const ranks = Array.from(byRank.keys()).sort((a, b) => a - b);
  const cell = (traceIds: string[]): Cell => ({ value: traceIds.length, traceIds });
  return {
    rows: ranks.map(String),
    columns: ['solved', 'notSolved'],
    cells: ranks.map((rank) => [cell(byRank.get(rank)!.solved), cell(byRank.get(rank)!.notSolved)]),
    kind: 'count',
    scale: 'row',
  };
}
