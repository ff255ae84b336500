/**
 * Strata of made tasks, by how many calls they take and whether a result decides: those of ToolRLA's corpus
 * (arXiv:2603.01620, section 3.2).
 */
export const STRATA = ['single', 'sequential', 'conditional', 'rejection'] as const;
export type Stratum = (typeof STRATA)[number];
/** Percent of each; together 100. */
export type Strata = Readonly<Record<Stratum, number>>;

export const TOOLRLA_STRATA = 'single:30,sequential:35,conditional:20,rejection:15';

/** `single:60,rejection:40`, with 0 of what is not named; null: it is none, or its percents do not sum to 100 */
export function readStrata(text: string): Strata | null {
  const strata: Record<Stratum, number> = { single: 0, sequential: 0, conditional: 0, rejection: 0 };
  const named = new Set<string>();
  for (const part of text.split(',')) {
    const [, name = '', percent] = /^\s*(\w+)\s*:\s*(\d+(?:\.\d+)?)\s*$/.exec(part) ?? [];
    if (!Object.hasOwn(strata, name) || named.has(name)) return null;
    named.add(name);
    strata[name as Stratum] = Number(percent);
  }
  const sum = STRATA.reduce((total, name) => total + strata[name], 0);
  return Math.abs(sum - 100) < 1e-6 ? strata : null;
}
