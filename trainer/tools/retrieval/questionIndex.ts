import type { ToolDocument } from './documents';
import type { Ranked } from './keywordIndex';
import { termDirection } from './termDirection';
import { best } from './vectorIndex';

/** All words, since "any" and "tell" say in few tools which is meant; each number is one: m18 is m17. */
const termsOf = (text: string): string[] =>
  (text.toLowerCase().match(/\p{L}+|\d+/gu) ?? []).map((term) => (/^\d/.test(term) ? '0' : term));

interface Weighed {
  idf(term: string): number;
  /** term -> where it stands, with its share of that question's direction of length 1 */
  postings: ReadonlyMap<string, readonly { tool: string; question: number; share: number }[]>;
}

/**
 * By the nearest of a tool's questions: the cosine of term frequencies, each times its inverse document frequency
 * (TF-IDF, Salton and Buckley 1988), so each question is a document of its own. How often words are depends on all
 * questions: they are weighed at the first look-up behind a change, in time linear in them.
 */
export class QuestionIndex {
  private readonly questions = new Map<string, readonly string[][]>();
  private weighed: Weighed | null = null;

  add({ name, parts }: Pick<ToolDocument, 'name' | 'parts'>): void {
    if (parts.questions === '') return;
    this.questions.set(name, parts.questions.split('\n').map(termsOf));
    this.weighed = null;
  }

  remove({ name }: Pick<ToolDocument, 'name'>): void {
    if (this.questions.delete(name)) this.weighed = null;
  }

  /** Scores are cosines, over 0. */
  find(query: string, most: number): Ranked[] {
    if (this.questions.size === 0) return [];
    const { idf, postings } = (this.weighed ??= weigh(this.questions));
    const cosines = new Map<number, { name: string; score: number }>();
    for (const [term, asked] of termDirection(termsOf(query), idf))
      for (const { tool, question, share } of postings.get(term) ?? []) {
        const known = cosines.get(question) ?? { name: tool, score: 0 };
        cosines.set(question, { name: tool, score: known.score + asked * share });
      }
    const nearest = new Map<string, number>();
    for (const { name, score } of cosines.values()) nearest.set(name, Math.max(nearest.get(name) ?? 0, score));
    return Array.from(nearest, ([name, score]) => ({ name, score }))
      .sort(best)
      .slice(0, most);
  }
}

function weigh(questions: ReadonlyMap<string, readonly string[][]>): Weighed {
  const all = [...questions].flatMap(([tool, texts]) => texts.map((terms) => ({ tool, terms })));
  const within = new Map<string, number>();
  for (const { terms } of all) for (const term of new Set(terms)) within.set(term, (within.get(term) ?? 0) + 1);
  const idf = (term: string): number => Math.log(1 + all.length / (1 + (within.get(term) ?? 0)));
  const postings = new Map<string, { tool: string; question: number; share: number }[]>();
  all.forEach(({ tool, terms }, question) => {
    for (const [term, share] of termDirection(terms, idf)) {
      const list = postings.get(term);
      if (list) list.push({ tool, question, share });
      else postings.set(term, [{ tool, question, share }]);
    }
  });
  return { idf, postings };
}
