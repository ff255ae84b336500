/**
 * Which few of many tools a request is about: Toolshed (arXiv:2410.14594), kept in step as ScaleMCP does (2505.06416).
 */
import { toolDocument, type Enrichment, type FindableTool, type Part, type ToolDocument } from './documents';
import { KeywordIndex, type Ranked } from './keywordIndex';
import { QuestionIndex } from './questionIndex';
import { partsOfRequest } from './requestParts';
import { best, VectorIndex, type Embedder, type PartWeights } from './vectorIndex';

export interface ToolIndexOptions {
  /** null: by words alone. */
  embedder: Embedder | null;
  /** Whether words take part where there is an embedder; default: true. */
  byWords?: boolean;
  /** Parts of documents that are indexed; default: all. Questions are looked up one by one. */
  parts?: readonly Part[];
  /** Of these, what is embedded; default: all but parameters. */
  vectorParts?: readonly Part[];
  /**
   * A document is one vector, the average of its parts' by these weights; default: a text, and each question by itself.
   */
  weights?: PartWeights | undefined;
  /** Of a tool's questions so many are embedded, evenly spread; default: all. */
  embeddedQuestions?: number;
  /** Of a writer; default: nothing is added to a tool's own words. */
  enrich?(tool: FindableTool): Enrichment;
  /** Whether a request is also looked up by its parts; default: true. */
  decomposes?: boolean;
}

/** What `sync` did, by the tools' names. */
export interface Changes {
  created: string[];
  updated: string[];
  deleted: string[];
}

/** Of each list so many take part. */
const POOL = 50;
/** Share of the words' score beside the vectors', each stretched to [0, 1]. Found on ToolE's `similar`, n 995. */
const WORDS = 0.4;
/** Share of the cosine with the nearest question beside the rest. Found on halves of training requests. */
const QUESTIONS = 0.8;
const ALL_PARTS: readonly Part[] = ['name', 'description', 'parameters', 'questions', 'topics'];

export class ToolIndex {
  private readonly documents = new Map<string, ToolDocument>();
  private readonly keywords: KeywordIndex | null;
  private readonly vectors: VectorIndex | null;
  private readonly questions: QuestionIndex | null;
  /** Name -> hash of the tool as it was given, before anything was added to it. */
  private readonly given = new Map<string, string>();

  constructor(private readonly options: ToolIndexOptions) {
    const {
      embedder,
      byWords = true,
      parts = ALL_PARTS,
      vectorParts = parts.filter((part) => part !== 'parameters'),
    } = options;
    const words = byWords || !embedder;
    this.keywords = words ? new KeywordIndex(parts.filter((part) => part !== 'questions')) : null;
    this.questions = words && parts.includes('questions') ? new QuestionIndex() : null;
    this.vectors = embedder && new VectorIndex(embedder, vectorParts, options);
  }

  get size(): number {
    return this.documents.size;
  }

  /** Makes the index hold exactly these tools; one that has not changed is not computed again. */
  sync(tools: readonly FindableTool[]): Changes {
    const changes: Changes = { created: [], updated: [], deleted: [] };
    const names = new Set(tools.map(({ name }) => name));
    for (const name of [...this.documents.keys()].filter((known) => !names.has(known))) {
      this.forget(name);
      changes.deleted.push(name);
    }
    for (const tool of tools) {
      const { hash } = toolDocument(tool);
      if (this.given.get(tool.name) === hash) continue;
      changes[this.documents.has(tool.name) ? 'updated' : 'created'].push(tool.name);
      this.forget(tool.name);
      this.given.set(tool.name, hash);
      const document = toolDocument(tool, this.options.enrich?.(tool));
      this.documents.set(tool.name, document);
      this.keywords?.add(document);
      this.vectors?.add(document);
      this.questions?.add(document);
    }
    return changes;
  }

  /** The best first, with scores in [0, 1]. Nothing fits: an empty list. */
  find(request: string, most: number): Ranked[] {
    const parts = this.options.decomposes === false ? [] : partsOfRequest(request);
    const lists = [request, ...parts].map((text) => this.look(text));
    return (lists.length === 1 ? lists[0]! : byBestRank(lists)).slice(0, most);
  }

  private look(text: string): Ranked[] {
    const [words, vectors] = [this.keywords?.find(text, POOL), this.vectors?.find(text, POOL)];
    const found =
      words && vectors ? combined(stretched(words), stretched(vectors), 1 - WORDS) : stretched(words ?? vectors ?? []);
    const asked = this.questions?.find(text, POOL) ?? [];
    return asked.length > 0 ? combined(found, asked, QUESTIONS) : found;
  }

  private forget(name: string): void {
    const document = this.documents.get(name);
    this.given.delete(name);
    if (!document) return;
    this.documents.delete(name);
    this.keywords?.remove(document);
    this.vectors?.remove(document);
    this.questions?.remove(document);
  }
}

/** Scores as shares of the way from the last to the best: then lists of two kinds can be added. */
function stretched(list: readonly Ranked[]): Ranked[] {
  const [first, last] = [list[0]?.score ?? 0, list.at(-1)?.score ?? 0];
  return list.map(({ name, score }) => ({ name, score: first === last ? 1 : (score - last) / (first - last) }));
}

/**
 * Convex combination (Bruch et al. 2023, arXiv:2210.11934); better here than reciprocal ranks (test/bench/README.md).
 * @param share of the second list
 */
function combined(first: readonly Ranked[], second: readonly Ranked[], share: number): Ranked[] {
  const scores = new Map(first.map(({ name, score }) => [name, (1 - share) * score]));
  for (const { name, score } of second) scores.set(name, (scores.get(name) ?? 0) + share * score);
  return Array.from(scores, ([name, score]) => ({ name, score })).sort(best);
}

/** What is first for the whole or for one of its parts comes first: each act of a request needs its own tool. */
function byBestRank(lists: readonly (readonly Ranked[])[]): Ranked[] {
  const scores = new Map<string, number>();
  for (const list of lists)
    list.forEach(({ name }, rank) => scores.set(name, Math.max(scores.get(name) ?? 0, 1 / (1 + rank))));
  return Array.from(scores, ([name, score]) => ({ name, score })).sort((a, b) => b.score - a.score);
}
