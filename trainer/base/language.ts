/**
 * Whether a request or a description is in another language than English, which is all that the embedded model was
 * trained on. By scripts and by the commonest words, which every few words of a language hold; what is too short to
 * tell counts as English. Words that several languages share (in, is, was) say nothing.
 */
const ENGLISH = words(`
  a an the of to are be been on and or for my me i you it its we our us your what which when where who how can
  could would will please with at do does did from by this that there have has get give show find tell need want not no
  if so as about any all into let much many
`);

/** Words that English has not, or seldom. */
const OTHERS: readonly (readonly [language: string, words: ReadonlySet<string>])[] = [
  [
    'German',
    words(`der das und ist nicht ein eine einen einer eines ich mir mich bitte für mit auf wann wird kann kannst dem zu
      zum zur von es sie wir wie heute morgen welche welcher gibt gerade nach bei ob oder zwischen zwei sucht meine mein
      den des im aus über sich wo sind hat`),
  ],
  [
    'French',
    words(`le la les des une un est et pour dans avec quel quelle quels je vous moi mon mes ce du au aux sur pas que qui
      il elle nous de se peux veux combien où à cherche entre`),
  ],
  [
    'Spanish',
    words(`el la los las una es por para con qué que cuál mi mis del en está quiero dame de al y se cuánto dónde busca
      entre hay`),
  ],
  [
    'Italian',
    words(`il lo gli una è per con che quale mi del della dei di sono vorrei e nel quanto dove cerca tra un`),
  ],
  ['Portuguese', words(`os uma é para com que qual meu minha do da não em um quero de onde quanto busca entre há`)],
  ['Dutch', words(`de het een en voor met wat ik mijn van op kan niet naar hoe welke zijn er zoek waar of tussen`)],
  [
    'a Scandinavian language',
    words(`och att det är ett en för med på jag hur kan inte av til der ikke jeg hvad hvor er og min mitt vad`),
  ],
  ['Polish', words(`jest w na się nie czy jak do mi proszę dla i z co ile gdzie od`)],
  ['Turkish', words(`bir ve bu için ne mi nasıl bana nerede kaç var ile`)],
];

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}

/** The language's name, or what is known of it; null: English, as far as one can tell. */
export function otherLanguage(text: string): string | null {
  const letters = text.match(/\p{L}/gu) ?? [];
  const latin = text.match(/\p{Script=Latin}/gu) ?? [];
  if (letters.length > 0 && latin.length * 2 < letters.length) return 'another script';
  const said = (text.toLowerCase().match(/\p{L}+/gu) ?? []) as string[];
  const count = (known: ReadonlySet<string>): number => new Set(said.filter((word) => known.has(word))).size;
  const english = count(ENGLISH);
  const [best] = OTHERS.map(([language, known]) => ({ language, hits: count(known) })).sort((a, b) => b.hits - a.hits);
  return best!.hits >= 2 && best!.hits > english ? best!.language : null;
}

/** From this share of a file's requests on they are said to be out of reach. */
const SHARE = 0.05;

/** @returns how many are in another language, and the first of them; null where they are too few to speak of */
export function inOtherLanguage<T>(
  items: readonly T[],
  textOf: (item: T) => string,
): { n: number; first: T; language: string } | null {
  const found = items.flatMap((item) => {
    const language = otherLanguage(textOf(item));
    return language === null ? [] : [{ item, language }];
  });
  if (found.length === 0 || found.length < SHARE * items.length) return null;
  return { n: found.length, first: found[0]!.item, language: found[0]!.language };
}
