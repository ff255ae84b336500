import type { Decoder } from '../decoder';
import { sampleId } from '../sample';
import { Random } from '../../../base/random';
import type { Tokenizer } from '../../tokenizer/tokenizer';
import type { JsonConstraint } from './jsonConstraint';

export interface Written {
  text: string;
  ids: number[];
  /** the tokens ran out before its end: it is no JSON */
  isCut: boolean;
}

export interface WriteOptions {
  /** of one's own, and not started; closed at the end */
  decoder: Decoder;
  tokenizer: Tokenizer;
  prompt: readonly number[];
  constraint: JsonConstraint;
  mostTokens: number;
  /** between two tokens, when nothing is under way, with how many there are; what it throws ends the reply */
  onToken(written: number): void;
}

/** Of a prompt at once: bounds the memory of its attention. */
const CHUNK = 512;

/**
 * Greedy JSON: at each place the most probable token that the constraint allows. Others may use the engine meanwhile:
 * between two tokens the event loop gets
 * its turn, and no tensor of this reply is open then.
 */
export async function writeJson({
  decoder,
  tokenizer,
  prompt,
  constraint,
  mostTokens,
  onToken,
}: WriteOptions): Promise<Written> {
  const random = Random.fromSeed('greedy');
  const ids: number[] = [];
  const append = (more: readonly number[]): void => {
    for (const id of more)
      if (!constraint.advance(id)) throw new Error(`writeJson: the constraint allowed the token ${id} and refused it`);
    ids.push(...more);
  };
  const breathe = async (): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve));
    onToken(ids.length);
  };
  append(constraint.forced());
  const feed = [...prompt, ...ids];
  try {
    let [logits] = await decoder.start([feed.slice(0, CHUNK)]);
    for (let at = CHUNK; at < feed.length; at += CHUNK) {
      await breathe();
      [logits] = await decoder.step([{ lane: 0, ids: feed.slice(at, at + CHUNK) }]);
    }
    while (!constraint.isDone && ids.length < mostTokens) {
      await breathe();
      const before = ids.length;
      append([sampleId(logits, constraint.allowed(), 0, random).id]);
      append(constraint.forced());
      if (!constraint.isDone) [logits] = await decoder.step([{ lane: 0, ids: ids.slice(before) }]);
    }
  } finally {
    decoder.close();
  }
  const bytes = ids.map((id) => tokenizer.tokenBytes(id)!);
  return { text: Buffer.concat(bytes).toString('utf8'), ids, isCut: !constraint.isDone };
}
