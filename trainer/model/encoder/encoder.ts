import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Tokenizer as HfTokenizer } from '@huggingface/tokenizers';
import { loadRuntime, type NativeSession } from '../engine/onnx/runtime';
import { encoderFolder, hasEncoder } from './install';

/** Sentence -> direction of length 1. */
export interface SentenceEncoder {
  readonly id: string;
  /** null: a text without a word */
  embed(text: string): Float32Array | null;
  close(): void;
}

/** The model was trained on 256 word pieces at most; [CLS] and [SEP] count. */
const MAX_PIECES = 256;
const DIMENSIONS = 384;

/**
 * all-MiniLM-L6-v2 (Reimers and Gurevych 2019): mean over all word pieces, then length 1. One sentence a run, unpadded:
 * its 8-bit activations are scaled per run. Some 4 ms a sentence on one thread.
 * @returns null where it is not installed (installEncoder) @throws Error where ONNX Runtime does not load here
 */
export function openEncoder(env: NodeJS.ProcessEnv = process.env, threads = 1): SentenceEncoder | null {
  if (!hasEncoder(env)) return null;
  const folder = encoderFolder(env);
  const tokenizer = new HfTokenizer(JSON.parse(readFileSync(join(folder, 'tokenizer.json'), 'utf8')) as object, {});
  const session = loadSession(readFileSync(join(folder, 'model.onnx')), threads);
  return {
    id: 'all-minilm-l6-v2-q',
    embed(text) {
      if (!/\S/.test(text)) return null;
      const { ids } = tokenizer.encode(text);
      const kept = ids.length > MAX_PIECES ? [...ids.slice(0, MAX_PIECES - 1), ids.at(-1)!] : ids;
      return meanOf(hiddenStates(session, kept), kept.length);
    },
    close: () => session.dispose(),
  };
}

function loadSession(model: Buffer, threads: number): NativeSession {
  const session = loadRuntime().newSession();
  session.loadModel(model.buffer as ArrayBuffer, model.byteOffset, model.byteLength, {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    enableMemPattern: false,
    logSeverityLevel: 4,
    extra: { 'session.force_spinning_stop': '1' },
  });
  return session;
}

/** [piece * dimension] */
function hiddenStates(session: NativeSession, ids: readonly number[]): Float32Array {
  const feed = (values: readonly number[]) => ({
    type: 'int64' as const,
    dims: [1, ids.length],
    data: BigInt64Array.from(values, BigInt),
    location: 'cpu' as const,
  });
  const ones = ids.map(() => 1);
  const feeds = { input_ids: feed(ids), attention_mask: feed(ones), token_type_ids: feed(ids.map(() => 0)) };
  const { last_hidden_state: out } = session.run(feeds, { last_hidden_state: null }, {});
  return out!.data as Float32Array;
}

function meanOf(states: Float32Array, pieces: number): Float32Array {
  const mean = new Float32Array(DIMENSIONS);
  for (let at = 0; at < pieces; at++) for (let i = 0; i < DIMENSIONS; i++) mean[i]! += states[at * DIMENSIONS + i]!;
  const length = Math.hypot(...mean);
  return mean.map((x) => x / length);
}
