import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Tokenizer as HfTokenizer } from '@huggingface/tokenizers';
import { Random } from '../../../trainer/base/random';
import { Tokenizer } from '../../../trainer/model/tokenizer/tokenizer';

const nano = resolve(__dirname, '../../../trainer/model/nano');

describe('ids as text', () => {
  const tokenizer = Tokenizer.load(nano);
  const library = new HfTokenizer(JSON.parse(readFileSync(join(nano, 'tokenizer.json'), 'utf8')), {});

  it('is what the library says, for whole characters, parts of them, marks, and ids that are no token', () => {
    const random = Random.fromSeed(7);
    const texts = ['grüße, 2026-03-14 “14 €” 你好 👩‍🚀', '\ufeffnaïve\n\t{"a":1}', ''];
    const drawn = Array.from({ length: 300 }, () =>
      Array.from({ length: 1 + random.int(6) }, () => random.int(tokenizer.vocabSize + 20)),
    );
    for (const ids of [...texts.map((text) => tokenizer.encode(text)), ...drawn])
      for (const keepSpecial of [true, false]) {
        const known = ids.filter((id) => id < tokenizer.vocabSize);
        const said = known.length
          ? library.decode(known, { skip_special_tokens: !keepSpecial, clean_up_tokenization_spaces: false })
          : '';
        assert.equal(tokenizer.decode(ids, keepSpecial), said, ids.join());
      }
    for (const text of texts) assert.equal(tokenizer.decode(tokenizer.encode(text), true), text);
  });
});
