import assert from 'node:assert/strict';
import type { ToolSchema } from '../../trainer/protocol/task';
import type { ToolResultKind, Trace } from '../../trainer/protocol/trace';
import { factsIn } from '../../trainer/rollout/environment/guard/facts';
import { refuseUnseen, ungroundedIn } from '../../trainer/rollout/environment/guard/guard';

type Episode = Pick<Trace, 'messages' | 'turns'>;
/** What the user said, and what tools answered. */
function episode(said: string, results: (string | [ToolResultKind, string])[] = []): Episode {
  const calls = results.map((each, i) => {
    const [kind, content] = typeof each === 'string' ? (['ok', each] as const) : each;
    return {
      id: `c${i}`,
      name: 'find',
      arguments: {},
      result: { kind, content, policy: 'real' as const, startedAt: 0, durationMs: 0 },
    };
  });
  return { messages: [{ role: 'user', content: said }], turns: [{ start: 0, end: 0, text: '', calls, sampleMs: 0 }] };
}

const tool = (
  properties: Record<string, unknown>,
  more: Partial<ToolSchema> & { $defs?: Record<string, unknown> } = {},
): ToolSchema => {
  const { $defs, ...rest } = more;
  return {
    name: 'find',
    description: 'Looks things up.',
    parameters: { type: 'object', properties, ...($defs ? { $defs } : {}) },
    source: { file: 'a.ts', line: 1 },
    binding: { exportName: 'find', positional: 'object' },
    changesWorld: false,
    ...rest,
  };
};
const text = { type: 'string' };
const number = { type: 'number' };
/** null: the call may run */
function refusal(of: ToolSchema, args: Record<string, unknown>, from: Episode): string | null {
  const [result] = refuseUnseen([{ name: 'find', arguments: args }], from, [of], 5);
  if (result === null || result === undefined) return null;
  assert.deepEqual([result.kind, result.startedAt, result.durationMs], ['unseenValue', 5, 0]);
  return (JSON.parse(result.content) as { error: string }).error;
}

describe('facts of a text', () => {
  const briefly = (words: string) => factsIn(words, { quotes: true }).facts.map((fact) => `${fact.kind} ${fact.text}`);
  it('are days, times, ids, numbers and quoted names, each place once', () => {
    assert.deepEqual(briefly('Order INV-2024-001 of 2025-03-05T10:30:00Z costs 1,234.50 EUR'), [
      'day 2025-03-05',
      'time 10:30:00Z',
      'id INV-2024-001',
      'number 1,234.50',
    ]);
    assert.deepEqual(briefly('“Ada Lovelace” (ada@x.io) comes on March 5th, 2025 at 3 pm'), [
      'name Ada Lovelace',
      'day March 5th, 2025',
      'time 3 pm',
      'id ada@x.io',
    ]);
    assert.deepEqual(briefly('5 May 2024, 24h, 10km, 3rd, 50 %, 2 million, 1.2.3'), [
      'day 5 May 2024',
      'id 1.2.3',
      'number 24h',
      'number 10km',
      'number 3rd',
      'number 50 %',
      'number 2 million',
    ]);
    assert.deepEqual(briefly("It's the dogs' turn, e.g. and/or so. I can't."), []);
    assert.deepEqual(briefly('see /etc/hosts, report.pdf and https://x.io/a?b=1.'), [
      'id /etc/hosts',
      'id report.pdf',
      'id https://x.io/a?b',
      'number 1',
    ]);
  });

  it('numbers are read as they may be meant', () => {
    const values = (words: string) =>
      factsIn(words, { quotes: true }).facts.flatMap((fact) =>
        fact.kind === 'number' ? fact.readings.map(({ value }) => value) : [],
      );
    assert.deepEqual(values('1,234.5'), [1234.5]);
    assert.deepEqual(values('1.234,5'), [1234.5]);
    assert.deepEqual(values('1.234'), [1234, 1.234]);
    assert.deepEqual(values('12,5'), [12.5]);
    assert.deepEqual(values('50%'), [50, 0.5]);
    assert.deepEqual(values('2 million and 5k'), [2e6, 5000]);
    assert.deepEqual(values('1\u202f234'), [1234]);
  });
});

describe('a value that nobody gave (guardValues)', () => {
  const mail = tool({ to: text, subject: text, size: number });

  it('keeps the call from running; the error says which argument, the rule, the value and the way out', () => {
    const said = episode('Write to ada@x.io about the rent.');
    assert.equal(
      refusal(mail, { to: 'bob@x.io' }, said),
      'unseen value: to must be a value that the user gave or that a tool returned, got "bob@x.io"; copy it from there, or ask for it',
    );
    assert.equal(
      refusal(mail, { to: 'ada@x.io', subject: 'Rent of Martha' }, said),
      'unseen value: subject must be a value that the user gave or that a tool returned, got "Rent of Martha", of which "of", "Martha" was not seen; copy it from there, or ask for it',
    );
    assert.match(
      refusal(mail, { to: 'x1', size: 77 }, said)!,
      /^unseen value: to must .* "x1"; .*; size must .* 77; copy/,
    );
    assert.equal(refusal(mail, { to: 'ADA@x.io', subject: 'the  rent' }, said), null);
  });

  it('may come from a result: with JSON in JSON, with escapes, as a whole word', () => {
    const from = episode('Who?', [
      '{"people":[{"name":"Zoë \\"Z\\" Ray","id":4711}]}',
      JSON.stringify('{"mail":"zoe@x.io"}'),
    ]);
    assert.equal(refusal(mail, { to: 'zoe@x.io', subject: 'Zoë "Z" Ray', size: 4711 }, from), null);
    assert.match(refusal(mail, { to: 'oe@x.io' }, from)!, /to must/);
    assert.match(refusal(mail, { subject: '471' }, from)!, /subject must/);
    assert.match(refusal(mail, { size: 471 }, from)!, /size must/);
  });

  it('what was refused for it is not seen by being repeated in the refusal', () => {
    const first = refuseUnseen([{ name: 'find', arguments: { to: 'bob@x.io' } }], episode('Write.'), [mail], 0)[0]!;
    assert.match(refusal(mail, { to: 'bob@x.io' }, episode('Write.', [['unseenValue', first.content]]))!, /bob@x\.io/);
    // another tool's error counts: it may name what there is
    assert.equal(
      refusal(mail, { to: 'bob@x.io' }, episode('Write.', [['threw', '{"error":"there is only bob@x.io"}']])),
      null,
    );
  });

  it('or from the author: enum, const, default, examples, descriptions; the words of JSON Schema are none', () => {
    const of = tool(
      {
        unit: { enum: ['celsius', 'kelvin'] },
        city: { ...text, default: 'Oslo', examples: ['Bergen'], description: 'a city such as Trondheim' },
        title: text,
        n: { anyOf: [{ const: 42 }, { type: 'null' }] },
      },
      { examples: ['find({ city: "Narvik" })'] },
    );
    const said = episode('How warm in réaumur?');
    for (const city of ['Oslo', 'Bergen', 'Trondheim', 'Narvik', ''])
      assert.equal(refusal(of, { city, unit: 'kelvin', n: 42 }, said), null, city);
    for (const title of ['string', 'object', 'properties', 'Hammerfest'])
      assert.match(refusal(of, { title }, said)!, /title must/, title);
    assert.equal(
      refusal(of, { unit: 'réaumur' }, said),
      'unseen value: unit must be one of ["celsius","kelvin"], got "réaumur"; choose one of these',
    );
    assert.match(refusal(of, { n: 43 }, said)!, /n must be one of \[42\], got 43/);
  });

  it('is looked for inside lists, objects and references', () => {
    const of = tool(
      {
        who: { type: 'array', items: { $ref: '#/$defs/person' } },
        more: { type: 'object', additionalProperties: text },
      },
      {
        $defs: {
          person: {
            type: 'object',
            properties: { role: { enum: ['cook'] }, name: text, boss: { $ref: '#/$defs/person' } },
          },
        },
      },
    );
    assert.equal(
      refusal(
        of,
        { who: [{ name: 'Ada', role: 'cook', boss: { name: 'Bob', role: 'cook' } }], more: { any: 'Ada' } },
        episode('Ada, Bob'),
      ),
      null,
    );
    assert.match(
      refusal(of, { who: [{ name: 'Ada' }, { boss: { name: 'Eve' } }], more: { any: 'Zed' } }, episode('Ada'))!,
      /^unseen value: who\.1\.boss\.name must .*"Eve".*; more\.any must .*"Zed"/,
    );
  });

  it('free are booleans, null, whole numbers up to 10, texts without letters; a text may put seen words together', () => {
    const of = tool({ a: {}, b: {}, c: {}, query: text });
    assert.equal(
      refusal(of, { a: true, b: null, c: 10, query: '*' }, episode('Find the invoices for rent from March')),
      null,
    );
    assert.equal(
      refusal(of, { a: -3, query: 'rent invoices march' }, episode('Find the invoices for rent from March')),
      null,
    );
    assert.match(refusal(of, { c: 11 }, episode('Find'))!, /c must/);
    assert.match(refusal(of, { c: 2.5 }, episode('Find'))!, /c must/);
  });

  it('numbers, days and times count as what they mean', () => {
    const of = tool({ n: number, when: text });
    const said = episode('Pay 1,250.00 EUR, 12 % off, to a dozen or eleven people on March 5 at 3 pm, or on 7/8/2025');
    for (const n of [1250, 12, 0.12, 11, -1250]) assert.equal(refusal(of, { n }, said), null, String(n));
    for (const n of [1251, 125, 0.13]) assert.match(refusal(of, { n }, said)!, /n must/, String(n));
    for (const when of ['2025-03-05', '2025-03-05T15:00:00', '15:00', '2025-08-07', '2025-07-08'])
      assert.equal(refusal(of, { when }, said), null, when);
    for (const when of ['2025-03-06', '2025-03-05T16:00:00', '16:00', '2024-08-07'])
      assert.match(refusal(of, { when }, said)!, /when must/, when);
    assert.equal(refusal(of, { when: '2025-03-06' }, episode('Book it for tomorrow')), null); // reckoned from a word
    assert.match(refusal(of, { n: 20250306 }, episode('Book it for tomorrow'))!, /n must/);
  });

  it('of longer texts only the facts are looked up', () => {
    const said = episode('Tell Ada that the rent of 900 EUR is due on May 3.');
    assert.equal(
      refusal(mail, { subject: 'Hello Ada, please remember that your rent of 900 EUR will be due on 3 May.' }, said),
      null,
    );
    assert.match(
      refusal(
        mail,
        { subject: 'Hello Ada, please remember that your rent of 950 EUR will be due on 4 May, see INV-7.' },
        said,
      )!,
      /of which "4 May", "INV-7", "950" was not seen/,
    );
  });

  it('tools that do not exist are left to the hosts, and each call of a turn is looked at by itself', () => {
    const results = refuseUnseen(
      [
        { name: 'nope', arguments: { to: 'z' } },
        { name: 'find', arguments: { to: 'z' } },
        { name: 'find', arguments: { to: 'Ada' } },
      ],
      episode('Ada'),
      [mail],
      0,
    );
    assert.deepEqual(
      results.map((result) => result?.kind ?? null),
      [null, 'unseenValue', null],
    );
  });
});

describe('an answer that states what nobody said (guardAnswers)', () => {
  const from = episode('What did order INV-42 cost, and when does "Ada" get it?', [
    '{"total":1234.567,"currency":"EUR","eta":"2025-03-05","items":["a","b","c"]}',
  ]);
  const ungrounded = (answer: string) => ungroundedIn(answer, from);

  it('is found with what it states; each claim once, in its own words', () => {
    assert.deepEqual(ungrounded('INV-42 cost 1,234.57 EUR; "Ada" gets its 3 items on 5 March.'), []);
    assert.deepEqual(ungrounded('INV-43 cost 1,299 EUR, really 1,299 EUR; "Eve" gets it on 6 March.'), [
      'Eve',
      '6 March',
      'INV-43',
      '1,299',
    ]);
  });

  it('numbers may be rounded to the digits that they have, and no further', () => {
    for (const right of ['1234.567', '1234.57', '1234.6', '1,235'])
      assert.deepEqual(ungrounded(`It was ${right}.`), [], right);
    for (const wrong of ['1234.5', '1234.56', '1,234', '1,236', '12'])
      assert.deepEqual(ungrounded(`It was ${wrong}.`), [wrong], wrong);
  });

  it("a list's own numbers, thoughts and words without quotes are no claims", () => {
    assert.deepEqual(ungrounded('<think>maybe 77</think>It will come:\n1. the a\n2) the b\nBob said so.'), []);
    assert.deepEqual(ungrounded('1. the a\n8 of them'), ['8']);
  });

  it('an error says something, too; what the guard refused does not', () => {
    assert.deepEqual(ungroundedIn('The server said 503.', episode('Go', [['threw', '{"error":"status 503"}']])), []);
    assert.deepEqual(ungroundedIn('It is 503.', episode('Go', [['unseenValue', '{"error":"n must be …, got 503"}']])), [
      '503',
    ]);
  });
});
