/** The settings of a run by section, and the names that they may be given by. */
import { engine, evaluation, judge, reward, storage } from './around';
import { guards, limits, run, sampling, tasks, tools, writer } from './episode';
import { adapter, dpo, grpo, optimizer, sft } from './learning';

export const SECTIONS = {
  run,
  tasks,
  writer,
  tools,
  reward,
  judge,
  sampling,
  limits,
  guards,
  grpo,
  dpo,
  sft,
  optimizer,
  adapter,
  evaluation,
  engine,
  storage,
};
export type Section = keyof typeof SECTIONS;

/** What the names of a section's settings begin with; behind the section's name it may be left out: judge.votes. */
const BEGIN: Partial<Record<Section, string>> = {
  tasks: 'task',
  writer: 'writer',
  tools: 'tool',
  judge: 'judge',
  guards: 'guard',
  dpo: 'dpo',
  sft: 'sft',
  adapter: 'lora',
};

/**
 * A setting's name behind its section's: rank for adapter and loraRank, learningRate for optimizer and learningRate.
 */
function shortName(section: Section, name: string): string {
  const begin = BEGIN[section];
  const rest = begin !== undefined && name.startsWith(begin) ? name.slice(begin.length) : '';
  return /^[A-Z]/.test(rest) ? rest[0]!.toLowerCase() + rest.slice(1) : name;
}

/** By `section.name`, short and whole, the flat name. */
const FLAT: ReadonlyMap<string, string> = new Map(
  Object.entries(SECTIONS).flatMap(([section, settings]) =>
    Object.keys(settings).flatMap((name) => [
      [`${section}.${name}`, name] as const,
      [`${section}.${shortName(section as Section, name)}`, name] as const,
    ]),
  ),
);

/** `section.name` as it is shown. */
export const sectionedNames: readonly string[] = Object.entries(SECTIONS).flatMap(([section, settings]) =>
  Object.keys(settings).map((name) => `${section}.${shortName(section as Section, name)}`),
);

export const isSection = (name: string): name is Section => Object.hasOwn(SECTIONS, name);

/** The flat name of a setting that is given by its section, else the name itself. */
export const flatName = (name: string): string => FLAT.get(name) ?? name;
