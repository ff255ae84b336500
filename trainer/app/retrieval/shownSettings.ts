import { suggest } from '../../base/nearest';
import { UserError } from '../../protocol/result';
import type { RunConfig } from '../../protocol/runConfig';
import { DEFAULTS } from '../../protocol/settings/defaults';
import type { ToolSchema } from '../../protocol/task';
import { checkNoClash } from '../../tools/retrieval/findTools';

/**
 * Settings with how many of these tools each request is shown; both settings absent: all.
 * @param byDefault whether it is decided where nothing is set; not of a run of before, whose prompts held all
 * @throws UserError where what is always shown is no tool, or leaves no room for any other; where nothing is left to
 * find
 */
export function withShownTools(
  config: RunConfig,
  tools: readonly Pick<ToolSchema, 'name' | 'source'>[],
  { byDefault = true } = {},
): RunConfig {
  const { shownTools: set, shownAlways = [], ...rest } = config;
  const { findTools = DEFAULTS.findTools } = config;
  // marked pairs are read with all tools, and prompts hold none where tools are tokens
  const isUsual = byDefault && config.pairs === undefined && !config.toolTokens;
  const usual = isUsual ? DEFAULTS.shownTools({ tools: tools.length, findTools }) : 0;
  const shownTools = set ?? usual;
  const names = tools.map(({ name }) => name);
  const unknown = shownAlways.find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new UserError('config', `shownAlways: there is no tool "${unknown}"`, suggest(unknown, names.slice(0, 50)));
  if (findTools) checkNoClash(tools);
  if (findTools && (shownTools === 0 || shownTools >= tools.length))
    throw new UserError(
      'config',
      `findTools: all ${tools.length} tools are shown, so there is none to find`,
      tools.length > 1 ? `Set shownTools to at most ${tools.length - 1}, or leave findTools out.` : 'Leave it out.',
    );
  if (shownTools === 0 || shownTools >= tools.length) return rest;
  if (shownAlways.length >= shownTools)
    throw new UserError(
      'config',
      `shownAlways names ${shownAlways.length} tools, shownTools is ${shownTools}: nothing would be looked up`,
      `Set shownTools to ${shownAlways.length + 1} or more, or name fewer.`,
    );
  return { ...rest, shownTools, ...(shownAlways.length > 0 ? { shownAlways } : {}) };
}
