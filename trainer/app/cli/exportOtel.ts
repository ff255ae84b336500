/** `coach export --to otel`: into a file of OTLP/JSON lines, or to a collector. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { otlpOf } from '../../store/exchange/otel/exportOtlp';
import { headersFrom, sendOtlp, tracesUrl } from '../../store/exchange/otel/sendOtlp';
import { UserError } from '../../protocol/result';
import { LineWriter } from '../../base/jsonLines';
import { readTools, readTrace, requireManifest, traceSummaries } from '../../store/runs/readRun';
import { storing } from '../../base/storage';

export const otelFile = 'traces.otlp.jsonl';
const BATCH = 50;

export interface OtelOptions {
  content: boolean;
  /** a folder, or a collector's URL */
  to: { out: string } | { endpoint: string };
  signal: AbortSignal;
}

/** One line, or one request, holds a batch of traces; a run of any size is read trace by trace. */
export async function exportOtel(
  dir: string,
  { content, to, signal }: OtelOptions,
): Promise<{ traces: number; spans: number }> {
  const { versions } = requireManifest(dir, { readOnly: true });
  const tools = readTools(dir);
  const summaries = traceSummaries(dir).filter((s) => !s.superseded);
  if (summaries.length === 0)
    throw new UserError('task', `${dir}: has no traces yet`, 'Let it go on, or choose another run.');
  const url = 'endpoint' in to ? tracesUrl(to.endpoint) : null;
  const headers = headersFrom(process.env['OTEL_EXPORTER_OTLP_HEADERS']);
  if ('out' in to) storing(to.out, () => mkdirSync(to.out, { recursive: true }));
  const writer = 'out' in to ? LineWriter.open(join(to.out, otelFile)) : null;
  let spans = 0;
  try {
    for (let from = 0; from < summaries.length && !signal.aborted; from += BATCH) {
      const data = otlpOf(
        summaries.slice(from, from + BATCH).map((summary) => readTrace(dir, summary)),
        { content, tools, version: versions['coach'] ?? 'unknown' },
      );
      spans += data.resourceSpans.reduce(
        (n, r) => n + (r.scopeSpans ?? []).reduce((m, s) => m + (s.spans?.length ?? 0), 0),
        0,
      );
      writer?.append(data);
      if (url !== null) await sendOtlp(url, data, headers, signal);
    }
    writer?.sync();
  } finally {
    writer?.close();
  }
  return { traces: summaries.length, spans };
}
