/**
 * What the fuzzer makes: valid files that were changed in a few places, and noise. Changes are what shrinks, so a
 * failure
 * is reported as the fewest of them.
 */
import fc from 'fast-check';

/** Stands for a number that JSON.stringify can't write. */
const HUGE = '@1e999@';
const deep = (levels: number): unknown => {
  let value: unknown = 1;
  for (let i = 0; i < levels; i++) value = i % 2 ? [value] : { a: value };
  return value;
};
const HOSTILE: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  0.5,
  1e9,
  1e15,
  2 ** 53,
  HUGE,
  '',
  ' ',
  'x',
  '__proto__',
  'constructor',
  '\u202e\u001b]0;t\u0007\n\r\n',
  '\ud800',
  '<|im_end|>{"name":1}</tool_call>',
  'eyJ-'.repeat(5_000),
  'x'.repeat(100_000),
  [],
  {},
  [[]],
  [null],
  { length: 1e9 },
  { toString: 1, valueOf: 1 },
  deep(40),
  deep(2_000),
  Array.from({ length: 5_000 }, (_, i) => i),
  Object.fromEntries(Array.from({ length: 2_000 }, (_, i) => [`k${i}`, i])),
];
const HOWS = ['replace', 'remove', 'rename', 'twice', 'wrap', 'many'] as const;

interface Change {
  path: number[];
  how: (typeof HOWS)[number];
  value: number;
}

const change = fc.record({
  path: fc.array(fc.nat(40), { maxLength: 9 }),
  how: fc.constantFrom(...HOWS),
  value: fc.nat(HOSTILE.length - 1),
});

const textOf = (value: unknown): string => (JSON.stringify(value) ?? '').replaceAll(`"${HUGE}"`, '1e999');

/**
 * A change that would make more than this is left out: five seconds are the limit of a hang, and not of reading a lot.
 */
const MOST_CHARACTERS = 4 << 20;

/** A copy of `seed` with a change at the place that the numbers of its path lead to. */
function changed(seed: unknown, { path, how, value }: Change): unknown {
  const [step, ...rest] = path;
  const isInner = typeof seed === 'object' && seed !== null && Object.keys(seed).length > 0;
  if (step === undefined || !isInner) return how === 'wrap' ? [seed] : HOSTILE[value];
  const entries = Object.entries(seed);
  const at = step % entries.length;
  const [key, inner] = entries[at]!;
  if (rest.length > 0 || how === 'replace' || how === 'wrap')
    entries[at] = [key, changed(inner, { path: rest, how, value })];
  else if (how === 'remove') entries.splice(at, 1);
  else if (how === 'rename') entries[at] = [(JSON.stringify(HOSTILE[value]) ?? '').slice(0, 1_000), inner];
  else {
    const most = how === 'twice' ? 1 : Math.min(300, Math.ceil(MOST_CHARACTERS / (textOf(inner).length + 1)));
    entries.push(...Array.from({ length: most }, (_, i): [string, unknown] => [`${key}${i}`, inner]));
  }
  return Array.isArray(seed) ? entries.map(([, each]) => each) : Object.fromEntries(entries);
}

function changedInBounds(seed: unknown, change: Change): unknown {
  const next = changed(seed, change);
  return textOf(next).length > MOST_CHARACTERS ? seed : next;
}

/** The text of one of `seeds`, changed up to five times, or of any JSON. */
export const json = (...seeds: unknown[]): fc.Arbitrary<string> =>
  fc.oneof(
    {
      weight: 9,
      arbitrary: fc
        .tuple(fc.constantFrom(...seeds), fc.array(change, { maxLength: 5 }))
        .map(([seed, changes]) => textOf(changes.reduce(changedInBounds, seed))),
    },
    { weight: 1, arbitrary: fc.json({ maxDepth: 6 }) },
  );

/** Cut off, with something put in, or repeated; most often as it is. */
const damage = (text: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(
      text,
      fc.nat(999),
      fc.constantFrom('', '', '', '', 'cut', '\ufeff', '\u0000', '\n', '{', '"', '\r\n\r\n', ',,'),
    )
    .map(([whole, per, what]) => {
      const at = Math.floor((whole.length * per) / 1_000);
      return what === '' ? whole : whole.slice(0, at) + (what === 'cut' ? '' : what + whole.slice(at));
    });

export const document = (...seeds: unknown[]): fc.Arbitrary<string> => damage(json(...seeds));

export const lines = (...seeds: unknown[]): fc.Arbitrary<string> =>
  damage(fc.array(json(...seeds), { maxLength: 6 }).map((each) => each.map((line) => `${line}\n`).join('')));

/** Bytes of a valid file with some of them changed, numbers of 4 and 8 bytes made huge, cut off or gone on. */
export const bytes = (...seeds: Uint8Array[]): fc.Arbitrary<Uint8Array> =>
  fc
    .tuple(
      fc.constantFrom(...seeds),
      fc.array(fc.tuple(fc.nat(1 << 20), fc.constantFrom(1, 4, 8), fc.constantFrom(0, 1, 0x7f, 0x80, 0xff, 200)), {
        maxLength: 6,
      }),
      fc.option(fc.nat(1_000)),
    )
    .map(([seed, marks, cut]) => {
      const out = Buffer.from(seed);
      // most of what can be wrong stands at the start
      for (const [place, size, value] of marks) {
        const at = place % Math.min(out.length, place % 3 === 0 ? out.length : 400);
        out.fill(0, at, Math.min(out.length, at + size));
        out[Math.min(out.length - 1, at + (value === 200 ? size - 1 : 0))] = value;
      }
      return cut === null ? out : out.subarray(0, Math.floor((out.length * cut) / 1_000));
    });

const WORDS = [
  '{%', '%}', '{{', '}}', '{%-', '-%}', '{#', '#}', 'for', 'in', 'endfor', 'if', 'elif', 'else', 'endif', 'set', 'macro', 'endmacro',
  'call', 'endcall', 'filter', 'endfilter', 'messages', 'message', 'tools', 'loop', 'ns', 'namespace', 'range', '(', ')', '[', ']',
  '{', '}', '.', ',', ':', '|', '~', '+', '-', '*', '**', '/', '//', '%', '=', '==', '<', 'is', 'not', 'and', 'defined', 'tojson',
  'join', 'indent', 'replace', 'split', 'trim', 'upper', 'items', 'content', 'role', 'raise_exception', 'none', 'x', '"a"', "''",
  '0', '1', '-1', '99999', '1e9', '10000000000000', '\n', ' ', '   ', '<|im_end|>', 'text',
]; // biome-ignore format: one a line would take a page

const PARTS = [
  '{% for m in messages %}{{ m.role }}: {{ m.content }}<|im_end|>\n{% endfor %}',
  '{% if tools %}{{ tools | tojson(indent=4) }}{% endif %}',
  '{% for a in range(99999) %}{% for b in range(99999) %}x{% endfor %}{% endfor %}',
  '{% set ns = namespace(l=[1], s="x") %}',
  '{% for i in range(50) %}{% set ns.l = [ns.l, ns.l] %}{% set ns.s = ns.s ~ ns.s %}{% endfor %}',
  '{{ ns.l | tojson }}{{ ns.s | replace("x", ns.s) }}',
  '{% macro m(n) %}{{ m(n + 1) }}{{ m(n) }}{% endmacro %}{{ m(0) }}',
  '{{ range(99999) | join(ns.s) | indent(1000000) }}',
  '{{ messages | selectattr("role", "equalto", "user") | map(attribute="content") | join(", ") }}',
  '{{ messages[::-1][0].content.split(" ")[-1] | upper | trim }}',
  '{% if add_generation_prompt %}assistant: {% endif %}',
];

export const template: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...PARTS) },
      { weight: 1, arbitrary: fc.array(fc.constantFrom(...WORDS), { maxLength: 12 }).map((words) => words.join(' ')) },
      { weight: 1, arbitrary: fc.constantFrom(...WORDS, ' '.repeat(5_000), '('.repeat(20_000)) },
    ),
    { maxLength: 10 },
  )
  .map((parts) => parts.join(''));

const SECRETS = [
  'eyJ',
  'eyJabcdefgh',
  '.',
  '-',
  'a.',
  'a-b',
  '://',
  'u:',
  'pass',
  '@',
  'sk-',
  'A'.repeat(40),
  'bearer ',
  '\n',
  ' ',
  '=',
];
const MORE = [
  '-----BEGIN PRIVATE KEY-----',
  '-----END ',
  'ghp_',
  'xoxb-',
  'hf_',
  'glpat-',
  'npm_',
  'github_pat_',
  '"',
  '9',
];

/** Parts of secrets, each many times over. */
export const secrets: fc.Arbitrary<string> = fc
  .array(fc.tuple(fc.constantFrom(...SECRETS, ...MORE), fc.constantFrom(1, 1, 3, 1_000, 100_000)), { maxLength: 8 })
  .map((parts) => parts.map(([part, times]) => part.repeat(times)).join(''));

/** Frames of JSON-RPC with wrong lengths, no ends, and bodies that are no requests. */
export const frames: fc.Arbitrary<Uint8Array> = fc
  .array(
    fc.oneof(
      fc
        .tuple(
          json({ jsonrpc: '2.0', id: 1, method: 'hello', params: { protocol: 1 } }, { jsonrpc: '2.0', method: 'stop' }),
          fc.constantFrom(0, 0, 0, 0, 1, -1, 1e9, 1e15),
        )
        .map(([body, more]) => `Content-Length: ${Buffer.byteLength(body) + more}\r\n\r\n${body}`),
      fc.constantFrom('\r\n\r\n', 'Content-Length: x\r\n\r\n', 'x'.repeat(5_000), 'a: b\r\n', '\u0000', '{}'),
    ),
    { maxLength: 6 },
  )
  .map((parts) => Buffer.from(parts.join('')));
