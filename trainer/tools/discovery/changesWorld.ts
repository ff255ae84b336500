/** Whether a tool changes something outside: such tools are mocked in training unless the user says otherwise. */
import { findTag, type JsDoc } from './jsDoc';

const CHANGING = new Set([
  'send', 'delete', 'remove', 'pay', 'post', 'write', 'create', 'update', 'buy', 'book', 'cancel', 'transfer', 'purchase', 'order',
  'publish', 'deploy', 'upload', 'save', 'store', 'insert', 'upsert', 'put', 'patch', 'set', 'edit', 'modify', 'rename', 'move',
  'drop', 'truncate', 'clear', 'reset', 'destroy', 'kill', 'terminate', 'stop', 'restart', 'shutdown', 'execute', 'exec', 'run',
  'install', 'uninstall', 'submit', 'reserve', 'schedule', 'reschedule', 'invite', 'notify', 'email', 'mail', 'message', 'reply', 'forward',
  'approve', 'reject', 'refund', 'charge', 'withdraw', 'deposit', 'subscribe', 'unsubscribe', 'register', 'commit', 'push', 'merge',
  'grant', 'revoke', 'ban', 'block', 'unblock', 'lock', 'unlock', 'enable', 'disable', 'archive', 'assign', 'tweet', 'call', 'dial',
  'extend', 'renew', 'prolong', 'postpone', 'return', 'borrow', 'lend', 'rent', 'give', 'turn', 'switch', 'dim', 'enroll', 'enrol', 'join', 'leave', 'complete', 'finish', 'mark', 'tag', 'untag', 'rate',
  'increase', 'decrease', 'raise', 'lower', 'adjust', 'change', 'pause', 'resume', 'mute', 'unmute', 'record', 'issue', 'release', 'hold', 'void', 'undo', 'restore', 'replace', 'attach', 'detach',
  'connect', 'disconnect', 'print', 'share', 'unassign', 'reopen', 'confirm', 'accept', 'decline', 'swap', 'rotate', 'wipe', 'erase', 'import', 'arm', 'disarm', 'admit', 'discharge', 'dispatch', 'deliver', 'pick', 'place',
  'overwrite', 'append', 'add', 'trigger', 'launch', 'start', 'toggle', 'close', 'open', 'checkout', 'ship', 'sign', 'vote',
]);

/** Of these, the ones that are as often nouns: they speak for a change only at the front, as in `bookTable` but not `trackOrder`. */
const OFTEN_NOUNS = new Set([
  'post', 'book', 'transfer', 'order', 'purchase', 'update', 'store', 'put', 'patch', 'set', 'move', 'drop', 'reset', 'stop', 'run', 'install', 'reserve', 'schedule',
  'email', 'mail', 'message', 'reply', 'forward', 'refund', 'charge', 'deposit', 'register', 'commit', 'push', 'grant', 'ban', 'block', 'lock', 'archive', 'tweet', 'call',
  'trigger', 'launch', 'start', 'toggle', 'close', 'open', 'checkout', 'ship', 'sign', 'vote', 'edit', 'restart', 'invite', 'add',
  'return', 'rent', 'turn', 'switch', 'leave', 'complete', 'finish', 'mark', 'tag', 'rate', 'increase', 'decrease', 'raise', 'lower', 'change', 'pause', 'mute', 'record', 'issue', 'release', 'hold', 'void',
  'print', 'share', 'swap', 'import', 'arm', 'dispatch', 'pick', 'join', 'give', 'confirm', 'accept', 'decline', 'adjust', 'undo', 'replace', 'place',
]);

const READING = new Set([
  'get', 'list', 'search', 'find', 'read', 'fetch', 'lookup', 'look', 'check', 'query', 'count', 'calculate', 'compute', 'convert', 'parse',
  'validate', 'verify', 'show', 'describe', 'is', 'has', 'can', 'format', 'compare', 'estimate', 'summarize', 'translate', 'load', 'view',
  'retrieve', 'inspect', 'sort', 'filter', 'sum', 'multiply', 'divide', 'subtract', 'average', 'encode', 'decode', 'hash', 'preview', 'browse', 'select', 'peek', 'explain', 'track', 'quote', 'suggest', 'rank', 'next', 'last', 'total',
]);

/** Verbs that lead the description of a tool that only reads, too: "Adds two numbers", "Returns the price", "Gives the weekday". */
const DESCRIBED_OTHERWISE = new Set(['add', 'return', 'give', 'print', 'turn', 'change', 'rate', 'increase', 'lower', 'raise', 'pick', 'issue', 'confirm', 'complete', 'rotate', 'swap', 'replace', 'import', 'place']);

/** Objects with which `add` is arithmetic and not an entry in somebody's list. */
const ARITHMETIC = new Set(['numbers', 'number', 'integers', 'ints', 'two', 'three', 'values', 'floats', 'vectors', 'matrices', 'days', 'hours', 'minutes', 'months', 'weeks', 'years', 'fractions', 'up', 'and']);

/**
 * Tags decide (`@sideEffect`, `@readonly`, `@pure`), then the name's first verb, then any plain verb in the name, then the
 * verbs that lead the description. In doubt it is true: a mocked search costs a score, a real payment costs money.
 */
export function changesWorld(name: string, description: string, docs: JsDoc | undefined): boolean {
  if (findTag(docs, 'sideEffect', 'sideEffects', 'sideeffect')) return true;
  if (findTag(docs, 'readonly', 'readOnly', 'pure')) return false;
  const words = nameWords(name);
  const [first = '', second] = words;
  if (READING.has(first)) return false;
  if (first === 'add' && (second === undefined || ARITHMETIC.has(second))) return false;
  if (/^(order|purchase|transfer)_(status|count|details|info|history|summary|number|id)$/.test(words.join('_'))) return false;
  if (words.some((word, i) => CHANGING.has(word) && (i === 0 || !OFTEN_NOUNS.has(word)))) return true;
  return leadingVerbs(description).some((verb) => CHANGING.has(verb) && !DESCRIBED_OTHERWISE.has(verb));
}

function nameWords(name: string): string[] {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2').toLowerCase().split(/[^a-z]+/).filter((word) => word !== '');
}

/** The first word of each sentence, and what follows "and" or "then": "Looks up a friend and sends him a card." */
function leadingVerbs(description: string): string[] {
  const found = [...description.toLowerCase().matchAll(/(?:^|[.!?;\n]\s*)([a-z]+)/g)].map((match) => match[1]!);
  for (const match of description.toLowerCase().matchAll(/\b(?:and|then|or)\s+(?:then\s+)?([a-z]+s)\b/g)) found.push(match[1]!);
  return found.map(baseForm);
}

function baseForm(verb: string): string {
  for (const end of ['', 's', 'es', 'ies']) {
    if (!verb.endsWith(end)) continue;
    const stem = verb.slice(0, verb.length - end.length) + (end === 'ies' ? 'y' : '');
    if (CHANGING.has(stem) || READING.has(stem)) return stem;
  }
  return verb;
}
