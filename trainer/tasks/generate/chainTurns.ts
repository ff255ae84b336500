/** How often a chain has its turn: people begin with what they know of the thing that they mean. */
import { requiredOf } from '../../protocol/arguments';
import { nameWordsOf, singular } from '../../tools/schema/words';
import type { ToolSchema } from '../../protocol/task';
import type { Link } from './chains';
import { isOwnId } from './feeds';
import type { ToolTalk } from './grammar/toolTalk';

/** A chain that begins with an id has one turn in so many. */
const BY_ID = 3;
/** "Clean the cottage of Ann's booking", where a cottage can be looked up itself. */
const ROUNDABOUT = 2;

/** One turn in so many. @param links all that there are */
export function turnEvery(link: Link, links: readonly Link[], talkOf: (tool: string) => ToolTalk): number {
  if (isById(link, talkOf)) return BY_ID;
  return isRoundabout(link, links, talkOf) ? ROUNDABOUT : 1;
}

/** Is the thing known by another one's name, where it has a look-up by its own? */
export function isRoundabout(link: Link, links: readonly Link[], talkOf: (tool: string) => ToolTalk): boolean {
  const noun = talkOf(link.to.name)
    .parameters.find(({ path }) => path[0] === link.parameter)
    ?.noun.split(' ')
    .at(-1);
  const isOwn = (one: Link): boolean => (noun !== undefined && isAbout(one.from, noun)) || isOwnId(one.from, one);
  const others = links.filter(({ to, parameter }) => to === link.to && parameter === link.parameter);
  return !isOwn(link) && others.some((one) => isOwn(one) && !isById(one, talkOf));
}

/** Does its first call take ids alone? Who asks for two things names the first by what people know of it. */
function isById({ from }: Link, talkOf: (tool: string) => ToolTalk): boolean {
  const required = requiredOf(from.parameters);
  const asked = talkOf(from.name).parameters.filter(({ path }) => required.includes(path[0]!));
  return asked.length > 0 && asked.every(({ role }) => role === 'id');
}

const isAbout = (tool: ToolSchema, noun: string): boolean => nameWordsOf(tool).map(singular).includes(noun);
