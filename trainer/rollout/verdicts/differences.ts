/** What an episode did otherwise than its task wants, to be put into words beside what was expected. Pure. */
import { equalJson, schemaOf, withoutDefaults } from '../../protocol/arguments';
import type { Difference, Verdicts } from '../../protocol/verdicts';
import type { GoldCall, Task, ToolSchema } from '../../protocol/task';
import type { Trace } from '../../protocol/trace';
import { isSameCall } from '../../tasks/solved';

type Told = Pick<Trace, 'turns' | 'truncated' | 'terminated'>;

/** @returns nothing exactly where every verdict that applies holds */
export function differencesOf(
  { calls: gold }: Pick<Task, 'calls'>,
  told: Told,
  { callsRight, finished }: Verdicts,
  answer: Difference | null,
  tools: readonly ToolSchema[],
): Difference[] {
  const made = told.turns.flatMap(({ calls }) => calls);
  return [
    ...(callsRight === false && gold ? ofCalls(gold, made, tools) : []),
    ...(answer === null ? [] : [answer]),
    ...(finished ? [] : [{ what: told.truncated === 'no' ? ('unreadable' as const) : ('cutOff' as const) }]),
  ];
}

/** Each gold call beside the made call that is nearest to it: the same, else of the same tool, else any left. */
function ofCalls(gold: readonly GoldCall[], made: readonly GoldCall[], tools: readonly ToolSchema[]): Difference[] {
  const left = [...made];
  const take = (fits: (call: GoldCall) => boolean): GoldCall | undefined => {
    const at = left.findIndex(fits);
    return at < 0 ? undefined : left.splice(at, 1)[0];
  };
  const missed = gold
    .map((wanted, i) => ({ wanted, call: i + 1 }))
    .filter(({ wanted }) => take((call) => isSameCall(wanted, call, tools)) === undefined);
  const ofOtherTool: typeof missed = [];
  const out = missed.flatMap(({ wanted, call }): Difference[] => {
    const near = take(({ name }) => name === wanted.name);
    if (near) return ofArguments(wanted, near, call, tools);
    ofOtherTool.push({ wanted, call });
    return [];
  });
  for (const { wanted, call } of ofOtherTool) {
    const other = left.shift();
    out.push(
      other
        ? { what: 'wrongTool', call, tool: wanted.name, made: other.name }
        : { what: 'noCall', call, tool: wanted.name },
    );
  }
  const changing = new Set(tools.filter(({ changesWorld }) => changesWorld).map(({ name }) => name));
  out.push(
    ...left
      .filter(({ name }) => gold.length === 0 || changing.has(name))
      .map(({ name }): Difference => ({ what: 'extraCall', tool: name })),
  );
  if (out.length > 0 || gold.length === 0) return out;
  return [{ what: 'wrongOrder' }];
}

function ofArguments(wanted: GoldCall, made: GoldCall, call: number, tools: readonly ToolSchema[]): Difference[] {
  const schema = schemaOf(tools, wanted.name);
  const [gold, given] = [withoutDefaults(wanted.arguments, schema), withoutDefaults(made.arguments, schema)];
  return [...new Set([...Object.keys(gold), ...Object.keys(given)])]
    .filter((argument) => !equalJson(gold[argument], given[argument]))
    .map((argument) => ({
      what: !(argument in given) ? 'argumentMissing' : !(argument in gold) ? 'extraArgument' : 'wrongValue',
      call,
      tool: wanted.name,
      argument,
    }));
}
