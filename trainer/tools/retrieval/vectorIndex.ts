import { evenly } from '../../base/evenly';
import type { Part, ToolDocument } from './documents';
import type { Ranked } from './keywordIndex';

/** A text as a direction of length 1; null: nothing of it is known. Of a model (model/encoder), or of a test. */
export interface Embedder {
  /** Vectors of two embedders are never compared. */
  readonly id: string;
  embed(text: string): Float32Array | null;
}

export type PartWeights = Partial<Record<Part, number>>;
/** ScaleMCP's second weighting (arXiv:2505.06416), which leaves parameters out as this index does. */
export const SCALE_MCP_WEIGHTS: PartWeights = { name: 0.2, description: 0.3, questions: 0.5 };

export interface VectorIndexOptions {
  /** A document is one direction, the weighted average of its parts'; default: as VectorIndex says. */
  weights?: PartWeights | undefined;
  /** Of a tool's questions so many are read, evenly spread; default: all. */
  embeddedQuestions?: number;
}

/**
 * Cosines with every document; exact, since even thousands of tools are few. A document's synthetic questions are
 * directions of their own, and its nearest counts: of 20 in one text, as Toolshed has it, each says less
 * (test/bench/README.md).
 */
export class VectorIndex {
  private readonly vectors = new Map<string, readonly Float32Array[]>();

  constructor(
    private readonly embedder: Embedder,
    private readonly parts: readonly Part[],
    private readonly options: VectorIndexOptions = {},
  ) {}

  add(document: ToolDocument): void {
    const { weights } = this.options;
    const vectors = weights ? this.averaged(document.parts, weights) : this.eachOf(document.parts);
    if (vectors.length > 0) this.vectors.set(document.name, vectors);
  }

  private eachOf(parts: ToolDocument['parts']): Float32Array[] {
    const own = this.parts.flatMap((part) => (part === 'questions' ? [] : [parts[part]])).join(' ');
    const questions = this.parts.includes('questions') ? this.linesOf(parts, 'questions') : [];
    return [own, ...questions].flatMap((text) => this.embedder.embed(text) ?? []);
  }

  /** A part of several lines, such as questions, is the mean of theirs. None where nothing of it is known. */
  private averaged(parts: ToolDocument['parts'], weights: PartWeights): Float32Array[] {
    const sum: number[] = [];
    for (const part of this.parts) {
      const texts = this.linesOf(parts, part);
      const vectors = texts.flatMap((text) => this.embedder.embed(text) ?? []);
      for (const vector of vectors)
        vector.forEach((x, i) => (sum[i] = (sum[i] ?? 0) + ((weights[part] ?? 0) * x) / vectors.length));
    }
    const length = Math.hypot(...sum);
    return length > 0 ? [Float32Array.from(sum, (x) => x / length)] : [];
  }

  private linesOf(parts: ToolDocument['parts'], part: Part): string[] {
    const lines = parts[part] === '' ? [] : parts[part].split('\n');
    const most = part === 'questions' ? (this.options.embeddedQuestions ?? lines.length) : lines.length;
    return evenly(lines, most);
  }

  remove({ name }: Pick<ToolDocument, 'name'>): void {
    this.vectors.delete(name);
  }

  find(query: string, most: number): Ranked[] {
    const wanted = this.embedder.embed(query);
    if (!wanted) return [];
    const all = Array.from(this.vectors, ([name, vectors]) => ({
      name,
      score: Math.max(...vectors.map((vector) => product(vector, wanted))),
    }));
    return all.sort(best).slice(0, most);
  }
}

/** Of equal ones the first by name, so that the same tools are found again. */
export const best = (a: Ranked, b: Ranked): number => b.score - a.score || (a.name < b.name ? -1 : 1);

/** The cosine of two directions. */
export function product(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}
