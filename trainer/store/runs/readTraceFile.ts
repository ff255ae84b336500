/**
 * Traces out of any JSON lines file, be it of a run or of somebody else: piece by piece, and what is none is named by
 * its line.
 */
import { closeSync, fstatSync, readSync } from 'node:fs';
import type { LineProblem } from '../../protocol/preferences';
import { UserError } from '../../protocol/result';
import type { TraceSummary } from '../../protocol/trace';
import { parseTrace } from './readRun';
import { summarizeTrace } from './traceSummary';
import { openToRead } from '../../base/storage';

/** A reply must not keep the other requests waiting for long. */
const PIECE_BYTES = 16 << 20;
/** No trace is this long; a file without line ends must not fill the memory. */
const LINE_BYTES = 256 << 20;
/** A file of nothing but nonsense is told once, not a million times. */
const MAX_PROBLEMS = 100;
const NEW_LINE = 10;

export interface TraceFilePiece {
  /** file: '' (the file is the one asked for); line counts from 1 */
  traces: (TraceSummary & { line: number; model: string })[];
  problems: LineProblem[];
  nextByte: number;
  /** lines read so far */
  nextLine: number;
  /** the end of the file was reached; more may be appended later */
  isWhole: boolean;
}

/** @throws UserError where the file can't be read */
export function readTraceFile(
  file: string,
  { fromByte, fromLine }: { fromByte: number; fromLine: number },
  pieceBytes = PIECE_BYTES,
): TraceFilePiece {
  const { bytes, size } = readPiece(file, fromByte, pieceBytes);
  const piece: TraceFilePiece = { traces: [], problems: [], nextByte: fromByte, nextLine: fromLine, isWhole: false };
  let start = 0;
  for (let end = bytes.indexOf(NEW_LINE); end >= 0; end = bytes.indexOf(NEW_LINE, start)) {
    takeLine(piece, bytes.toString('utf8', start, end), end - start + 1);
    start = end + 1;
  }
  const rest = bytes.length - start;
  piece.isWhole = fromByte + bytes.length >= size;
  if (!piece.isWhole && piece.nextByte === fromByte) {
    // Not one end of line in the whole piece.
    if (pieceBytes < LINE_BYTES) return readTraceFile(file, { fromByte, fromLine }, pieceBytes * 4);
    throw new UserError(
      'storage',
      `${file}: line ${fromLine + 1} is longer than ${LINE_BYTES >> 20} MiB, so it is no trace`,
      'Trace files hold one JSON object a line.',
    );
  }
  // A last line without its end: whole where somebody edited it, torn where it is being written or was cut off.
  if (piece.isWhole && rest > 0) {
    const text = bytes.toString('utf8', start);
    if (parseTrace(text).ok) takeLine(piece, text, rest);
    else if (text.trim() !== '') note(piece, fromLineOf(piece), 'is torn: it ends in the middle of a trace');
  }
  return piece;
}

const fromLineOf = (piece: TraceFilePiece): number => piece.nextLine + 1;

function takeLine(piece: TraceFilePiece, text: string, length: number): void {
  const line = ++piece.nextLine;
  const offset = piece.nextByte;
  piece.nextByte += length;
  if (text.trim() === '') return;
  const parsed = parseTrace(text);
  if (parsed.ok)
    piece.traces.push({
      ...summarizeTrace(parsed.trace, { file: '', offset, length }),
      line,
      model: parsed.trace.model,
    });
  else
    note(
      piece,
      line,
      parsed.isNewer
        ? `is of a newer version (${parsed.why}): update Coach to read it`
        : parsed.why.replace(/^is no trace: .*JSON.*$/i, 'is torn, or no JSON'),
    );
}

function note(piece: TraceFilePiece, line: number, why: string): void {
  if (piece.problems.length < MAX_PROBLEMS)
    piece.problems.push({ line, message: `line ${line} ${why.length > 300 ? `${why.slice(0, 300)}…` : why}` });
}

function readPiece(file: string, fromByte: number, most: number): { bytes: Buffer; size: number } {
  try {
    const fd = openToRead(file);
    try {
      const { size } = fstatSync(fd);
      const bytes = Buffer.alloc(Math.max(0, Math.min(most, size - fromByte)));
      let done = 0;
      while (done < bytes.length) {
        const n = readSync(fd, bytes, done, bytes.length - done, fromByte + done);
        if (n === 0) break;
        done += n;
      }
      return { bytes: bytes.subarray(0, done), size };
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    throw new UserError(
      'storage',
      `${file}: can't be read: ${(error as Error).message}`,
      'It may have been moved or deleted.',
    );
  }
}
