import { DEFAULTS } from '../../protocol/settings/defaults';
import type { BaseModel } from '../../model/weights/baseModel';
import type { Random } from '../../base/random';
import type { ToolSchema } from '../../protocol/task';
import type { LocalPolicy } from '../../rollout/policy/local';
import type { ToolHosts } from '../../tools/hosts/callTool';
import type { RecipeContext } from '../recipe';
import { drawNames, Renamed } from './otherNames';

/** What a sample or a group of training is done with where its tools are renamed. */
export interface OtherNames {
  renamed: Renamed;
  /** under these names: the tools, where they run, and the policy on them */
  own: { tools: readonly ToolSchema[]; hosts: Pick<ToolHosts, 'open'>; policy: LocalPolicy };
}

/** Other names may take so much more of an episode than the tools' own, which the limits were planned for. */
const LONGER = 1 / 8;
const ATTEMPTS = 8;

/**
 * Draws other names for a share of what is trained (`renameTools`), of the random stream and for the tools that are
 * given alone.
 */
export function renamer(
  { config: { renameTools = DEFAULTS.renameTools, maxTokens }, hosts, now }: RecipeContext,
  { template, tokenizer }: BaseModel,
  policyFor: (tools: readonly ToolSchema[]) => LocalPolicy,
): (random: Random, tools: readonly ToolSchema[]) => OtherNames | null {
  const lengthOf = (of: readonly ToolSchema[]): number =>
    tokenizer.encode(template.render([{ role: 'user', content: 'x' }], of, true)).length;
  const rooms = new WeakMap<readonly ToolSchema[], number>();
  return (random, tools) => {
    if (renameTools === 0 || random.next() >= renameTools) return null;
    const room = rooms.get(tools) ?? lengthOf(tools) + LONGER * maxTokens;
    rooms.set(tools, room);
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const renamed = new Renamed(tools, drawNames(tools, random));
      if (lengthOf(renamed.tools) > room) continue;
      return {
        renamed,
        own: { tools: renamed.tools, policy: policyFor(renamed.tools), hosts: renamed.hosts(hosts, now) },
      };
    }
    return null;
  };
}
