/**
 * The product's words: none of the glossary's left side (design/house.md 3) in the sense that is listed there, and none
 * of the sentences that readers stumbled over.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

/** What is shown, by where it stands. */
function shown(): [where: string, text: string][] {
  const texts: [string, string][] = [];
  for (const file of ['webview/shared/strings.json', 'package.nls.json', 'l10n/bundle.l10n.json'])
    for (const [key, text] of Object.entries(JSON.parse(read(file)) as Record<string, string>))
      texts.push([`${file}: ${key}`, text]);
  for (const name of readdirSync(path.join(root, 'trainer/app/cli')))
    for (const [, single, double, template] of read(`trainer/app/cli/${name}`).matchAll(
      /'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g,
    )) {
      const text = single ?? double ?? template ?? '';
      if (text.includes(' ') && !text.startsWith('.')) texts.push([`trainer/app/cli/${name}`, text]);
    }
  return texts;
}

/**
 * The word to avoid, the one to take, and where the word may stand since it means something else there: `tries` is
 * also what a model does and each of several attempts at one task, `whole` and `held-out` are plain English.
 */
const WORDS: { word: RegExp; instead: string; exceptions: RegExp[] }[] = [
  {
    word: /\b(?:tries|play)\b/gi,
    instead: 'playground (where prompts are tried), attempts',
    exceptions: [
      /\$\(play\)/, // the icon
      /\$\{[^}]*\}/, // code of a template
      /--tries\b/, // an option of `coach maketool`
      /only tries\b/,
    ],
  },
  { word: /\blearnt\b/gi, instead: 'trained weights', exceptions: [] },
  { word: /\brooms?\b/gi, instead: 'dependencies', exceptions: [/\bno room (?:for|left)\b/, /room for /] },
  {
    word: /\bwhole\b/gi,
    instead: 'full fine-tuning; fused op',
    exceptions: [
      /whole (?:95 % interval|episode|run|model in one file|file|group|traces?|number|line|text)/i,
      /as a whole/,
    ],
  },
  {
    word: /\bheld\b/gi,
    instead: 'constrained; locked; pinned in the graph; compared with',
    exceptions: [/held[- ]out/i, /heldOut/],
  },
];

describe('words of the product', () => {
  const texts = shown();

  it('are there to be read', () => {
    assert.ok(texts.length > 1000, String(texts.length));
  });

  for (const { word, instead, exceptions } of WORDS)
    it(`use no ${word.source}: ${instead}`, () => {
      const found = texts.flatMap(([where, text]) => {
        const rest = exceptions.reduce((left, exception) => left.replace(new RegExp(exception, 'gi'), ''), text);
        return rest.match(word) ? [`${where}: ${text}`] : [];
      });
      assert.deepEqual(found, []);
    });

  it('has none of the sentences that readers stumbled over', () => {
    const odd =
      /Enter takes it|As what\?|is held against|of the form that the base has|costs? (?:are )?not told|^\[ .* items \]|\} ties\b|^\|Δ log p\|/;
    assert.deepEqual(
      texts.filter(([, text]) => odd.test(text)),
      [],
    );
  });
});
