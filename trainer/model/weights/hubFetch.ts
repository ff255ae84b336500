/**
 * `fetch` as the hub's library needs it: a range that is asked for is what comes. Some mirrors and proxies know no
 * ranges and send the whole file; then what was not asked for is dropped, and the connection ends behind it.
 */

/** @param signal ends every request */
export const hubFetch =
  (signal: AbortSignal): typeof fetch =>
  async (input, init) => {
    const response = await fetch(input, { ...init, signal });
    const range = /^bytes=(\d+)-(\d+)$/.exec(new Headers(init?.headers).get('Range') ?? '');
    if (range === null || response.status !== 200 || response.body === null) return response;
    const [first, last] = [Number(range[1]), Number(range[2])];
    const headers = new Headers(response.headers);
    // of what came compressed the length is another one
    const size = headers.has('Content-Encoding') ? null : headers.get('Content-Length');
    headers.set('Content-Range', `bytes ${first}-${last}/${size ?? '*'}`);
    headers.delete('Content-Length');
    return new Response(between(response.body, first, last + 1), { status: 206, headers });
  };

/** The bytes from `begin` until before `end`; then the source is let go, also where nobody reads what is left. */
function between(source: ReadableStream<Uint8Array>, begin: number, end: number): ReadableStream<Uint8Array> {
  const reader = source.getReader();
  let at = 0;
  return new ReadableStream({
    async pull(controller) {
      for (;;) {
        const { value, done } = await reader.read();
        if (done) return controller.close();
        const piece = value.subarray(Math.max(0, begin - at), Math.max(0, end - at));
        at += value.length;
        if (piece.length > 0) controller.enqueue(piece);
        if (at >= end) {
          await reader.cancel();
          return controller.close();
        }
        if (piece.length > 0) return;
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
