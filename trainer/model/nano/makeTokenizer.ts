import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '../../base/random';
import { ChatTemplate } from '../tokenizer/chatTemplate';
import { PIECES, trainBpe } from './bpe';
import { makeDialogues } from './dialogue';
import { loadLexicon } from './words';

/** `npm run pretrain -- tokenizer`: writes tokenizer.json, from a seeded sample of the training dialogues. */
export function makeTokenizer(folder: string, vocabSize: number, dialogues: number): number {
  const r = Random.fromSeed('tokenizer');
  const lexicon = loadLexicon('train');
  const counts = new Map<string, number>();
  const template = ChatTemplate.load(folder);
  const regex = new RegExp(PIECES, 'g');
  for (let i = 0; i < dialogues; i++) {
    for (const d of makeDialogues(r, lexicon, 0.9))
      for (const piece of template.render(d.messages, d.tools, false).match(regex) ?? [])
        counts.set(piece, (counts.get(piece) ?? 0) + 1);
  }
  // frequent words should be one token, rare and invented ones pieces of their letters
  const damped = new Map([...counts].filter(([, n]) => n > 1).map(([p, n]) => [p, Math.ceil(Math.sqrt(n) * 10)]));
  for (const w of lexicon.words) damped.set(w, (damped.get(w) ?? 0) + 5);
  const json = trainBpe(damped, vocabSize);
  writeFileSync(join(folder, 'tokenizer.json'), JSON.stringify(json));
  return Object.keys((json.model as { vocab: object }).vocab).length;
}
