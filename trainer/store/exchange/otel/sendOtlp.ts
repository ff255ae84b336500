/** OTLP over HTTP: one POST of JSON a batch. */
import { UserError } from '../../../protocol/result';
import type { TracesData } from './otlp';

const LIMIT_MS = 30_000;

/**
 * `http://host:4318` means its `/v1/traces`, as the exporter's specification says; a URL with a path is taken as it
 * is. @throws UserError
 */
export function tracesUrl(endpoint: string): string {
  let url: URL;
  try {
    url = new URL(endpoint);
  } catch {
    throw new UserError(
      'config',
      `--endpoint must be a URL, got ${endpoint}`,
      'For example: --endpoint http://localhost:4318',
    );
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new UserError(
      'config',
      `--endpoint must be http or https, got ${endpoint}`,
      'OTLP over gRPC is not spoken; collectors listen for HTTP on port 4318.',
    );
  if (url.pathname === '/' || url.pathname === '') url.pathname = '/v1/traces';
  return url.href;
}

/** `OTEL_EXPORTER_OTLP_HEADERS`: name=value,name=value, percent-encoded. */
export function headersFrom(text: string | undefined): Record<string, string> {
  return Object.fromEntries(
    (text ?? '').split(',').flatMap((pair) => {
      const at = pair.indexOf('=');
      return at < 1 ? [] : [[pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim())]];
    }),
  );
}

/** @throws UserError where the collector can't be reached or takes less than everything */
export async function sendOtlp(
  url: string,
  data: TracesData,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<void> {
  let reply: Response;
  let text: string;
  try {
    reply = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(data),
      signal: AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]),
    });
    text = await reply.text();
  } catch (error) {
    const cause = (error as { cause?: Error }).cause;
    throw new UserError(
      'storage',
      `${url}: can't be reached: ${cause?.message ?? (error as Error).message}`,
      'Start the collector, or write a file with --out DIR.',
    );
  }
  if (!reply.ok)
    throw new UserError(
      'storage',
      `${url}: refused the traces: ${reply.status} ${text.slice(0, 200)}`,
      'Keys for a collector go into OTEL_EXPORTER_OTLP_HEADERS, as name=value.',
    );
  const rejected = rejectedSpans(text);
  if (rejected !== null)
    throw new UserError('storage', `${url}: rejected some spans: ${rejected}`, 'See the log of the collector.');
}

function rejectedSpans(text: string): string | null {
  try {
    const { partialSuccess } = JSON.parse(text) as {
      partialSuccess?: { rejectedSpans?: string | number; errorMessage?: string };
    };
    return Number(partialSuccess?.rejectedSpans ?? 0) > 0
      ? `${partialSuccess!.rejectedSpans} ${partialSuccess!.errorMessage ?? ''}`
      : null;
  } catch {
    return null; // an empty reply, or one in another form: all was taken
  }
}
