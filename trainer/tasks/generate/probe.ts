import type { ToolSchema } from '../../protocol/task';
import type { Random } from '../../base/random';
import { deref, isRecord, propertiesOf, requiredOf, type Arguments } from '../../protocol/arguments';
import type { Harvest } from './harvest';
import { HERE } from '../../base/here';
import { takesFolder } from '../../tools/values/fit';
import { findLookUps } from './pool/names';
import type { KnownValues } from './drawing';
import { drawArguments } from './values';

/**
 * Calls the read-only tools so that the harvest holds real values and the pool knows which of them each tool takes.
 * Breadth first: a round gives each
 * tool a few calls, later rounds use what earlier ones found, so that ids found by a list reach the tool that opens
 * one. A tool that nothing likely
 * opens is tried with made-up values, with letters (a search answers them), and last with whatever is of the right
 * type. Bounded: CALLS a tool.
 */
export async function probe(tools: readonly ToolSchema[], harvest: Harvest, random: Random): Promise<void> {
  const readOnly = tools.filter((tool) => !tool.changesWorld);
  const calls = new Map<string, number>();
  for (let round = 0; round < ROUNDS; round++) {
    const before = harvest.pool.size + readOnly.filter((tool) => harvest.pool.hasWorked(tool)).length;
    for (const tool of readOnly) {
      const draws = random.fork(`${tool.name} ${round}`);
      const isOpen = !harvest.pool.hasWorked(tool);
      // also where a made-up name met one of many by luck
      if (round === 2) await probeSearches(tool, harvest, draws);
      for (let i = 0; i < (isOpen ? 10 : 4); i++) {
        if (harvest.isSpent(tool) || (calls.get(tool.name) ?? 0) >= CALLS) break;
        calls.set(tool.name, (calls.get(tool.name) ?? 0) + 1);
        const args = drawArguments(
          tool,
          draws,
          exploring(tool, harvest, draws, { round, i, isOpen }),
          round === 0 ? 0 : 2,
        );
        if (args) await harvest.run(tool, args);
      }
    }
    const after = harvest.pool.size + readOnly.filter((tool) => harvest.pool.hasWorked(tool)).length;
    const areOpen = readOnly.some((tool) => !harvest.pool.hasWorked(tool));
    if (before === after && round > (areOpen ? 4 : 1)) break;
  }
  harvest.pool.setLookUps(await findLookUps(tools, harvest));
}

const ROUNDS = 8;
const CALLS = 80;
const FEW_KNOWN = 3;
const NOBODYS = 'qxzvjkw';
const SEARCH_TEXTS = ['', 'a', 'e', 'o', 'in', 'the', '*'];

/** Values for one call while the tools are explored: of one source each, likely ones first. */
function exploring(
  tool: ToolSchema,
  { pool, known }: Harvest,
  random: Random,
  { round, i, isOpen }: { round: number; i: number; isOpen: boolean },
): KnownValues {
  if (!isOpen && i % 2 === 0) return known;
  const isMadeUp = isOpen && round > 0 && i % 5 === 4;
  const isBroad = isOpen && round > 1 && i % 5 < 3;
  let shared: string | undefined;
  const of = (_tool: ToolSchema, path: string, type: 'string' | 'number'): readonly unknown[] => {
    const place = pool.place(tool, path);
    if (!place || isMadeUp) return [];
    const { likely, rest } = pool.toTry(place);
    const sources = (isBroad && (likely.length === 0 || random.next() < 0.3) ? rest : likely)
      .map((source) => ({
        ...source,
        values: source.values.filter((value) => typeof value === type && !pool.isNot(tool, path, value)),
      }))
      .filter(({ values }) => values.length > 0);
    if (sources.length === 0) return type === 'string' && takesFolder(place) ? [HERE] : known(tool, path, type);
    const again = random.next() < 0.6 ? sources.find(({ id }) => id === shared) : undefined;
    const source = again ?? sources[Math.min(sources.length - 1, Math.floor(sources.length * random.next() ** 2))]!;
    shared ??= source.id;
    return source.values;
  };
  const together = pool.together(tool);
  return Object.assign(of, {
    together: (_tool: ToolSchema, draws: Random) =>
      together.length > 0 && !isMadeUp && i % 2 === 1 ? draws.pick(together) : null,
  });
}

/** A required free text that is answered with a list even for a letter is a search. */
async function probeSearches(tool: ToolSchema, harvest: Harvest, random: Random): Promise<void> {
  const properties = propertiesOf(tool.parameters);
  const required = requiredOf(tool.parameters);
  for (const [name, node] of Object.entries(properties)) {
    const schema = deref(node, tool.parameters);
    const isFree =
      schema.type === 'string' &&
      !('enum' in schema) &&
      !('format' in schema) &&
      !('pattern' in schema) &&
      !('const' in schema);
    if (!isFree || !required.includes(name) || harvest.known(tool, name, 'string').length > FEW_KNOWN) continue;
    const givesList = async (text: string): Promise<boolean> => {
      const rest = drawArguments(tool, random, harvest.known, 0);
      const args: Arguments = { ...rest, [name]: text };
      const seen = rest && (await harvest.run(tool, args));
      return seen?.isReal === true && holdsList(seen.value);
    };
    // what lists something for anything looks nothing up: "generateQuestions"
    if (await givesList(NOBODYS)) continue;
    for (const text of SEARCH_TEXTS) if (await givesList(text)) harvest.markSearch(tool, name);
  }
}

function holdsList(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return isRecord(value) && Object.values(value).some((member) => Array.isArray(member) && member.length > 0);
}
