/** More parts than a request has acts. */
const MOST_PARTS = 8;
/** A shorter part says too little to be looked up by itself. */
const LEAST_WORDS = 3;

/**
 * A request as the acts that it asks for: its sentences. Split at "and" and "then" as well, requests for one tool were
 * found less often (ToolE, recall@1 of BM25 46 -> 42 %).
 */
export function partsOfRequest(request: string): string[] {
  const parts = request
    .split(/(?<=[.!?;])\s+|\n+/)
    .map((part) => part.trim())
    .filter((part) => part.split(/\s+/).length >= LEAST_WORDS);
  return parts.length > 1 ? parts.slice(0, MOST_PARTS) : [];
}
