import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { PieceTokenizer, PretrainStream } from '../../../trainer/model/nano/batches';
import { isHeldOut, isWhole, KEPT_OUT, loadPeople, readTable, TALK } from '../../../trainer/model/nano/intents';
import { peopleDialogues } from '../../../trainer/model/nano/peopleDialogues';
import { loadLexicon } from '../../../trainer/model/nano/words';
import { Random } from '../../../trainer/base/random';
import { ChatTemplate } from '../../../trainer/model/tokenizer/chatTemplate';
import { EXCLUDED_INTENTS } from '../../bench/anyFile/excluded';

const nano = resolve(__dirname, '../../../trainer/model/nano');
const data = process.env['COACH_INTENTS'] ?? resolve(__dirname, '../../../../shared/data/intents');
const benchWords = readFileSync(resolve(__dirname, '../../bench/anyFile/words.txt'), 'utf8')
  .split('\n')
  .filter(Boolean);

/** A folder as people's lines lie in it, of lines made up here. */
function smallFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'coach-intents-'));
  const rows = (file: string, lines: object[]): void =>
    writeFileSync(join(dir, file), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const each = (intent: string, ...texts: string[]): object[] =>
    texts.flatMap((text) => ['train', 'test'].map((split) => ({ text, intent, split })));
  rows('clinc150.jsonl', [
    ...each(
      'calories',
      'how many calories does a banana have',
      'how many calories are in rye bread',
      'how many calories are in dry rice',
      'are there many calories',
    ),
    ...each('spelling', 'how do you spell rhythm', 'spell giraffe', 'spell vaccine'),
    ...each('oos', 'do not read me'),
    ...each('credit_score', 'tell me my rating', 'what is my score'),
    ...each('alarm', 'never read this one'),
    ...each('greeting', 'hi you'),
    ...each('date', 'which date is it'),
    ...each('roll_dice', 'roll it'),
  ]);
  rows('banking77.jsonl', each('age_limit', 'May my son have one?', 'How old must one be?', 'What about my invoices?'));
  rows('hwu64.jsonl', [
    {
      text: 'news about fog in graz',
      intent: 'news_query',
      slots: [
        ['news_topic', 'fog'],
        ['place_name', 'graz'],
      ],
      split: 'train',
    },
    { text: 'news on tin', intent: 'news_query', slots: [['news_topic', 'tin']], split: 'train' },
    { text: 'news on ore', intent: 'news_query', slots: [['news_topic', 'ore']], split: 'train' },
    { text: 'what is new', intent: 'news_query', slots: [], split: 'train' },
  ]);
  return dir;
}

describe("people's requests in pre-training", () => {
  const table = readTable();
  const used = new Map(
    [
      ...table.map(({ id }) => id),
      ...TALK.map((intent) => `${intent.startsWith('general_') ? 'hwu64' : 'clinc150'}/${intent}`),
    ].map((id) => [id, true]),
  );

  it('come of no intent that the benchmark measures with', () => {
    for (const [source, intents] of Object.entries(EXCLUDED_INTENTS))
      for (const intent of intents) assert.ok(!used.has(`${source}/${intent}`), `${source}/${intent}`);
    assert.ok(![...used.keys()].some((id) => id.startsWith('snips')));
  });

  it('have names and descriptions of their own, in words that the benchmark does not know', () => {
    assert.ok(table.length > 150);
    const own = table.flatMap(({ names, descriptions }) => [...names, ...descriptions]);
    for (const { id, names, descriptions } of table) assert.ok(names.length >= 2 && descriptions.length >= 2, id);
    for (const text of own) assert.doesNotMatch(text.replace(/([a-z])([A-Z])/g, '$1 $2'), KEPT_OUT);
    const words = new Set(
      own.flatMap(
        (text) =>
          text
            .replace(/([a-z])([A-Z])/g, '$1 $2')
            .toLowerCase()
            .match(/[a-z]+/g) ?? [],
      ),
    );
    for (const word of benchWords) assert.ok(!words.has(word.toLowerCase()), word);
    assert.equal(new Set(table.map(({ id }) => id)).size, table.length);
  });

  it('are read by split and intent; a tenth or so of the functions is never trained on', () => {
    const dir = smallFolder();
    try {
      const [train, held] = [loadPeople('train', dir), loadPeople('heldOut', dir)];
      assert.deepEqual(
        held.intents.map(({ id }) => id),
        ['clinc150/date', 'clinc150/roll_dice'],
      );
      assert.deepEqual(train.intents.map(({ id }) => id).sort(), [
        'banking77/age_limit',
        'clinc150/calories',
        'clinc150/credit_score',
        'clinc150/spelling',
        'hwu64/news_query',
      ]);
      const texts = [
        ...train.intents.flatMap(({ lines }) => lines.map(({ text }) => text)),
        ...[...train.talk.values()].flat(),
      ];
      for (const text of ['do not read me', 'never read this one', 'What about my invoices?'])
        assert.ok(!texts.includes(text), text);
      const calories = train.intents.find(({ id }) => id === 'clinc150/calories')!;
      assert.deepEqual(
        calories.lines.map(({ values }) => values),
        [{ food: 'banana' }, { food: 'rye bread' }, { food: 'dry rice' }, {}],
      );
      assert.deepEqual(train.intents.find(({ id }) => id === 'hwu64/news_query')!.lines[0]!.values, {
        news_topic: 'fog',
        place_name: 'graz',
      });
      const groups = new Set(table.map(({ group }) => group));
      const share = [...groups].filter(isHeldOut).length / groups.size;
      assert.ok(share > 0.07 && share < 0.2, String(share));
    } finally {
      rmSync(dir, { recursive: true });
    }
  });

  it('become dialogues whose values stand in the request, on tools renamed from set to set', () => {
    const dir = smallFolder();
    try {
      const people = loadPeople('train', dir);
      const r = Random.fromSeed('people');
      const names = new Set<string>();
      const kinds = new Set<string>();
      for (let i = 0; i < 120; i++) {
        for (const d of peopleDialogues(r, loadLexicon('train'), people)) {
          kinds.add(d.kind);
          d.tools.forEach((t) => names.add(t.name));
          assert.ok(d.tools.length >= 1 && d.tools.length <= 12);
          assert.equal(new Set(d.tools.map((t) => t.name)).size, d.tools.length);
          for (const call of d.gold)
            for (const value of Object.values(call.arguments))
              assert.ok(
                d.messages[0]!.content.includes(String(value)),
                `${String(value)} in ${d.messages[0]!.content}`,
              );
        }
      }
      assert.deepEqual([...kinds].sort(), ['person', 'personAsk', 'personNone']);
      assert.ok(names.size > 40, String(names.size));
    } finally {
      rmSync(dir, { recursive: true });
    }
  });

  it('are asked for with the way out where they are missing', () => {
    const old = process.env['COACH_INTENTS'];
    process.env['COACH_INTENTS'] = '/nowhere';
    try {
      assert.throws(
        () => loadPeople('train'),
        (error: { message: string; fix?: string }) => /no requests by people in \/nowhere/.test(error.message),
      );
    } finally {
      if (old === undefined) delete process.env['COACH_INTENTS'];
      else process.env['COACH_INTENTS'] = old;
    }
  });

  it('values are whole words that stand once', () => {
    assert.ok(isWhole('news about fog', 'fog'));
    assert.ok(!isWhole('foggy fog-horn', 'fog'));
    assert.ok(!isWhole('fog and fog', 'fog'));
  });

  it('of the real folder speak of nothing that is kept out, and can all be said', function () {
    if (!existsSync(data)) this.skip();
    const people = loadPeople('train', data);
    const lines = people.intents.flatMap((intent) => intent.lines.map(({ text }) => text));
    assert.ok(lines.length > 15_000);
    for (const text of lines) assert.doesNotMatch(text, KEPT_OUT);
    const held = new Set(loadPeople('heldOut', data).intents.map(({ group }) => group));
    assert.ok(people.intents.every(({ group }) => !held.has(group)));
    const stream = new PretrainStream(
      PieceTokenizer.load(nano),
      ChatTemplate.load(nano),
      loadLexicon('train'),
      'x',
      2048,
      0,
      [{ share: 1, make: (r, l) => peopleDialogues(r, l, people) }],
    );
    for (let i = 0; i < 25; i++)
      for (const d of stream.dialogues(i, 1)) assert.ok(stream.encode(d).weights.some((w) => w > 0));
  });
});
