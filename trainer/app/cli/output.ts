/**
 * Where a command's words go: results to stdout, progress to stdout too, or to stderr where stdout is for JSON. The one
 * door to the terminal: whatever a model, a tool or a file put into the words, no control character of it leaves here.
 */
import { durationText } from '../../protocol/duration';
import { visible, visibleJson } from '../../protocol/visible';

export interface Streams {
  stdout: { write(text: string): unknown; isTTY?: boolean | undefined };
  stderr: { write(text: string): unknown; isTTY?: boolean | undefined; columns?: number | undefined };
}

export class Output {
  private bar = '';

  constructor(
    private readonly streams: Streams,
    readonly isJson: boolean,
  ) {}

  /** The result for people; nothing with --json. */
  text(line: string): void {
    if (this.isJson) return;
    this.clearBar();
    this.streams.stdout.write(`${visible(line)}\n`);
  }

  /** The result for programs: one line, only with --json. */
  json(value: unknown): void {
    if (this.isJson) this.streams.stdout.write(`${visibleJson(JSON.stringify(value))}\n`);
  }

  /** Lines of JSON on stdout, for a file. */
  data(jsonl: string): void {
    this.streams.stdout.write(visibleJson(jsonl));
  }

  /** What happens meanwhile. */
  progress(line: string): void {
    this.clearBar();
    this.progressStream.write(`${visible(line)}\n`);
  }

  /** Warnings and errors. */
  warn(line: string): void {
    this.clearBar();
    this.streams.stderr.write(`${visible(line)}\n`);
  }

  /** True where a bar can be drawn over itself. */
  get hasBar(): boolean {
    return this.progressStream.isTTY === true;
  }

  /** Draws the one line that is drawn anew; call only with hasBar. */
  showBar(line: string): void {
    const width = this.streams.stderr.columns ?? 80;
    this.bar = visible(line.replace(/[\r\n\t]+/g, ' ')).slice(0, width - 1);
    this.progressStream.write(`\r${this.bar}\x1b[K`);
  }

  clearBar(): void {
    if (this.bar !== '') this.progressStream.write('\r\x1b[K');
    this.bar = '';
  }

  private get progressStream(): Streams['stdout'] {
    return this.isJson ? this.streams.stderr : this.streams.stdout;
  }
}

export const percent = (fraction: number): string => `${(100 * fraction).toFixed(1)} %`;
export const points = (fraction: number): string =>
  `${fraction >= 0 ? '+' : '-'}${Math.abs(100 * fraction).toFixed(1)}`;

export const duration = (seconds: number): string => durationText(1000 * seconds);

/** Columns as wide as their widest cell. */
export function table(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => [...(row[column] ?? '')].length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
