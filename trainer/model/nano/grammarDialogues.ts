import { propertiesOf, requiredOf } from '../../protocol/arguments';
import type { Random } from '../../base/random';
import type { Message } from '../../protocol/trace';
import { sayByName, sayInTurn } from '../../tasks/generate/grammar/chain';
import { sayCall } from '../../tasks/generate/grammar/say';
import { toolTalk, type ToolTalk } from '../../tasks/generate/grammar/toolTalk';
import { WithoutTool } from '../../tasks/generate/grammar/withoutTool';
import { callMessage, toolMessage, type Dialogue } from './dialogue';
import { makeSet, spoken, valueOf, type EverydaySet, type EverydayTool, type Field, type Thing } from './everyday';
import { KEPT_OUT } from './intents';
import type { Lexicon } from './words';

/**
 * Dialogues on everyday things, worded by the grammar of requests that generated tasks are worded by. A request that
 * speaks of what is kept out is not taken.
 */
export interface World {
  l: Lexicon;
  set: EverydaySet;
  tools: { tool: EverydayTool; talk: ToolTalk }[];
  shown: Dialogue['tools'];
  without: WithoutTool;
}
type Args = Record<string, unknown>;

const OPTIONAL = 0.4;
const TRIES = 6;

export function grammarDialogues(r: Random, l: Lexicon, things: readonly Thing[]): Dialogue[] {
  const world = makeWorld(r, l, makeSet(r, things));
  return several(4 + r.int(4), () => grammarDialogue(r, world));
}

/** Up to n that speak of nothing that is kept out. */
export function several(n: number, make: () => Dialogue | null): Dialogue[] {
  const out: Dialogue[] = [];
  for (let tries = 0; out.length < n && tries < 4 * n; tries++) {
    const made = make();
    if (made && !KEPT_OUT.test(made.messages[0]!.content)) out.push(made);
  }
  return out;
}

export function makeWorld(r: Random, l: Lexicon, set: EverydaySet): World {
  const tools = set.tools.map((tool) => ({ tool, talk: toolTalk(tool.schema) }));
  const shown = set.tools.map(({ schema }) => ({
    name: schema.name,
    description: schema.description,
    parameters: schema.parameters,
  }));
  return {
    l,
    set,
    tools,
    shown,
    without: new WithoutTool(
      tools.map(({ talk }) => talk),
      r,
    ),
  };
}

export function grammarDialogue(r: Random, world: World): Dialogue | null {
  const roll = r.next();
  return roll < 0.13 ? none(r, world) : roll < 0.18 ? lacking(r, world) : roll < 0.42 ? chain(r, world) : one(r, world);
}

const assistant = (content: string): Message => ({ role: 'assistant', content });
const user = (content: string): Message => ({ role: 'user', content });

/** A request that comes to one call; in two of five what it gave, and the reply. */
export function called(
  r: Random,
  { shown }: World,
  kind: Dialogue['kind'],
  text: string,
  { tool, args }: { tool: EverydayTool; args: Args },
  given: { json: unknown; reply: string },
): Dialogue {
  const call = { name: tool.schema.name, arguments: args };
  return {
    kind,
    tools: shown,
    gold: [call],
    messages: [user(text), callMessage(call), ...ending(r, call.name, given)],
  };
}

const ending = (r: Random, tool: string, { json, reply }: { json: unknown; reply: string }): Message[] =>
  r.next() < 0.6 ? [] : [toolMessage(tool, json), assistant(reply)];

/** A request that comes to no call. */
export const answered = ({ shown }: World, kind: Dialogue['kind'], text: string, reply: string): Dialogue => ({
  kind,
  tools: shown,
  gold: [],
  messages: [user(text), assistant(reply)],
});

/** Values for what is required, and for some of the rest, in the schema's order. */
export function fillArgs(
  r: Random,
  { l, set }: World,
  { schema, thing, fields }: EverydayTool,
  given: Args = {},
): Args {
  const fillObject = (node: Record<string, unknown>, path: string): Args => {
    const required = new Set(requiredOf(node));
    const out: Args = {};
    for (const [name, member] of Object.entries(propertiesOf(node))) {
      const key = path + name;
      if (key in given) out[name] = given[key];
      else if (!required.has(name) && r.next() > OPTIONAL) continue;
      else if (member.properties) out[name] = fillObject(member, `${key}.`);
      else {
        const field = fields.get(key)!;
        out[name] = field === 'id' ? set.idOf(thing)(r) : field === 'limit' ? 1 + r.int(12) : valueOf(r, l, field);
      }
    }
    return out;
  };
  return fillObject(schema.parameters, '');
}

/** A row as the tools give it. */
function rowOf(r: Random, { l, set }: World, thing: Thing, known: Args = {}): Args {
  const fields = r.shuffle(thing.fields.slice()).slice(0, 1 + r.int(3));
  const main = thing.fields[0]!;
  const own = fields.includes(main) ? fields : [main, ...fields];
  return { id: set.idOf(thing)(r), ...Object.fromEntries(own.map((f) => [f.name, valueOf(r, l, f)])), ...known };
}

const errorOf = (r: Random, noun: string): { json: unknown; reply: string } => {
  const error = r.pick(['not found', `no such ${noun}`, 'not allowed', 'already done']);
  return { json: { error }, reply: `That did not work: ${error}.` };
};

const shownValue = (value: unknown): string => (value === true ? 'yes' : value === false ? 'no' : String(value));

/** What a tool gives, and the reply that tells it; in one manner for each kind of result, as in `dialogue.ts`. */
export function outcome(
  r: Random,
  world: World,
  { act, thing, gives }: EverydayTool,
  args: Args,
): { json: unknown; reply: string } {
  if (r.next() < 0.05) return errorOf(r, thing.noun);
  const main = thing.fields[0]!.name;
  switch (act) {
    case 'find':
    case 'list': {
      const rows = Array.from({ length: r.next() < 0.1 ? 0 : 1 + r.int(3) }, () => rowOf(r, world, thing));
      return {
        json: rows,
        reply: rows.length === 0 ? 'I found none.' : `I found ${rows.map((row) => shownValue(row[main])).join(', ')}.`,
      };
    }
    case 'get': {
      const row = rowOf(r, world, thing, { id: Object.values(args)[0] });
      return {
        json: row,
        reply: `Here it is: ${Object.entries(row)
          .filter(([key]) => key !== 'id')
          .map(([, value]) => shownValue(value))
          .join(', ')}.`,
      };
    }
    case 'count': {
      const n = r.int(40);
      return { json: r.next() < 0.5 ? n : { count: n }, reply: `It is ${n}.` };
    }
    case 'attribute': {
      const value = valueOf(r, world.l, gives!);
      return { json: r.next() < 0.5 ? value : { [gives!.name]: value }, reply: `It is ${shownValue(value)}.` };
    }
    case 'create': {
      const id = world.set.idOf(thing)(r);
      return { json: r.pick<unknown>([{ id }, { ok: true, id }, { id, ...args }]), reply: `Done: ${id}.` };
    }
    default:
      return { json: r.pick<unknown>([{ ok: true }, { ok: true }, 'done', true, { ...args }]), reply: 'Done.' };
  }
}

/** How people ask for one field of a thing that a tool reads. */
function fieldQuestion(r: Random, field: Field, named: string): string {
  const words = spoken(field.name);
  const ask: string[] = [
    `what is the ${words} of ${named}`,
    `what's the ${words} of ${named}`,
    `tell me the ${words} of ${named}`,
    `${words} of ${named}`,
    `which ${words} has ${named}`,
    `can you tell me the ${words} of ${named}`,
    `I need the ${words} of ${named}`,
    `what ${words} does ${named} have`,
  ];
  if (field.kind === 'date' || field.kind === 'time')
    ask.push(
      `when is ${named}`,
      `when will ${named} be ${words}`,
      `since when or until when is ${named}, I mean its ${words}`,
    );
  if (field.kind === 'money') ask.push(`how much is ${named}`, `what does ${named} cost`);
  if (field.kind === 'person') ask.push(`who is the ${words} of ${named}`, `who has ${named}`);
  if (field.kind === 'place') ask.push(`where is ${named}`, `where can I find ${named}`);
  if (field.kind === 'integer') ask.push(`how many ${words} has ${named}`, `how much ${words} does ${named} have`);
  const said = r.pick(ask);
  return (r.next() < 0.5 ? said.charAt(0).toUpperCase() + said.slice(1) : said) + r.pick(['?', '?', '', '.']);
}

function one(r: Random, world: World): Dialogue | null {
  const { tool, talk } = r.pick(world.tools);
  for (let tries = 0; tries < TRIES; tries++) {
    const args = fillArgs(r, world, tool);
    let text = sayCall(talk, args, { random: r })?.text;
    let { json, reply } = outcome(r, world, tool, args);
    if (tool.act === 'get' && Object.keys(args).length === 1 && r.next() < 0.4) {
      const field = r.pick(tool.thing.fields);
      const value = valueOf(r, world.l, field);
      const id = String(Object.values(args)[0]);
      text = fieldQuestion(r, field, r.pick([id, `${tool.thing.noun} ${id}`, `the ${tool.thing.noun} ${id}`]));
      [json, reply] = [rowOf(r, world, tool.thing, { id, [field.name]: value }), `It is ${shownValue(value)}.`];
    }
    if (tool.act === 'attribute' && r.next() < 0.75) {
      const id = String(Object.values(args)[0]);
      text = fieldQuestion(r, tool.gives!, r.pick([id, `${tool.thing.noun} ${id}`, `the ${tool.thing.noun} ${id}`]));
    }
    if (text === undefined) continue;
    return called(r, world, 'grammar', text, { tool, args }, { json, reply });
  }
  return null;
}

/** A thing named by what people know of it, or found first and acted on then. */
function chain(r: Random, world: World): Dialogue | null {
  const isFinder = ({ act }: EverydayTool): boolean => act === 'find' || act === 'list';
  const seconds = world.tools.filter(
    ({ tool }) =>
      [...tool.fields.values()].includes('id') &&
      world.tools.some((other) => other.tool.thing === tool.thing && isFinder(other.tool)),
  );
  if (seconds.length === 0) return null;
  const second = r.pick(seconds);
  const finders = world.tools.filter(({ tool }) => tool.thing === second.tool.thing && isFinder(tool));
  const first = r.pick(finders);
  const idPath = [...second.tool.fields].find(([, field]) => field === 'id')![0];
  const { thing } = second.tool;
  for (let tries = 0; tries < TRIES; tries++) {
    const byName = r.next() < 0.6;
    let args1 = fillArgs(r, world, first.tool);
    if (byName) args1 = Object.fromEntries(Object.entries(args1).slice(0, 1));
    const required = requiredOf(first.tool.schema.parameters);
    if (Object.keys(args1).length === 0 || !required.every((name) => name in args1)) continue;
    const rows = Array.from({ length: byName && r.next() < 0.6 ? 1 : 1 + r.int(3) }, (_, i) =>
      rowOf(r, world, thing, i === 0 ? told(first.tool, args1) : {}),
    );
    const id = String(rows[0]!.id);
    const args2 = fillArgs(r, world, second.tool, { [idPath]: id });
    const draft = {
      first: { talk: first.talk, args: args1 },
      second: { talk: second.talk, args: args2 },
      parameter: idPath,
      isFirstOf: rows.length > 1,
    };
    let text = (byName ? sayByName(draft, { random: r }) : sayInTurn(draft, { random: r }))?.text;
    let { json, reply } = outcome(r, world, second.tool, args2);
    if (byName && second.tool.act === 'get' && typeof Object.values(args1)[0] === 'string' && r.next() < 0.5) {
      const field = r.pick(thing.fields);
      const value = valueOf(r, world.l, field);
      text = fieldQuestion(
        r,
        field,
        r.pick([`${String(Object.values(args1)[0])}`, `the ${thing.noun} ${String(Object.values(args1)[0])}`]),
      );
      [json, reply] = [rowOf(r, world, thing, { id, [field.name]: value }), `It is ${shownValue(value)}.`];
    }
    if (text === undefined) continue;
    const [call1, call2] = [
      { name: first.tool.schema.name, arguments: args1 },
      { name: second.tool.schema.name, arguments: args2 },
    ];
    return {
      kind: 'grammarChain',
      tools: world.shown,
      gold: [call1, call2],
      messages: [
        user(text),
        callMessage(call1),
        toolMessage(call1.name, rows.length === 1 && r.next() < 0.25 ? rows[0]! : rows),
        callMessage(call2),
        ...ending(r, call2.name, { json, reply }),
      ],
    };
  }
  return null;
}

/** What a look-up was asked for stands in the row that it finds. */
const told = ({ fields }: EverydayTool, args: Args): Args =>
  Object.fromEntries(
    Object.entries(args).flatMap(([name, value]) => {
      const field = fields.get(name);
      return field && field !== 'id' && field !== 'limit' ? [[field.name, value] as const] : [];
    }),
  );

const replyTo = (text: string): string =>
  /\bthank|best|awesome|perfect|cheers/i.test(text)
    ? 'You are welcome.'
    : /^\W*(hello|hi there|hi|good morning|hey)\W*$/i.test(text)
      ? 'Hello! What can I do?'
      : /\b(bye|good night|see you|good one)\b/i.test(text)
        ? 'Goodbye.'
        : 'No tool can do that.';

function none(r: Random, world: World): Dialogue | null {
  const said = world.without.say(r);
  if (!said || said.form === 'lacking') return null;
  const isOwn = /^\W*what can you do\W*$/i.test(said.text);
  const reply = isOwn
    ? `I can use ${world.shown.map((t) => t.name).join(', ')}.`
    : said.form === 'otherThing' || said.form === 'question'
      ? 'No tool can do that.'
      : replyTo(said.text);
  return answered(world, 'grammarNone', said.text, reply);
}

/** A request that lacks what the tool must have: it is asked for. */
function lacking(r: Random, world: World): Dialogue | null {
  const open = world.tools.filter(({ tool }) => requiredOf(tool.schema.parameters).length > 0 && tool.act !== 'find');
  if (open.length === 0) return null;
  const { tool, talk } = r.pick(open);
  const text = sayCall(talk, {}, { random: r })?.text;
  const [name] = requiredOf(tool.schema.parameters);
  return text === undefined ? null : answered(world, 'grammarAsk', text, `Which ${spoken(name!)}?`);
}
