import { openEncoder } from '../../model/encoder/encoder';
import type { FindableTool } from '../../tools/retrieval/documents';
import type { Ranked } from '../../tools/retrieval/keywordIndex';
import { ToolIndex } from '../../tools/retrieval/toolIndex';

/**
 * Which tools a request is about, the best first.
 * @returns by: whether the sentence encoder was there; without it words alone decide
 */
export function findTools(
  request: string,
  tools: readonly FindableTool[],
  most: number,
): { found: Ranked[]; by: 'words' | 'both' } {
  const encoder = openEncoder();
  try {
    const index = new ToolIndex({ embedder: encoder });
    index.sync(tools);
    return { found: index.find(request, most), by: encoder ? 'both' : 'words' };
  } finally {
    encoder?.close();
  }
}
