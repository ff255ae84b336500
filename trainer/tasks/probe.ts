import type { ToolSchema } from '../protocol/task';
import type { Random } from '../random';
import { deref, isRecord, type Arguments } from './arguments';
import type { Harvest } from './harvest';
import { drawArguments } from './values';

/**
 * Calls the read-only tools a few times so that the harvest holds real values: at most `ROUNDS * CALLS` drawn calls a tool, and a handful of
 * texts for parameters that may be searches. Later rounds use what earlier ones found, so that ids found by a list reach the tool that opens one.
 */
export async function probe(tools: readonly ToolSchema[], harvest: Harvest, random: Random): Promise<void> {
  const readOnly = tools.filter((tool) => !tool.changesWorld);
  for (const tool of readOnly) await probeSearches(tool, harvest, random.fork(`search ${tool.name}`));
  for (let round = 0; round < ROUNDS; round++) {
    for (const tool of readOnly) {
      const draws = random.fork(`${tool.name} ${round}`);
      for (let i = 0; i < CALLS; i++) {
        const args = drawArguments(tool, draws, harvest.known, round === 0 ? 0 : 2);
        if (args) await harvest.run(tool, args);
      }
    }
  }
}

/** Is there something in a result: not null, '', [], {}, nor an object of only such? */
export function isTelling(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (isRecord(value)) return Object.values(value).some(isTelling);
  return value !== null && value !== undefined && value !== '';
}

const ROUNDS = 3;
const CALLS = 6;
const SEARCH_TEXTS = ['', 'a', 'e', 'o', 'in', 'the', '*'];

/** A required free text that is answered with a list even for a letter is a search. */
async function probeSearches(tool: ToolSchema, harvest: Harvest, random: Random): Promise<void> {
  const properties = isRecord(tool.parameters.properties) ? tool.parameters.properties : {};
  const required = Array.isArray(tool.parameters.required) ? tool.parameters.required.map(String) : [];
  for (const [name, node] of Object.entries(properties)) {
    const schema = deref(node, tool.parameters);
    const isFree = schema.type === 'string' && !('enum' in schema) && !('format' in schema) && !('pattern' in schema) && !('const' in schema);
    if (!isFree || !required.includes(name) || harvest.known(tool, name, 'string').length > 0) continue;
    for (const text of SEARCH_TEXTS) {
      const rest = drawArguments(tool, random, harvest.known, 0);
      if (!rest) break;
      const args: Arguments = { ...rest, [name]: text };
      const seen = await harvest.run(tool, args);
      if (seen?.isReal && holdsList(seen.value)) harvest.markSearch(tool, name);
    }
  }
}

function holdsList(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return isRecord(value) && Object.values(value).some((member) => Array.isArray(member) && member.length > 0);
}
