import type { Random } from '../../base/random';
import type { Message } from '../../protocol/trace';
import type { GoldCall } from '../../protocol/task';
import { capital, pseudoWord, VALUES, word, type Lexicon } from './words';
import { fill } from './filled';
import { chainRequest } from './naturalRequests';
import { request } from './requests';
import { makeTool, makeTools, schemaOf, type Param, type SyntheticTool } from './world';

/** A synthetic dialogue: what the chat template renders, and the gold calls for evaluation. */
export interface Dialogue {
  kind:
    | 'oneCall'
    | 'chain'
    | 'noTool'
    | 'copy'
    | 'recall'
    | 'person'
    | 'personNone'
    | 'personAsk'
    | 'grammar'
    | 'grammarChain'
    | 'grammarNone'
    | 'grammarAsk'
    | 'near'
    | 'nearNone';
  tools: { name: string; description: string; parameters: Record<string, unknown> }[];
  messages: Message[];
  gold: GoldCall[];
}

/**
 * What a synthetic tool gives back, and a fact of it that an answer may state. The reply tells the result, in one
 * manner for each kind of it.
 */
function result(
  r: Random,
  l: Lexicon,
  tool: SyntheticTool,
  args: Record<string, unknown>,
): { json: unknown; facts: { key: string; value: string }[]; reply: string } {
  const noun = tool.noun;
  if (r.next() < 0.05) {
    const error = r.pick([`no ${noun}`, 'not found', `unknown ${noun}`, 'out of range']);
    return { json: { error }, facts: [], reply: `That did not work: ${error}.` };
  }
  if (tool.act === 'compute') {
    const v = Number(r.next() < 0.3 ? `${VALUES.integer(r)}.${VALUES.integer(r)}` : VALUES.number(r));
    return {
      json: r.next() < 0.7 ? v : { [r.pick(['value', 'result', 'total'])]: v },
      facts: [{ key: noun, value: String(v) }],
      reply: `It is ${v}.`,
    };
  }
  if (tool.act === 'change') {
    const id = VALUES.id(r, l);
    const json = r.pick<unknown>([{ ok: true }, 'done', true, { id }, { ok: true, id }, { [word(r, l)]: true }]);
    const facts = typeof json === 'object' && json !== null && 'id' in json ? [{ key: 'id', value: id }] : [];
    return { json, facts, reply: facts.length ? `Done: ${id}.` : 'Done.' };
  }
  const field = (): [string, unknown] => {
    switch (r.int(6)) {
      case 0:
        return [r.pick(['name', 'title', 'subject']), r.next() < 0.5 ? VALUES.name(r, l) : VALUES.words(r, l)];
      case 1:
        return [r.pick(['status', 'kind', 'place']), word(r, l)];
      case 2:
        return [r.pick(['count', 'price', 'size', 'total']), Number(VALUES.number(r))];
      case 3:
        return [r.pick(['date', 'day']), VALUES.date(r)];
      case 4:
        return [r.pick(['text', 'content', 'note', 'detail']), sentence(r, l)];
      default:
        return [word(r, l), VALUES.word(r, l)];
    }
  };
  const row = (n: number): Record<string, unknown> => ({
    id: VALUES.id(r, l),
    ...Object.fromEntries(Array.from({ length: n }, field)),
  });
  if (tool.act === 'find') {
    const rows = Array.from({ length: r.next() < 0.08 ? 0 : 1 + r.int(3) }, () => row(1 + r.int(2)));
    const [first] = rows;
    if (!first) return { json: [], facts: [], reply: 'I found none.' };
    const facts = Object.entries(first).map(([key, value]) => ({ key, value: String(value) }));
    return { json: rows, facts, reply: `I found ${rows.map((x) => Object.values(x)[1]).join(', ')}.` };
  }
  if (r.next() < 0.4) {
    const v = r.pick([VALUES.word, VALUES.number, VALUES.date, VALUES.words, sentence] as const)(r, l);
    return { json: v, facts: [{ key: noun, value: v }], reply: `It is ${v}.` };
  }
  const one = {
    ...(r.next() < 0.4 ? { id: typeof args.id === 'string' ? args.id : VALUES.id(r, l) } : {}),
    ...Object.fromEntries(Array.from({ length: 1 + r.int(3) }, field)),
  };
  const facts = Object.entries(one).map(([key, value]) => ({ key, value: String(value) }));
  return { json: one, facts, reply: `Here it is: ${facts.map((x) => x.value).join(', ')}.` };
}

/** A few words with a number among them now and then, as a text has them. */
const sentence = (r: Random, l: Lexicon): string =>
  capital(
    Array.from({ length: 4 + r.int(7) }, () =>
      r.next() < 0.1
        ? VALUES.number(r)
        : r.next() < 0.35
          ? r.pick(['the', 'a', 'is', 'in', 'of', 'and', 'at', 'for'])
          : word(r, l),
    ).join(' '),
  );

let callCount = 0;
export const callMessage = (call: GoldCall): Message => ({
  role: 'assistant',
  content: '',
  tool_calls: [{ id: `call_${callCount++}`, type: 'function', function: call }],
});
export const toolMessage = (name: string, json: unknown): Message => ({
  role: 'tool',
  name,
  content: typeof json === 'string' ? json : JSON.stringify(json),
});
const shownTools = new WeakMap<SyntheticTool[], Dialogue['tools']>();
/** Made once for each set. */
function shown(tools: SyntheticTool[]): Dialogue['tools'] {
  let made = shownTools.get(tools);
  if (!made)
    shownTools.set(
      tools,
      (made = tools.map((t) => ({ name: t.name, description: t.description, parameters: schemaOf(t) }))),
    );
  return made;
}

function oneCall(r: Random, l: Lexicon, tools: SyntheticTool[]): Dialogue {
  const tool = r.pick(tools);
  const f = fill(r, l, tool);
  const call = { name: tool.name, arguments: f.args };
  const res = result(r, l, tool, f.args);
  let prompt = request(r, l, tool, f, tools);
  let reply = res.reply;
  // asks for one field of the result: the answer copies it
  if (tool.act === 'read' && !tool.isAttribute && res.facts.length > 0 && r.next() < 0.4 && f.main) {
    const fact = r.pick(res.facts);
    prompt =
      r.pick([
        `what is the ${fact.key} of ${tool.noun} ${f.main}?`,
        `${fact.key} of the ${tool.noun} ${f.main}`,
        `tell me the ${fact.key} of ${tool.noun} ${f.main}`,
      ]) +
      Object.values(f.said)
        .map((c) => ` ${c}`)
        .join('');
    reply = `It is ${fact.value}.`;
  }
  return {
    kind: 'oneCall',
    tools: shown(tools),
    gold: [call],
    messages: [
      { role: 'user', content: prompt },
      callMessage(call),
      toolMessage(tool.name, res.json),
      { role: 'assistant', content: reply },
    ],
  };
}

/** `isBare`: the first gives one value, not rows that hold it. */
interface Link {
  first: SyntheticTool;
  second: SyntheticTool;
  isBare: boolean;
}

/** What a key of each kind is called, and how a request says it. */
const KEYS = {
  id: { names: ['id', 'id', 'key', 'ref', 'code'], cues: ['{v}', '{v}', '{p} {v}', 'number {v}'] },
  word: { names: ['name', 'title', 'kind', 'place'], cues: ['{v}', 'of {v}', 'for {v}', 'in {v}', 'with {v}'] },
  name: { names: ['name', 'title', 'person', 'owner'], cues: ['{v}', 'of {v}', 'for {v}', 'by {v}'] },
  date: { names: ['date', 'day', 'when', 'since'], cues: ['on {v}', 'on {v}', 'for {v}', 'of {v}', 'from {v}'] },
  time: { names: ['time', 'hour', 'at'], cues: ['at {v}', 'for {v}', 'of {v}'] },
  number: { names: ['amount', 'value', 'size', 'rate'], cues: ['of {v}', 'for {v}', 'with {v}', 'by {v}'] },
  integer: { names: ['count', 'amount', 'age', 'level'], cues: ['of {v}', 'for {v}', 'with {v}'] },
} satisfies Partial<Record<Param['kind'], { names: string[]; cues: string[] }>>;

/**
 * A tool that finds things, and one that takes the id, or the name, of what was found; or any tool that gives a value,
 * and one that takes it.
 */
function makeLink(r: Random, l: Lexicon): Link {
  const noun = word(r, l);
  const isBare = r.next() < 0.4;
  const make = (isFit: (t: SyntheticTool) => boolean, about = noun): SyntheticTool => {
    for (;;) {
      const t = makeTool(r, l, about);
      if (isFit(t)) return t;
    }
  };
  const wantsQuery = r.next() < 0.5;
  const first = make(
    (t) =>
      t.params.length > 0 &&
      !t.isMessage &&
      (isBare || (t.act === 'find' && (!wantsQuery || t.params.some((p) => p.role === 'query')))),
  );
  const second = make(
    (t) =>
      (isBare || t.act === 'read' || t.act === 'change' || t.gives !== undefined) &&
      !t.isMessage &&
      (!t.isAttribute || t.gives !== undefined) &&
      t.name !== first.name,
    isBare ? word(r, l) : noun,
  );
  const kind = isBare
    ? r.pick(['date', 'date', 'number', 'integer', 'name', 'word', 'id', 'time'] as const)
    : r.pick(['id', 'id', 'id', 'word', 'name'] as const);
  const own =
    kind === 'id' ? [`${noun}Id`, noun] : kind === 'word' || kind === 'name' ? [noun, word(r, l)] : [word(r, l)];
  const key: Param = {
    name: r.pick([...KEYS[kind].names, ...own]),
    type: kind === 'number' || kind === 'integer' ? kind : 'string',
    kind,
    role: 'id',
    optional: false,
    cues: KEYS[kind].cues,
  };
  return {
    first,
    second: {
      ...second,
      params: [
        key,
        ...second.params.filter(
          (p) => (p.optional || r.next() < 0.3) && p.kind !== kind && p.role !== 'id' && p.name !== key.name,
        ),
      ],
    },
    isBare,
  };
}

/** What the first tool of a chain gives, and the value in it that feeds the second. */
function found(r: Random, l: Lexicon, key: Param, isBare: boolean): { json: unknown; value: string } {
  const make = (): string => VALUES[key.kind as keyof typeof VALUES](r, l);
  if (isBare) {
    const value = make();
    return { json: key.type === 'string' ? value : Number(value), value };
  }
  const field = key.kind === 'id' && r.next() < 0.5 ? 'id' : key.name;
  const extra = [
    r.pick(['name', 'title', 'place', 'kind', 'from', 'date', word(r, l)]),
    r.pick(['note', 'text', 'state', word(r, l)]),
  ]
    .slice(0, 1 + r.int(2))
    .filter((name) => name !== field);
  const isKeyFirst = r.next() < 0.7;
  const rows = Array.from({ length: 1 + r.int(4) }, () => {
    const own: [string, unknown] = [field, make()];
    const others = extra.map((name): [string, unknown] => [
      name,
      r.pick([VALUES.word, VALUES.name, VALUES.date, VALUES.words] as const)(r, l),
    ]);
    return Object.fromEntries(isKeyFirst ? [own, ...others] : [...others, own]);
  });
  return { json: rows, value: String(rows[0]![field]) };
}

/** Two calls, where what the first gives feeds the second. */
function chain(r: Random, l: Lexicon, tools: SyntheticTool[], { first, second, isBare }: Link): Dialogue {
  const f1 = fill(r, l, first);
  const key = second.params[0]!; // makeLink puts it there
  const { json, value: text } = found(r, l, key, isBare);
  const value = key.type === 'string' ? text : Number(text);
  const f2 = fill(r, l, second, { [key.name]: { text, value } });
  const call1 = { name: first.name, arguments: f1.args };
  const call2 = { name: second.name, arguments: { [key.name]: value, ...f2.args } };
  const res2 = result(r, l, second, call2.arguments);
  return {
    kind: 'chain',
    tools: shown(tools),
    gold: [call1, call2],
    messages: [
      {
        role: 'user',
        content: chainRequest(r, l, first, second, f1, f2, request(r, l, first, f1, tools), key, isBare),
      },
      callMessage(call1),
      toolMessage(first.name, json),
      callMessage(call2),
      toolMessage(second.name, res2.json),
      { role: 'assistant', content: res2.reply },
    ],
  };
}

export const SMALLTALK: [string, string][] = [
  ['hello', 'Hello! What can I do?'],
  ['hi there', 'Hello! What can I do?'],
  ['good morning', 'Good morning! What can I do?'],
  ['thanks', 'You are welcome.'],
  ['thank you very much', 'You are welcome.'],
  ['who are you?', 'I am a small helper that calls tools.'],
  ['how are you?', 'I am fine. What can I do?'],
  ['bye', 'Goodbye.'],
  ['never mind', 'All right.'],
  ['what is your name?', 'I am a small helper that calls tools.'],
  ['that is all', 'All right.'],
  ['you are great', 'You are welcome.'],
];

function noTool(r: Random, l: Lexicon, tools: SyntheticTool[]): Dialogue {
  const roll = r.next();
  let user: string;
  let reply: string;
  if (roll < 0.4) {
    const [u, a] = r.pick(SMALLTALK);
    user = r.next() < 0.5 ? u : `${capital(u)}${r.pick(['', '!', '.', ', friend'])}`;
    reply = a;
  } else if (roll < 0.6) {
    user = r.pick([
      'what can you do?',
      'which tools do you have?',
      'how can you help me?',
      'what are you able to do?',
      'what do you do?',
    ]);
    reply = `I can use ${tools.map((t) => t.name).join(', ')}.`;
  } else if (roll < 0.8) {
    user = r.pick([
      `tell me a story about ${word(r, l)}`,
      `sing a song about a ${word(r, l)}`,
      `what do you think about ${word(r, l)}?`,
      `why is a ${word(r, l)} so ${word(r, l)}?`,
      `write a poem on ${word(r, l)}`,
      `I like ${word(r, l)}`,
      `my ${word(r, l)} is ${word(r, l)} today`,
      `do you know any joke about ${word(r, l)}?`,
      `is ${word(r, l)} better than ${word(r, l)}?`,
      `what does ${word(r, l)} mean?`,
      `who invented the ${word(r, l)}?`,
      `how many ${word(r, l)}s make a ${word(r, l)}?`,
      `I love the ${word(r, l)} ${word(r, l)}`,
      `what is your favourite ${word(r, l)}?`,
      `why do ${word(r, l)}s ${word(r, l)}?`,
      `are you ${word(r, l)}?`,
      `have a good ${word(r, l)}!`,
      `wish me a ${word(r, l)} ${word(r, l)}`,
      `what rhymes with ${word(r, l)}?`,
      `the ${word(r, l)} was ${word(r, l)} today`,
      `how do people ${word(r, l)} a ${word(r, l)}?`,
      `what would you do with a ${word(r, l)}?`,
      `name a ${word(r, l)} that ${word(r, l)}s with ${capital(word(r, l))}`,
      `which is ${word(r, l)}er, a ${word(r, l)} or a ${word(r, l)}?`,
      `say ${word(r, l)} in ${capital(word(r, l))}`,
      `is ${capital(word(r, l))} a ${word(r, l)}?`,
      `suggest a ${word(r, l)} for a ${word(r, l)} ${word(r, l)}`,
      `sorry, I ${word(r, l)} the ${word(r, l)} ${word(r, l)}`,
      `my ${word(r, l)} has a new ${word(r, l)}`,
      `merry ${capital(word(r, l))}!`,
      `what are the ${word(r, l)}s of the ${capital(word(r, l))} ${word(r, l)}?`,
      `explain ${word(r, l)} to me`,
      `I feel ${word(r, l)}`,
      `that was ${word(r, l)}`,
      `${capital(word(r, l))} is a ${word(r, l)} ${word(r, l)}`,
    ]);
    user =
      r.pick(['', '', '', '', 'tell me, ', 'just wondering: ', 'by the way, ', 'a question: ']) +
      user +
      r.pick(['', '', '', ' thanks', ' please']);
    reply = 'No tool can do that.';
  } else {
    const other = makeTool(r, l, word(r, l));
    if (tools.some((t) => t.verbs === other.verbs)) return noTool(r, l, tools);
    user = request(r, l, other, fill(r, l, other), [other]);
    reply = 'No tool can do that.';
  }
  return {
    kind: 'noTool',
    tools: shown(tools),
    gold: [],
    messages: [
      { role: 'user', content: user },
      { role: 'assistant', content: reply },
    ],
  };
}

/** Says a sequence again: the shortest way to an induction head. */
function copyDrill(r: Random, l: Lexicon): Dialogue {
  const isNumeric = r.next() < 0.4; // digits repeat: a copy of them must know where it is
  const item = (): string =>
    isNumeric
      ? r.pick([VALUES.date(r), VALUES.date(r), VALUES.time(r), VALUES.number(r), VALUES.integer(r), VALUES.id(r, l)])
      : r.pick([pseudoWord(r), word(r, l), VALUES.id(r, l), VALUES.name(r, l), VALUES.number(r), VALUES.code(r)]);
  const parts = Array.from({ length: 3 + r.int(16) }, item).join(' ');
  return {
    kind: 'copy',
    tools: [],
    gold: [],
    messages: [
      { role: 'user', content: parts },
      { role: 'assistant', content: parts },
    ],
  };
}

/** Several key-value pairs, then one key after the other is asked for. */
function recall(r: Random, l: Lexicon): Dialogue {
  const pairs = Array.from(
    { length: 2 + r.int(7) },
    () =>
      [
        word(r, l),
        r.pick([VALUES.word, VALUES.id, VALUES.name, VALUES.words, VALUES.number, VALUES.date, VALUES.time] as const)(
          r,
          l,
        ),
      ] as const,
  );
  const style = r.pick([
    (k: string, v: string) => `"${k}":"${v}"`,
    (k: string, v: string) => `${k} is ${v}`,
    (k: string, v: string) => `${k} ${v}`,
    (k: string, v: string) => `${k}: ${v}`,
  ]);
  const messages: Message[] = [];
  const asked = r.shuffle(pairs.slice()).slice(0, 1 + r.int(4));
  asked.forEach(([k, v], i) => {
    messages.push(
      { role: 'user', content: `${i === 0 ? `${pairs.map(([a, b]) => style(a, b)).join(', ')}. ` : ''}${k}?` },
      { role: 'assistant', content: v },
    );
  });
  return { kind: 'recall', tools: [], gold: [], messages };
}

/**
 * Several dialogues on one set of tools (their common prefix is then computed once), or one drill without tools.
 * @param progress share of the training that is done, 0..1: drills fade, tool sets grow
 */
export function makeDialogues(r: Random, l: Lexicon, progress: number): Dialogue[] {
  const drills = progress < 0.08 ? 0.6 : progress < 0.25 ? 0.3 : 0.1;
  const maxTools = progress < 0.12 ? 1 : progress < 0.25 ? 2 : progress < 0.45 ? 3 : 12;
  const roll = r.next();
  if (roll < drills * 0.6) return [copyDrill(r, l)];
  if (roll < drills) return [recall(r, l)];
  const link = r.next() < 0.4 ? makeLink(r, l) : null;
  const others = makeTools(r, l, link ? Math.max(1, maxTools - 2) : maxTools);
  const tools = link
    ? r.shuffle(
        [link.first, link.second, ...(maxTools > 2 ? others : [])].filter(
          (t, i, all) => all.findIndex((o) => o.name === t.name) === i,
        ),
      )
    : others;
  return Array.from({ length: 2 + r.int(3) }, () => {
    const kind = r.next();
    if (link && kind < 0.45) return chain(r, l, tools, link);
    return kind < 0.84 ? oneCall(r, l, tools) : noTool(r, l, tools);
  });
}
