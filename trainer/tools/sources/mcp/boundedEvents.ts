/** `fetch` for a server's answers and its stream of events, which goes on as long as the session. */
import { OverlongReply } from '../../../base/boundedFetch';

const NEWLINE = 10;

/**
 * @param maxBytes of a whole answer; of a stream of events: of one line, so of one message
 * @param onOverlong called once the body has gone beyond it; the body ends there with OverlongReply
 */
export function boundedEvents(maxBytes: number, onOverlong: (error: OverlongReply) => void): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const isRedirect = response.status >= 300 && response.status < 400;
    if (response.body === null || isRedirect) return response;
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
    let bytes = 0;
    const counted = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        const lineEnd = isStream ? chunk.indexOf(NEWLINE) : -1;
        bytes += lineEnd < 0 ? chunk.byteLength : lineEnd;
        if (bytes > maxBytes) {
          const error = new OverlongReply(maxBytes);
          onOverlong(error);
          throw error;
        }
        if (lineEnd >= 0) bytes = chunk.byteLength - chunk.lastIndexOf(NEWLINE) - 1;
        controller.enqueue(chunk);
      },
    });
    return new Response(response.body.pipeThrough(counted), response);
  };
}
