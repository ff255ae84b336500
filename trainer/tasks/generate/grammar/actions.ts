/** Tools that do several things, one of which a parameter picks: "manageOrder" with the action "cancel". */
import { isRecord, propertiesOf, type Arguments } from '../../../protocol/arguments';
import type { ToolSchema } from '../../../protocol/task';
import { splitWords } from '../../../base/words';
import { LOOK_UPS, nameWordsOf, singular } from '../../../tools/schema/words';
import { actsOf } from './acts';
import { plural } from './thing';
import { nounsOf } from './toolActs';
import type { ToolTalk } from './toolTalk';

const PICKS = /^(action|operation|command|op|verb)$/;
/** Of a name these say only that something is done. */
const SAYS_DOING =
  /^(action|operation|management|manager|manage|handle|handler|handling|control|command|crud|do|perform)s?$/;
const MAKES = /^(add|create|make|new|insert|book|schedule)$/;
const OF_MANY = /^(list|browse|search|find|query|filter)$/;

/** The parameter whose words are what is done; undefined where the tool does one thing. */
function picking({ parameters }: ToolSchema): string | undefined {
  const properties = propertiesOf(parameters);
  return Object.keys(properties).find((name) => {
    if (!PICKS.test(splitWords(name).at(-1) ?? '')) return false;
    const schema = properties[name];
    const choices = isRecord(schema) && Array.isArray(schema.enum) ? schema.enum : [];
    const known = choices.filter((one) => verbOf(one) !== null).length;
    const isOfNumbers = choices.some((one) => /^(subtract|multiply|divide)$/.test(String(one)));
    return known > 1 && known * 2 > choices.length && !isOfNumbers;
  });
}

function verbOf(choice: unknown): string | null {
  const [first = ''] = typeof choice === 'string' ? splitWords(choice) : [];
  return actsOf(first).length > 0 ? first : null;
}

/** The tool as one that does what the arguments pick, which is then no value to be said. */
export function asPicked(talk: ToolTalk, args: Arguments): { talk: ToolTalk; args: Arguments } {
  const name = picking(talk.tool);
  const verb = name === undefined ? null : verbOf(args[name]);
  if (name === undefined || verb === null) return { talk, args };
  const { [name]: choice, ...others } = args;
  const own = splitWords(String(choice)).slice(1);
  const ofTool = talk.nouns[0]!.split(' ').filter((word) => !SAYS_DOING.test(word));
  const ofName = nameWordsOf(talk.tool).filter((word) => !SAYS_DOING.test(word));
  const words = [own, ofTool, ofName].find((one) => one.length > 0) ?? ['item'];
  const noun = [...words.slice(0, -1), singular(words.at(-1)!)].join(' ');
  const isPlural = OF_MANY.test(verb) || (own.length > 0 && singular(own.at(-1)!) !== own.at(-1));
  return {
    talk: {
      ...talk,
      tool: {
        ...talk.tool,
        name: `${verb} ${noun}`,
        description: '',
        changesWorld: talk.tool.changesWorld && !LOOK_UPS.test(verb),
      },
      verb,
      acts: actsOf(verb),
      nouns: nounsOf(noun),
      isPlural,
      request: `${verb} ${MAKES.test(verb) ? 'a' : 'the'} ${isPlural ? plural(noun) : noun}`,
      parameters: talk.parameters.filter(({ path }) => path[0] !== name),
    },
    args: others,
  };
}
