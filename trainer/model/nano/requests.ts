import type { Random } from '../../base/random';
import { doing, startsWithValue, type Filled } from './filled';
import { naturalRequest } from './naturalRequests';
import { capital, type Lexicon } from './words';
import { spoken, type SyntheticTool } from './world';

const OPENERS = [
  '',
  '',
  '',
  '',
  '',
  '',
  'please ',
  'can you ',
  'could you ',
  'I want to ',
  'I need to ',
  'would you ',
  'hey, ',
  "let's ",
  'help me ',
  'now ',
  'ok, ',
  'I would like to ',
];
const ENDINGS = ['', '', '', '', '.', '.', ' please', '?', ', please', ' for me', ' now', '!'];

const article = (r: Random, noun: string): string =>
  (/^(\d|up to|the|just|at most)/.test(noun)
    ? ''
    : r.pick(['', 'the ', 'the ', 'my ', 'all ', 'a ', 'some ', 'that '])) + noun;

/** What is asked for, as the tool's own description says it, and the arguments as a list before or behind it. */
function listRequest(r: Random, tool: SyntheticTool, f: Filled): string {
  const own = tool.description.replace(/\.$/, '').replace(/^./, (c) => c.toLowerCase());
  const ask =
    tool.isAttribute && own.startsWith(tool.noun)
      ? `${r.pick(['', 'the ', 'get the ', 'I need the ', 'what is the ', 'tell me the '])}${own}`
      : r.pick([own, own, doing(r.pick(tool.verbs), tool.noun), spoken(tool.name)]);
  const [sign, gap] = r.pick([
    [': ', ', '],
    [': ', '; '],
    [' is ', ' and '],
    [' is ', ', '],
    ['=', ' '],
    [' = ', ', '],
    [' ', ' and '],
    [' ', ', '],
    [' - ', '; '],
  ]);
  const list = r
    .shuffle(f.listed.slice())
    .map(([p, v]) => `${p}${sign}${v}`)
    .join(gap);
  if (!list) return ask;
  return r.pick([
    `${ask} with ${list}`,
    `${ask}, ${list}`,
    `${ask} (${list})`,
    `${ask}. ${list}`,
    `${list}: ${ask}`,
    `${list}. ${capital(ask)}`,
    `${ask} where ${list}`,
    `if ${list}, ${ask}`,
    `${ask} for ${list}`,
  ]);
}

/** One request in words. The same call can be asked for in many ways; the order of the clauses is free. */
export function request(r: Random, l: Lexicon, tool: SyntheticTool, f: Filled, tools: SyntheticTool[]): string {
  const isOnlyFinder = tool.act === 'find' && tools.every((t) => t === tool || t.act !== 'find');
  if (isOnlyFinder && f.main && r.next() < 0.2) return bareSearch(r, tool, f);
  const natural = r.next() < 0.6 ? naturalRequest(r, l, tool, f, tools) : null;
  const text = natural ?? phrase(r, tool, f);
  return r.next() < 0.4 && !startsWithValue(text, f) ? capital(text) : text;
}

/** A search that does not name what is searched, which is clear where one tool alone searches. */
function bareSearch(r: Random, tool: SyntheticTool, f: Filled): string {
  const what = r.shuffle([f.main, ...Object.values(f.said)]).join(' ');
  const ask = r.pick([
    doing(r.pick(tool.verbs), what),
    doing(r.pick(tool.verbs), `the one ${what}`),
    `is there anything ${what}?`,
    `anything ${what}?`,
    `there was something ${what}, ${doing(r.pick(tool.verbs), 'it')}`,
    `where is the one ${what}?`,
    `do I have something ${what}?`,
    `I wonder about what came ${what}`,
    `${what}?`,
    `what do we know ${what}?`,
  ]);
  return r.pick(OPENERS.slice(0, 6)) + (r.next() < 0.5 && ask[0] !== what[0] ? capital(ask) : ask);
}

function phrase(r: Random, tool: SyntheticTool, f: Filled): string {
  if (r.next() < 0.16) return r.pick(OPENERS) + listRequest(r, tool, f) + r.pick(ENDINGS);
  if (tool.isAttribute && r.next() < 0.6) {
    const tail = [f.main, ...r.shuffle(f.clauses.slice())].filter(Boolean).join(' ');
    const thing = (f.before ? `${f.before} ` : '') + tool.noun;
    return r
      .pick([
        `what is the ${thing} ${tail}?`,
        `${thing} ${tail}`,
        `the ${thing} ${tail}, please`,
        `tell me the ${thing} ${tail}`,
        `I want to know the ${thing} ${tail}`,
        `what are the ${thing} ${tail}?`,
        `${capital(thing)} ${tail}?`,
        `how about the ${thing} ${tail}?`,
      ])
      .replace(/ +/g, ' ');
  }
  const verb = r.pick(tool.verbs);
  const noun = (f.before ? `${f.before} ` : '') + tool.noun;
  const rest = r.shuffle(f.clauses.slice());
  const joined = (parts: (string | null)[]): string => parts.filter(Boolean).join(r.next() < 0.15 ? ', ' : ' ');
  const roll = r.next();
  if (roll < 0.62) return r.pick(OPENERS) + doing(verb, joined([article(r, noun), f.main, ...rest])) + r.pick(ENDINGS);
  if (roll < 0.7)
    return (
      joined([...rest.slice(0, 1), doing(verb, joined([article(r, noun), f.main])), ...rest.slice(1)]) + r.pick(ENDINGS)
    );
  if (roll < 0.76) return `${joined([noun, f.main, ...rest])}${r.pick(['', '?', '.'])}`;
  if (roll < 0.82) return `${joined([f.main ?? noun, f.main ? noun : null, ...rest])}${r.pick(['', '?'])}`;
  if (roll < 0.88)
    return (
      `${r.pick(['what about', 'is there', 'which', 'what is', "what's", 'do we have', 'where is'])} ` +
      `${joined([article(r, noun), f.main, ...rest])}?`
    );
  if (roll < 0.94)
    return (
      `${r.pick(['I need', 'I am after', 'get me', 'we want', 'time for'])} ` +
      `${joined([article(r, noun), f.main, ...rest])}${r.pick(['', '.', `: ${doing(verb, 'it')}`])}`
    );
  return (
    joined([capital(doing(verb, f.main ? [f.before, f.main].filter(Boolean).join(' ') : noun)), ...rest]) +
    r.pick(ENDINGS)
  );
}
