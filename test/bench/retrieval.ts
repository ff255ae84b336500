/**
 * Which of many tools a request is about: Recall@1, 5, 10 and nDCG@5 on ToolE (`similar`, 199 tools) and Seal-Tools
 * (dev
 * and test in-domain, 4,076 tools), by words, by the sentence encoder, by both, and by a request's sentences, too; and
 * what the index costs. Differences are paired by request. A table, then one line of JSON.
 * No request of either is in a document; a writer's questions are, of the tools that --questions has them for.
 *
 * Run: COACH_SHARED_DATA=DIR npm run bench -- retrieval [--only ToolE] [--questions FILE]
 *   (the encoder: coach find … --install-encoder, once; FILE: toolQuestions.ts)
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openEncoder } from '../../trainer/model/encoder/encoder';
import type { Enrichment, FindableTool } from '../../trainer/tools/retrieval/documents';
import { ToolIndex, type ToolIndexOptions } from '../../trainer/tools/retrieval/toolIndex';
import { processor, round } from './measured';
import { readQuestions } from './questionsFile';

interface Asked {
  request: string;
  gold: readonly string[];
}
interface Collection {
  name: string;
  tools: FindableTool[];
  asked: Asked[];
}

const { values } = parseArgs({ options: { only: { type: 'string' }, questions: { type: 'string' } } });
const folder = process.env.COACH_SHARED_DATA;
if (!folder) throw new Error('bench retrieval: set COACH_SHARED_DATA to the folder of public data');
const lines = <T>(...path: string[]): T[] =>
  readFileSync(join(folder, ...path), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as T);

const collections: Collection[] = [
  {
    name: 'ToolE',
    tools: lines<{ name: string; description: string }>('toole', 'tools.jsonl').map((tool) => ({
      ...tool,
      parameters: {},
    })),
    asked: lines<{ query: string; answer: string }>('toole', 'similar.jsonl').map(({ query, answer }) => ({
      request: query,
      gold: [answer],
    })),
  },
  {
    name: 'Seal-Tools',
    tools: lines<{ name: string; description: string; parameters: object }>('seal-tools', 'tools.jsonl').map(
      ({ name, description, parameters }) => ({ name, description, parameters: { properties: parameters } }),
    ),
    asked: ['dev.jsonl', 'test_in_domain.jsonl'].flatMap((file) =>
      lines<{ query: string; calls: { name: string }[] }>('seal-tools', file).map(({ query, calls }) => ({
        request: query,
        gold: [...new Set(calls.map(({ name }) => name))],
      })),
    ),
  },
];

const recall = (found: readonly string[], gold: readonly string[], k: number): number =>
  gold.filter((name) => found.slice(0, k).includes(name)).length / gold.length;

function ndcg(found: readonly string[], gold: readonly string[], k: number): number {
  const gain = (rank: number): number => 1 / Math.log2(rank + 2);
  const ideal = gold.slice(0, k).reduce((sum, _, rank) => sum + gain(rank), 0);
  return found.slice(0, k).reduce((sum, name, rank) => sum + (gold.includes(name) ? gain(rank) : 0), 0) / ideal;
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Mean of paired differences, with 95 % by the normal approximation (n is at least 995). */
function paired(after: readonly number[], before: readonly number[]): number[] {
  const differences = after.map((value, i) => value - before[i]!);
  const centre = mean(differences);
  const half = 1.96 * Math.sqrt(mean(differences.map((d) => (d - centre) ** 2)) / differences.length);
  return [centre, centre - half, centre + half].map((x) => round(100 * x, 1));
}

const encoder = openEncoder(process.env, 2);
if (!encoder) console.error('without the sentence encoder: coach find … --install-encoder fetches it');
const vectors = new Map<string, Float32Array | null>();
const kept = encoder && {
  id: encoder.id,
  embed(text: string) {
    if (!vectors.has(text)) vectors.set(text, encoder.embed(text));
    return vectors.get(text)!;
  },
};
const ALL = ['name', 'description', 'parameters'] as const;
const ways: [name: string, options: ToolIndexOptions][] = [
  ['words, name and description', { embedder: null, parts: ['name', 'description'], decomposes: false }],
  ['words, all parts', { embedder: null, decomposes: false }],
  ['words, by sentences, too', { embedder: null }],
  ...(kept
    ? ([
        ['encoder, all parts', { embedder: kept, byWords: false, vectorParts: ALL, decomposes: false }],
        ['encoder, name and description', { embedder: kept, byWords: false, decomposes: false }],
        ['both', { embedder: kept, decomposes: false }],
        ['both, by sentences, too', { embedder: kept }],
      ] as [string, ToolIndexOptions][])
    : []),
];

if (values.questions !== undefined) {
  const questions = readQuestions(values.questions);
  const enrich = ({ name }: FindableTool): Enrichment => ({ questions: questions.get(name) ?? [] });
  ways.push(['words, with questions', { embedder: null, decomposes: false, enrich }]);
  if (kept) ways.push(['both, with questions', { embedder: kept, decomposes: false, enrich }]);
}

const results: object[] = [];
for (const { name, tools, asked } of collections.filter(
  (one) => values.only === undefined || one.name === values.only,
)) {
  let plain: number[] | undefined;
  for (const [way, options] of ways) {
    vectors.clear();
    const at = performance.now();
    const index = new ToolIndex(options);
    index.sync(tools);
    const builtMs = performance.now() - at;
    const found = asked.map(({ request }) => index.find(request, 10).map((tool) => tool.name));
    const queryMs = (performance.now() - at - builtMs) / asked.length;
    const each = (of: (found: string[], gold: readonly string[]) => number) =>
      found.map((names, i) => of(names, asked[i]!.gold));
    const atFive = each((names, gold) => recall(names, gold, 5));
    plain ??= atFive;
    const row = {
      collection: name,
      n: asked.length,
      tools: tools.length,
      way,
      recall1: round(100 * mean(each((names, gold) => recall(names, gold, 1))), 1),
      recall5: round(100 * mean(atFive), 1),
      recall10: round(100 * mean(each((names, gold) => recall(names, gold, 10))), 1),
      ndcg5: round(100 * mean(each((names, gold) => ndcg(names, gold, 5))), 1),
      recall5OverFirst: paired(atFive, plain),
      builtSeconds: round(builtMs / 1000, 2),
      queryMs: round(queryMs, 2),
    };
    results.push(row);
    console.log(Object.values(row).join(' | '));
  }
}
console.log(JSON.stringify({ bench: 'retrieval', processor: processor(), node: process.version, results }));
