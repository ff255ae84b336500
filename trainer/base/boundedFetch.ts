/** More than any list of models or verdict has; what lies beyond is never held. */
const MAX_REPLY_BYTES = 8 << 20;

/** A reply that went on and on. */
export class OverlongReply extends Error {
  constructor(maxBytes: number) {
    super(`the reply is longer than ${maxBytes >> 20} MiB`);
  }
}

/** Statuses whose Response must have no body. */
const BODILESS = new Set([101, 204, 205, 304]);

/**
 * `fetch` that ends when the whole body has come, so that whoever aborts it after a time limit bounds the reply and not
 * its headers alone.
 * Bytes are counted as they come out of the decompressor, one chunk at a time: a small body that unpacks to a large one
 * is cut off, too.
 *
 * @throws OverlongReply beyond maxBytes, or what fetch throws
 */
export function boundedFetch(maxBytes = MAX_REPLY_BYTES): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const { status, statusText } = response;
    const headers = new Headers(response.headers);
    // of the body as it travelled
    for (const name of ['content-encoding', 'content-length', 'transfer-encoding']) headers.delete(name);
    if (response.body === null || BODILESS.has(status)) return new Response(null, { status, statusText, headers });
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      bytes += chunk.byteLength;
      // leaving the loop cancels the body and closes its connection
      if (bytes > maxBytes) throw new OverlongReply(maxBytes);
      chunks.push(chunk);
    }
    return new Response(Buffer.concat(chunks), { status, statusText, headers });
  };
}
