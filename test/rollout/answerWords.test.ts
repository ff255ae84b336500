import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { Random } from '../../trainer/base/random';
import { AnswerWords, FUNCTION_WORDS, wordsOf } from '../../trainer/model/decoding/constrained/answerWords';
import { CallGrammar } from '../../trainer/model/decoding/constrained/callGrammar';
import { constraintOf } from '../../trainer/rollout/policy/sampling';
import { ChatTemplate } from '../../trainer/model/tokenizer/chatTemplate';
import { Tokenizer } from '../../trainer/model/tokenizer/tokenizer';

const folder = resolve(__dirname, '../../trainer/model/nano');
const tokenizer = Tokenizer.load(folder);
const tools = [
  {
    name: 'startOven',
    description: 'Start the oven.',
    parameters: {
      type: 'object',
      properties: {
        degrees: { type: 'integer' },
        tags: { type: 'array', items: { type: 'string' } },
        plan: {
          type: 'object',
          properties: { name: { type: 'string' }, minutes: { type: 'integer' } },
          required: ['name'],
        },
      },
    },
  },
];
const said = 'Heat the milk to 2.5 for Ann-Marie by 2026-03-14';
const ids = tokenizer.encode(said);
const grammar = new CallGrammar(tokenizer, tools, true, true);
const source = { ids, ranges: [[0, ids.length]] as [number, number][] };

/** How much of the text the answer may begin with; all of it, and an end behind: true. */
function canSay(text: string): true | string {
  const turn = grammar.turn(source);
  let written = '';
  for (const id of tokenizer.encode(text)) {
    if (!turn.advance(id)) return written;
    written += tokenizer.tokenText(id);
  }
  return turn.advance(tokenizer.idOf('<|end|>')) || `${written}…`;
}

describe('a grammar of answers', () => {
  it('says words of the request, names of tools and parameters, and function words', () => {
    for (const text of [
      'It is 2.5.',
      'Done: Ann-Marie, 2026-03-14!',
      'The milk is for Ann and Marie.',
      'I can use startOven.',
      'Which degrees?',
      "I can't start that.",
      'heat',
      'Milk: 2.5, 2026',
    ])
      assert.equal(canSay(text), true, text);
  });

  it('invents no word, no part of one, and no number', () => {
    assert.equal(canSay('I made heaty milk.'), 'I made heat');
    assert.notEqual(canSay('The mil is 2.5.'), true);
    assert.notEqual(canSay('It is 2.57.'), true);
    assert.notEqual(canSay('It is 2027-03-14.'), true);
    assert.notEqual(canSay('It is for Bob.'), true);
  });

  it('reads the words of a result, also behind an escape and in camelCase', () => {
    assert.deepEqual(
      [...wordsOf('{"createdAt":"caf\\u00e9\\nBar"}')]
        .filter((w) => /^(created|At|café|Bar|createdAt)$/.test(w))
        .sort(),
      ['At', 'Bar', 'café', 'created', 'createdAt'].sort(),
    );
  });

  it('never comes to a place where nothing may follow', () => {
    const random = Random.fromSeed('answers');
    const allowedWords = wordsOf(`${said} ${FUNCTION_WORDS.join(' ')} startOven degrees tags plan name minutes`);
    for (let i = 0; i < 60; i++) {
      const turn = grammar.turn(source);
      const written: number[] = [];
      while (!turn.isDone && written.length < 60) {
        const allowed = [...turn.allowed()].filter((id) => id !== tokenizer.idOf('<|call|>'));
        assert.ok(allowed.length > 0, tokenizer.decode(written, true));
        const id = random.pick(allowed);
        assert.ok(turn.advance(id));
        written.push(id);
      }
      const text = tokenizer.decode(written, false);
      if (turn.isDone)
        for (const word of text.match(/[\p{L}]{3,}/gu) ?? [])
          assert.ok(
            [...allowedWords].some((known) => known.includes(word)),
            `${word} in ${text}`,
          );
    }
  });

  it('leaves the first word of an answer to so many ids that it is sampled as text and not as a call', () => {
    const turn = grammar.turn({ ids: [], ranges: [] });
    assert.ok(turn.allowed().length >= tokenizer.vocabSize / 8, String(turn.allowed().length));
    assert.ok(new AnswerWords(tokenizer, tools).states({ ids: [], ranges: [] }, () => []).length > 0);
  });

  it('is on for the embedded model, and named in the run', () => {
    assert.equal(constraintOf('auto', true), 'schema+spans+words');
    assert.equal(constraintOf('auto', false), 'none');
    assert.equal(constraintOf('schema+spans', true), 'schema+spans');
  });
});

describe('calls with objects and lists within', () => {
  it('stand in a gold dialogue as the sampler writes them', () => {
    const template = ChatTemplate.load(folder);
    const call = {
      name: 'startOven',
      arguments: {
        degrees: 2,
        tags: ['milk', 'heat'].map((w) => (w === 'heat' ? 'Heat' : w)),
        plan: { name: 'Ann-Marie', minutes: 14 },
      },
    };
    const text = template.render(
      [
        { role: 'user', content: 'Heat milk: degrees 2, 14 for Ann-Marie' },
        { role: 'assistant', content: '', tool_calls: [{ id: 'a', type: 'function', function: call }] },
      ],
      tools,
      false,
    );
    const all = tokenizer.encode(text);
    const [user, assistant] = [all.indexOf(tokenizer.idOf('<|user|>')), all.indexOf(tokenizer.idOf('<|assistant|>'))];
    const turn = grammar.turn({ ids: all, ranges: [[user + 1, assistant]] });
    for (const id of all.slice(assistant + 1)) assert.ok(turn.advance(id), `${tokenizer.tokenText(id)} in ${text}`);
    assert.ok(turn.isDone);
  });
});
