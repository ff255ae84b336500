import type { Random } from '../../base/random';
import { doing, startsWithValue, type Filled } from './filled';
import { capital, word, type Lexicon } from './words';
import { spoken, type Param, type Role, type SyntheticTool } from './world';

/**
 * Requests as people make them: values inside sentences, the thing not named or named otherwise, a reason told beside
 * the wish. They are made only where the tools leave no doubt about which of them is meant.
 */
export function naturalRequest(
  r: Random,
  l: Lexicon,
  tool: SyntheticTool,
  f: Filled,
  tools: SyntheticTool[],
): string | null {
  const rivals = tools.filter((t) => t !== tool);
  const roll = r.next();
  if (tool.isMessage)
    return messageRequest(
      r,
      tool,
      f,
      rivals.some((t) => t.isMessage),
    );
  if (roll < 0.15) return renamed(r, l, tool, f, rivals);
  const main = tool.params.find((p) => p.name in f.texts);
  if (!main) return null;
  const others = Object.keys(f.texts).length - 1;
  if (tool.act === 'find' && main.role === 'query')
    return searchRequest(
      r,
      l,
      tool,
      f,
      main,
      rivals.some((t) => t.act === 'find'),
    );
  if (main.kind === 'id' && others === 0)
    return idRequest(
      r,
      l,
      tool,
      f.texts[main.name]!,
      rivals.some((t) => t.act === 'read' && t.params[0]?.kind === 'id'),
    );
  return null;
}

/** The value of the parameter that has a role; null when the call leaves it out. */
const roleText = (tool: SyntheticTool, f: Filled, role: Role): string | null => {
  const param = tool.params.find((p) => p.role === role && p.name in f.texts);
  return (param && f.texts[param.name]) ?? null;
};

/** What a request says beside the parameters of some roles. */
const clausesBut = (tool: SyntheticTool, f: Filled, ...roles: Role[]): string[] =>
  tool.params
    .filter(
      (p) =>
        p.name in f.said && !roles.some((role) => tool.params.find((q) => q.role === role && q.name in f.texts) === p),
    )
    .map((p) => f.said[p.name]!);

/** A question about something, as one asks before one says where the answer is. */
function question(r: Random, l: Lexicon, about: string): string {
  const w = (): string => word(r, l);
  return r.pick([
    `what is the ${about}`,
    `what is my ${about}`,
    `which ${w()} is for the ${about}`,
    `which ${w()} does the ${about} ${w()}`,
    `which ${w()} do I have for the ${about}`,
    `how many ${w()} has the ${about}`,
    `how many ${w()} does the ${about} ${w()}`,
    `how much is the ${about}`,
    `how much do they ${w()} for the ${about}`,
    `when does the ${about} ${w()}`,
    `when is the ${about}`,
    `where is the ${about}`,
    `who ${w()} the ${about}`,
    `at what ${w()} is the ${about}`,
    `in which ${w()} is the ${about}`,
    `how far is the ${about}`,
    `how far do we ${w()} the ${about}`,
    `what did the ${about} ${w()}`,
    `what else comes beside the ${about}`,
    `every how many ${w()} should I ${w()} the ${about}`,
    `how ${w()} is the ${about}`,
  ]);
}

function messageRequest(r: Random, tool: SyntheticTool, f: Filled, hasRival: boolean): string | null {
  const [to, text, title] = (['to', 'text', 'title'] as const).map((role) => roleText(tool, f, role));
  if (to === null || text === null) return null;
  const nameOf = (role: Role): string => spoken(tool.params.find((p) => p.role === role)?.name ?? '');
  const titleName = nameOf('title');
  const textName = nameOf('text');
  const thing = hasRival || r.next() < 0.5 ? tool.noun : r.pick(['note', 'line', 'few words']);
  const verb = r.pick(tool.verbs);
  const core = r.pick([
    `tell ${to} that ${text}`,
    `let ${to} know ${text}`,
    `let ${to} know that ${text}`,
    `${verb} ${to} that ${text}`,
    `${verb} ${to}: ${text}`,
    `ask ${to} ${text}`,
    `remind ${to} that ${text}`,
    `inform the ${to} that ${text}`,
    `thank ${to}: ${text}`,
    `${verb} a ${thing} to ${to} saying ${text}`,
    `${verb} the ${to} a ${thing}: ${text}`,
    `${verb} a ${thing} to ${to} that says ${text}`,
    `warn ${to} that ${text}`,
    `answer ${to} that ${text}`,
    `say to ${to}: ${text}`,
    `${thing} ${to}: ${text}`,
    `${thing} for ${to}: ${text}`,
    `${to} should know that ${text}`,
    `${to} must hear that ${text}, ${verb} a ${thing}`,
    `propose to ${to} by ${thing}: ${text}`,
    `invite ${to}: ${text}`,
    `ask the ${to} ${text}`,
    `tell ${to} ${text}`,
    `complain to ${to} that ${text}`,
    `${verb} a ${thing} to ${to} with the ${textName} ${text}`,
    `${verb} ${to} the ${textName} ${text}`,
    `${verb} ${to} a ${thing} reading ${text}`,
    `drop ${to} a line saying ${text}`,
    `a ${thing} to ${to}, ${textName}: ${text}`,
    `${verb} ${to} ${text}`,
  ]);
  const needsThing = hasRival && !core.includes(tool.noun) ? ` by ${tool.noun}` : '';
  if (title === null) return `${core}${needsThing}${r.pick(['', '', '.', ', please', ' please'])}`;
  const label = r.pick([
    `${titleName} ${title}`,
    `${titleName} ${title}`,
    `with ${titleName} ${title}`,
    `with the ${titleName} ${title}`,
    `with ${title} as the ${titleName}`,
    `${titleName}: ${title}`,
    `the ${titleName} is ${title}`,
    `under the ${titleName} ${title}`,
    `${titleName} "${title}"`,
    `and set ${title} as ${titleName}`,
    `and the ${titleName} is ${title}`,
    `under ${titleName} ${title}`,
  ]);
  const first = r.pick([
    `${verb} ${r.pick([`a ${thing} `, ''])}to ${to} ${label}`,
    `${thing} ${to} ${label}`,
    `${verb} the ${to} ${label}`,
  ]);
  const whole =
    r.next() < 0.65
      ? `${core}${needsThing}${r.pick([', ', ', ', '. ', ' '])}${label}`
      : `${first}${needsThing}${r.pick([': ', ', ', ', saying ', ' and say ', ' saying ', ' with ', ' reading ', ` and the ${textName} `, `, ${textName} `, `. ${capital(textName)}: `])}${text}`;
  return whole.replace(/\. (.)/, (_, c: string) => `. ${c.toUpperCase()}`) + r.pick(['', '', '.', ', please']);
}

/** A search whose words stand inside a sentence. */
function searchRequest(r: Random, l: Lexicon, tool: SyntheticTool, f: Filled, main: Param, hasRival: boolean): string {
  const q = f.texts[main.name]!;
  const from = roleText(tool, f, 'from');
  const limit = roleText(tool, f, 'limit');
  const noun = hasRival ? tool.noun : r.pick([tool.noun, tool.noun, tool.noun, 'one', 'thing']);
  const verb = r.pick(tool.verbs);
  const one = noun.replace(/([^s])s$/, '$1');
  const by = from === null ? '' : ` ${r.pick(['from', 'from', 'by', 'of', 'coming from', 'from the'])} ${from}`;
  const on = r.pick([
    'about',
    'about the',
    'on',
    'on the',
    'with',
    'that mentions',
    'that mention the',
    'for',
    'that says',
    'talking about',
  ]);
  const cap =
    limit === null
      ? ''
      : r.pick([
          `, ${limit} at most`,
          `, at most ${limit}`,
          `, ${limit} will do`,
          ` and return ${limit}`,
          `, only ${limit}`,
          `, limit ${limit}`,
          `, ${limit} results will do`,
        ]);
  const many =
    limit === null
      ? ''
      : r.pick([
          `${limit} `,
          `${limit} `,
          `just ${limit} `,
          `up to ${limit} `,
          `at most ${limit} `,
          `the first ${limit} `,
          `the newest ${limit} `,
        ]);
  const rest = clausesBut(tool, f, 'query', 'from', 'limit').join(' ');
  const tail = rest ? ` ${rest}` : '';
  const them =
    from === null || limit !== null || r.next() < 0.5
      ? []
      : [
          `${from} and ${q}, ${verb} that one`,
          `what about the ${q}, ${from} wrote about it. ${capital(verb)}`,
          `${from}'s ${noun} ${on} ${q}`,
          `did ${from} say anything about ${q}?`,
          `${from} had something on ${q}, ${verb} it`,
          `has ${from} sent a ${q} ${one}?`,
          `${verb} what ${from} wrote about the ${q}`,
          `${from}: ${verb} ${q}`,
          `${verb} ${q}, it came from ${from}`,
          `everything ${from} said about ${q}`,
          `${verb} in ${noun} from ${from} for ${q}`,
          `${verb} a ${q} in the ${noun} from ${from}`,
          `${from} mentioned a ${q}. ${capital(verb)} it`,
          `when does ${from} ${word(r, l)} the ${q}? ${capital(verb)} ${q}`,
          `${verb} ${q} in what ${from} sent`,
          `did ${from} write about the ${q}?`,
          `what did ${from} say about the ${q}?`,
          `${capital(question(r, l, q))}? ${capital(verb)} the ${from} ${noun} for ${q}`,
          `is there a ${q} coming from ${from}? Look`,
        ];
  const forms =
    them.length > 0
      ? them
      : [
          ...(limit === null
            ? [
                `is there anything ${on} ${q}${by}?`,
                `is there a ${q} ${one}${by}?`,
                `any ${one} ${on} ${q}${by}?`,
                `which ${one}${by} mentions the ${q}?`,
                `which ${one}${by} talks about ${q}?`,
                `where did someone mention a ${q}?${by ? ` ${capital(by.trim())}` : ''}`,
                `is there something on ${q}${by}?`,
                `the ${q} ${one}${by}, ${verb} it`,
                `is there a ${q}${by}? Look`,
                `${capital(question(r, l, q))}? ${capital(verb)} ${q}${by}`,
                `${capital(question(r, l, q))}? ${capital(verb)} the ${noun}${by} for ${q}`,
                `something about my ${q} came in. ${capital(verb)} it${by}`,
                `somebody ${word(r, l)} me a ${q}. ${capital(verb)} ${q}${by}`,
                `let me read about the ${q}${by}`,
                `the ${q} came in, ${verb} it${by}`,
                `I ${word(r, l)} the ${q}, ${verb} it${by}`,
              ]
            : []),
          `${verb} the ${many}${q} ${noun}${by}`,
          `${verb} ${q}${by} in my ${noun}${cap}`,
          `check my ${noun}${by} for ${q}${cap}`,
          `${verb} ${many}${noun}${by} ${on} ${q}`,
          `${verb} ${many}${noun} ${on} ${q}${by}`,
          `${verb} ${q}${cap}${by}`,
          `${verb} the ${q}${by}${cap}`,
          `${verb} the word ${q} in the ${noun}${by}${cap}`,
          `${many}${q} ${noun}${by}`,
          `show me ${many}${noun}${by} ${on} ${q}`,
          `see ${many}${noun} ${on} the ${q}${by}`,
          `get ${many}${noun} ${on} ${q}${by}`,
          `I want ${many}${noun} ${on} the ${q}${by}`,
          `I am looking for ${q}${by}${cap}`,
          `look into ${noun}${by} for the ${q}${cap}`,
          `${q}${by}: ${verb} ${limit === null ? 'it' : `${limit} of them`}`,
          `I need the ${one} ${on} ${q}${by}${cap}`,
        ];
  return r.pick(forms) + tail + r.pick(['', '', '', '.', ', please', ' for me']);
}

const REMARKS = [
  'I have not seen it yet',
  'it is done',
  'no need of it now',
  'that was quick',
  'I wonder',
  'I forgot',
  'that is settled',
  'it can wait',
  'that one matters',
  'here we are',
];
const remark = (r: Random, l: Lexicon): string =>
  r.next() < 0.5
    ? r.pick(REMARKS)
    : r.pick([
        `the ${word(r, l)} is ${word(r, l)}`,
        `I ${word(r, l)} the ${word(r, l)}`,
        `${word(r, l)} ${word(r, l)}`,
        `we ${word(r, l)} it`,
      ]);

/** One id inside a sentence; the verb tells the tool. */
function idRequest(r: Random, l: Lexicon, tool: SyntheticTool, id: string, hasReadRival: boolean): string {
  const verb = r.pick(tool.verbs);
  const say = (object: string): string => doing(verb, object);
  const plain = [
    `${say(id)}`,
    `${id}: ${say('it')}`,
    `${say('it')}: ${id}`,
    `${say(`${tool.noun} ${id}`)}`,
    `${remark(r, l)}, ${say(id)}`,
    `${capital(remark(r, l))}. ${capital(say(id))}`,
    `${capital(remark(r, l))}! You may ${say(id)}`,
    `I have not seen ${id} yet, ${say('it')}`,
    `${id} is next, ${say('it')}`,
    `I am done with ${id}. ${capital(say('it'))}`,
    `it is time to ${say(id)}`,
    `${say(id)} for me`,
    `go on and ${say(id)}`,
    `${id} can go, ${say('it')}`,
  ];
  const passive = /[ {]/.test(verb)
    ? []
    : [
        `${id} should be ${verb.replace(/e?$/, 'ed')}`,
        `get ${id} ${verb.replace(/e?$/, 'ed')}`,
        `I want ${id} ${verb.replace(/e?$/, 'ed')}`,
      ];
  const asked =
    tool.act !== 'read' || hasReadRival || tool.isAttribute
      ? []
      : [
          `what does ${id} say?`,
          `what is in ${id}?`,
          `who made ${id}, and what is in it?`,
          `check ${id} for the ${word(r, l)}`,
          `how much is the ${word(r, l)} according to ${id}?`,
          `what does ${id} say about the ${word(r, l)}?`,
          `let me see ${id}`,
          `I want to see ${id}`,
          `when is the ${word(r, l)}? Look at ${id}`,
          `please ${verb} the ${word(r, l)} of ${id}`,
          `tell me the ${word(r, l)} in ${id}`,
          ...[`in ${id}?`, `in ${id}?`, `in ${id}?`, `according to ${id}?`].map(
            (where) => `${question(r, l, word(r, l))} ${where}`,
          ),
          ...[`? It is in ${id}`, `? Look at ${id}`, `, says ${id}?`, `? ${capital(say(id))}`].map(
            (where) => `${question(r, l, word(r, l))}${where}`,
          ),
        ];
  return r.pick([...plain, ...passive, ...asked]) + r.pick(['', '', '', '.', ', please']);
}

/** Another word for the thing where the verb alone decides, another verb where the thing alone does. */
function renamed(r: Random, l: Lexicon, tool: SyntheticTool, f: Filled, rivals: SyntheticTool[]): string | null {
  const args = [f.main, ...f.clauses].filter(Boolean).join(' ');
  const before = f.before ? `${f.before} ` : '';
  if (rivals.every((t) => t.noun.split(' ').every((w) => !tool.noun.includes(w))) && !tool.isAttribute) {
    return r
      .pick([
        `I need something done with the ${before}${tool.noun} ${args}`,
        `${word(r, l)} the ${before}${tool.noun} ${args}`,
        `the ${before}${tool.noun} ${args}`,
        `${before}${tool.noun} ${args}, as always`,
        `take care of the ${before}${tool.noun} ${args}`,
      ])
      .trim();
  }
  if (
    !args ||
    tool.isAttribute ||
    rivals.some((t) => t.verbs.some((v) => tool.verbs.includes(v)) || (t.act === tool.act && t.act !== 'change'))
  )
    return null;
  return doing(r.pick(tool.verbs), `the ${before}${r.pick(['one', 'thing', word(r, l), word(r, l)])} ${args}`);
}

/** How a request speaks of the value that the first tool of a chain gives. */
function given(r: Random, second: SyntheticTool, key: Param): { it: string; cue: string } {
  const it = r.pick([
    `that ${spoken(key.name)}`,
    `that ${spoken(key.name)}`,
    `this ${spoken(key.name)}`,
    'that',
    'it',
    'the result',
    `the ${spoken(key.name)} you get`,
    'what comes out',
  ]);
  return { it, cue: second.gives ? it : r.pick(key.cues).replace('{p} {v}', '{v}').replace('{v}', it) };
}

/**
 * The two parts of a chain in one request: what is to be found, and what is to be done with the first of it, or with
 * the value that it is.
 */
export function chainRequest(
  r: Random,
  l: Lexicon,
  first: SyntheticTool,
  second: SyntheticTool,
  f1: Filled,
  f2: Filled,
  firstText: string,
  key: Param,
  isBare: boolean,
): string {
  const q = first.params.find((p) => p.name in f1.texts)?.role === 'query' ? roleText(first, f1, 'query') : null;
  const verb1 = r.pick(first.verbs);
  const verb2 = r.pick(second.verbs);
  const argsOf = (p: [string, string][]): string =>
    r
      .shuffle(p.slice())
      .map(([name, value]) => `${name} ${value}`)
      .join(' and ');
  const own = f2.listed.filter(([name]) => name !== spoken(key.name));
  const tail = Object.values(f2.said)
    .map((c) => ` ${c}`)
    .join('');
  const listed = own.length ? ` with ${argsOf(own)}` : '';
  const it = r.pick([
    'it',
    'it',
    'the first',
    'the first one',
    `the first ${spoken(key.name)}`,
    `the first ${spoken(key.name)}`,
    `that ${first.noun.replace(/s$/, '')}`,
    'the top one',
  ]);
  const value = given(r, second, key);
  const doIt = second.gives
    ? `${r.pick(['get', 'tell me', 'give me', verb2])} the ${second.gives} ${isBare ? value.it : it}`
    : doing(
        verb2,
        !isBare ? it : value.cue === value.it ? value.it : `${r.pick(['the ', 'the ', ''])}${second.noun} ${value.cue}`,
      );
  const ask1 = firstText.replace(/[.?!]$/, '');
  const start = startsWithValue(ask1, f1) ? ask1 : ask1.charAt(0).toLowerCase() + ask1.slice(1);
  const args1 = argsOf(f1.listed);
  const own1 = first.description.replace(/\.$/, '').replace(/^./, (c) => c.toLowerCase());
  const last = r.next() < 0.5 ? listed : tail;
  const joined = r.pick([
    `${ask1} and ${doIt}${last}`,
    `${ask1} and then ${doIt}${last}`,
    `${ask1}, then ${doIt}${last}`,
    `first ${start}, then ${doIt}${last}`,
    `${ask1}. ${capital(doIt)}${last}`,
    `please ${start}, and after that ${doIt}${last}`,
    `${own1} with ${args1} and ${doIt}${last}`,
    `could you ${own1} with ${args1}, then ${doIt}${last}?`,
    `I want you to ${start} and then to ${doIt}${last}`,
    `${ask1}; ${doIt}${last}`,
    `after you ${start}, ${doIt}${last}`,
  ]);
  if (isBare || q === null || second.gives || r.next() < 0.5) return joined;
  const by = roleText(first, f1, 'from');
  const rest = clausesBut(first, f1, 'query', 'from').join(' ') + (by === null ? '' : ` from ${by}`) + last;
  const one = first.noun.replace(/s$/, '');
  const topic = r.pick([`about ${q}`, `about the ${q}`, `on ${q}`, `with the ${q}`]);
  const plain = [
    `${verb1} the ${one} ${topic} ${rest} and ${doing(verb2, 'it')}`,
    `${doing(verb2, `the ${one} ${topic}`)} ${rest}`,
    `the ${q} ${one} ${rest} is ready: ${verb1} it and ${doing(verb2, 'it')}`,
    `the ${q} is over, ${verb1} that ${one} ${rest} and ${doing(verb2, 'it')}`,
    `${doing(verb2, `the ${one} on the ${q}`)} ${rest}. ${capital(verb1)} it first`,
    `${verb1} the ${q} ${rest} and ${doing(verb2, 'it')}`,
    `${doing(verb2, `the ${q} ${one}`)} ${rest}, ${verb1} it first`,
    `${verb1} ${q} ${rest} and ${doing(verb2, 'it')}`,
  ];
  const curious =
    second.act !== 'read'
      ? []
      : [
          `${capital(question(r, l, q))}? ` +
            `${r.pick([`${capital(verb1)} the ${one} and ${doing(verb2, 'it')}`, `${capital(doing(verb2, `the ${one}`))}`, `${capital(doing(verb2, `the ${one} about it`))}`, `${capital(verb1)} and ${doing(verb2, 'it')}`])} ${rest}`,
          `${capital(question(r, l, word(r, l)))}? ${capital(doing(verb2, `the ${q} ${one}`))} ${rest}`,
          `${capital(question(r, l, word(r, l)))} in the ${q} ${one}? ${rest}`,
          `how many ${word(r, l)} does the ${q} ${one} ${word(r, l)}? ${rest}`,
          `tell me the ${word(r, l)} on my ${q}, it is in a ${one} ${rest}`,
          `what does the ${one} ${topic} say? ${rest}`,
          `${verb2} what the ${one} says ${topic} ${rest}`,
        ];
  return r
    .pick([...plain, ...curious])
    .replace(/ +/g, ' ')
    .trim();
}
