/**
 * The judge's verdicts of a run, from its judge.jsonl: read piece by piece and only what is new, kept without the
 * words; those of one group are
 * read again where they lie. A line that is torn, foreign or of nonsense is named by its number, and the rest counts.
 * Free of `vscode`.
 */
import { open, stat } from 'node:fs/promises';
import path from 'node:path';
import { JudgeVerdict, type JudgeVote } from '../../trainer/protocol/reward';

const VERDICT_FILE = 'judge.jsonl';
const PIECE_BYTES = 1 << 18;
const NEW_LINE = 10;
/** A file of nothing but nonsense must not fill the memory. */
const MAX_PROBLEMS = 100;

interface Place {
  verdict: JudgeVerdict;
  offset: number;
  length: number;
}

export class VerdictFile {
  private readonly file: string;
  private places: Place[] = [];
  readonly problems: string[] = [];
  private nextByte = 0;
  private line = 0;
  private reading: Promise<void> = Promise.resolve();

  constructor(runDir: string) {
    this.file = path.join(runDir, VERDICT_FILE);
  }

  /** All verdicts so far, without reasons and replies. A run without a judge has none. */
  async all(): Promise<JudgeVerdict[]> {
    await this.sync();
    return this.places.map((place) => place.verdict);
  }

  /** Those of one group, whole, oldest first; a verdict that names no group is found by its traces. */
  async ofGroup(groupId: string, traceIds: readonly string[]): Promise<JudgeVerdict[]> {
    await this.sync();
    const ids = new Set(traceIds);
    const wanted = this.places.filter(
      ({ verdict }) =>
        (verdict.groupId === undefined || verdict.groupId === groupId) && verdict.traceIds.some((id) => ids.has(id)),
    );
    if (wanted.length === 0) return [];
    const file = await open(this.file);
    try {
      const found: JudgeVerdict[] = [];
      for (const { offset, length, verdict } of wanted) {
        const bytes = Buffer.alloc(length);
        const { bytesRead } = await file.read(bytes, 0, length, offset);
        found.push(parse(bytes.toString('utf8', 0, bytesRead)) ?? verdict);
      }
      return found;
    } finally {
      await file.close();
    }
  }

  private sync(): Promise<void> {
    this.reading = this.reading.then(
      () => this.readNew(),
      () => this.readNew(),
    );
    return this.reading;
  }

  private async readNew(): Promise<void> {
    const size = await stat(this.file).then(
      (found) => found.size,
      () => null,
    );
    if (size === null) return;
    if (size < this.nextByte) {
      // Another file in its place.
      this.places = [];
      this.problems.length = 0;
      this.nextByte = this.line = 0;
    }
    if (size === this.nextByte) return;
    const file = await open(this.file);
    try {
      let rest = Buffer.alloc(0);
      for (let at = this.nextByte; at < size; ) {
        const piece = Buffer.alloc(Math.min(PIECE_BYTES, size - at));
        const { bytesRead } = await file.read(piece, 0, piece.length, at);
        if (bytesRead === 0) break;
        at += bytesRead;
        rest = this.take(Buffer.concat([rest, piece.subarray(0, bytesRead)]));
      }
      // What has no end of line yet is being written; it is looked at again next time.
    } finally {
      await file.close();
    }
  }

  /** @returns what stands behind the last end of line */
  private take(bytes: Buffer): Buffer<ArrayBuffer> {
    let start = 0;
    for (let end = bytes.indexOf(NEW_LINE); end >= 0; end = bytes.indexOf(NEW_LINE, start)) {
      const length = end - start;
      this.line++;
      const text = bytes.toString('utf8', start, end);
      const verdict = text.trim() === '' ? null : parse(text);
      if (verdict) this.places.push({ verdict: withoutWords(verdict), offset: this.nextByte, length });
      else if (text.trim() !== '' && this.problems.length < MAX_PROBLEMS)
        this.problems.push(
          `${VERDICT_FILE}, line ${this.line}: is torn or no verdict; it is left as it is and not used`,
        );
      this.nextByte += length + 1;
      start = end + 1;
    }
    return Buffer.from(bytes.subarray(start));
  }
}

function parse(line: string): JudgeVerdict | null {
  try {
    const parsed = JudgeVerdict.safeParse(JSON.parse(line));
    return parsed.success ? sound(parsed.data) : null;
  } catch {
    return null;
  }
}

/** Ranks that do not fit the traces rank nothing. */
function sound(verdict: JudgeVerdict): JudgeVerdict {
  const fits = (ranks: readonly number[] | null): boolean => ranks === null || ranks.length === verdict.traceIds.length;
  const votes = verdict.votes?.map((vote) =>
    fits(vote.ranks) ? vote : { ...vote, ranks: null, error: vote.error ?? 'the ranks do not fit the traces' },
  );
  return {
    ...verdict,
    ...(fits(verdict.ranks) ? {} : { ranks: null, error: verdict.error ?? 'the ranks do not fit the traces' }),
    ...(votes ? { votes } : {}),
  };
}

/** The verdict as an overview needs it. */
export function withoutWords(verdict: JudgeVerdict): JudgeVerdict {
  const bare = ({ reasons: _, ...vote }: JudgeVote): JudgeVote => ({ ...vote, rawReply: '' });
  return { ...verdict, reasons: [], rawReply: '', ...(verdict.votes ? { votes: verdict.votes.map(bare) } : {}) };
}
