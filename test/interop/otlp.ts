/** `coach export --to otel` against OpenTelemetry's protobuf schema, strictly. */
import { join } from 'node:path';
import { exportOtel, otelFile } from '../../trainer/app/cli/exportOtel';
import { newRun, sampleTrace } from '../store/runs/sample';
import { runPython } from '../bench/venv';
import type { Check } from './run';

export async function checkOtlp(folder: string, python: string, check: Check): Promise<void> {
  const run = newRun(folder, { runDir: join(folder, 'otel-run') });
  for (let i = 0; i < 60; i++) run.append({ type: 'traceRecorded', trace: run.recordTrace(sampleTrace(`t-${i}`)) });
  run.close();
  for (const content of [false, true]) {
    const out = join(folder, `otel-${content}`);
    const { traces, spans } = await exportOtel(run.dir, { content, to: { out }, signal: new AbortController().signal });
    const seen = runPython<{
      spans: number;
      names: string[];
      traceIdBytes: number[];
      spanIdBytes: number[];
      parented: boolean;
      ordered: boolean;
    }>(python, join(__dirname, 'otlp.py'), [join(out, otelFile)]);
    check(
      `opentelemetry-proto takes ${seen.spans} spans of ${traces} traces (${seen.names.join(', ')}), content ${content}`,
      seen.spans === spans &&
        seen.names.join() === 'chat,execute_tool,invoke_agent' &&
        seen.traceIdBytes.join() === '16' &&
        seen.spanIdBytes.join() === '8' &&
        seen.parented &&
        seen.ordered,
    );
  }
}
