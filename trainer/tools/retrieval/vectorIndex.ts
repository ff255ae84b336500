import type { Part, ToolDocument } from './documents';
import type { Ranked } from './keywordIndex';

/** A text as a direction of length 1; null: nothing of it is known. Of a model (model/encoder), or of a test. */
export interface Embedder {
  /** Vectors of two embedders are never compared. */
  readonly id: string;
  embed(text: string): Float32Array | null;
}

/** Cosines with every document; exact, since even thousands of tools are few. */
export class VectorIndex {
  private readonly vectors = new Map<string, Float32Array>();

  constructor(
    private readonly embedder: Embedder,
    private readonly parts: readonly Part[],
  ) {}

  add({ name, parts }: ToolDocument): void {
    const text = this.parts.map((part) => parts[part]).join(' ');
    const vector = this.embedder.embed(text);
    if (vector) this.vectors.set(name, vector);
  }

  remove({ name }: Pick<ToolDocument, 'name'>): void {
    this.vectors.delete(name);
  }

  find(query: string, most: number): Ranked[] {
    const wanted = this.embedder.embed(query);
    if (!wanted) return [];
    const all = Array.from(this.vectors, ([name, vector]) => ({ name, score: product(vector, wanted) }));
    return all.sort(best).slice(0, most);
  }
}

/** Of equal ones the first by name, so that the same tools are found again. */
export const best = (a: Ranked, b: Ranked): number => b.score - a.score || (a.name < b.name ? -1 : 1);

function product(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}
