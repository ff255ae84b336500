/** What is fuzzed: how an input is made (in the parent), and what reads it (in the child), in steps. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import type fc from 'fast-check';
import { serveRun } from '../../trainer/app/runServer';
import { readModelConfig, weightShapes } from '../../trainer/model/network/config';
import { ChatTemplate } from '../../trainer/model/tokenizer/chatTemplate';
import { Tokenizer } from '../../trainer/model/tokenizer/tokenizer';
import { describeTensors } from './describeTensors';
import { readSafetensors, writeSafetensors } from '../../trainer/model/weights/safetensors';
import { readRecorded } from '../../trainer/rewards/recorded';
import { readEpisodes } from '../../trainer/store/exchange/otel/importRun';
import { importPreferences } from '../../trainer/store/exchange/preferences';
import { preferenceState } from '../../trainer/store/preferences/store';
import { readTrainingPairs } from '../../trainer/store/preferences/trainingPairs';
import { readDialogues } from '../../trainer/store/dialogues';
import { redactText, secretRules } from '../../trainer/store/redaction/secrets';
import { requestsFile } from '../../trainer/store/requests';
import { listRuns, runInfo } from '../../trainer/store/runs/listRuns';
import { foldRun, readTaskSplits, readTools, requireManifest, traceSummaries } from '../../trainer/store/runs/readRun';
import { readTraceFile } from '../../trainer/store/runs/readTraceFile';
import { takeLessons } from '../../trainer/tasks/flywheel/flywheel';
import { ownRequests } from '../../trainer/tasks/ownRequests';
import { readTasks } from '../../trainer/tasks/readTasks';
import { findServers } from '../../trainer/tools/sources/mcp/config';
import { configuredServers } from '../../trainer/tools/sources/mcp/configured';
import { newRun, sampleManifest, sampleResult, sampleTasks, sampleTool, sampleTrace } from '../store/runs/sample';
import { bytes, document, frames, json, lines, secrets, template } from './inputs';
import { ggufSeed, otlpSeed, preferenceSeeds, slowTokenizerSeed, tokenizerSeed } from './seeds';

/** One thing that is done with the input; what it gives back is looked through for messages. */
export type Step = (name: string, action: () => unknown) => Promise<void>;

export interface Target {
  input: fc.Arbitrary<string | Uint8Array>;
  /** @param folder empty, of this input alone */
  read(input: string | Uint8Array, folder: string, step: Step): Promise<void>;
}

const put = (folder: string, name: string, content: string | Uint8Array): string => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};
const nano = join(__dirname, '../../trainer/model/nano');
const gold = {
  id: 'a',
  prompt: 'Find it',
  calls: [{ name: 'search', arguments: { query: 'x' } }],
  tags: ['t'],
  source: 'use',
};
const messages = [
  { role: 'user' as const, content: 'Say <|im_end|> please' },
  { role: 'assistant' as const, content: 'Yes.' },
];

const dialogueSeed = { taskId: 'a', prompt: 'Find it', messages };
const mcpSeed = {
  servers: {
    local: {
      command: 'x',
      args: ['${workspaceFolder}/a', '${input:key}'],
      env: { A: '${env:HOME}' },
      coach: { reset: 'never' },
    },
    far: { type: 'http', url: 'http://127.0.0.1:1/mcp', headers: { Authorization: 'Bearer ${input:key}' } },
  },
  inputs: [{ id: 'key', type: 'promptString', description: 'a key', password: true, default: 'secret' }],
};

const runParts = {
  'run.json': { format: 1, id: 'r', createdAt: 1, ...sampleManifest },
  'tools.json': [sampleTool],
  'tasks.json': sampleTasks,
  'socket.json': { path: '/tmp/coach-x/run.sock', token: 't', pid: 1 },
  lock: { pid: 1, start: 'x', token: 't', host: 'h' },
  'index.json': { format: 1, nextByte: 10, events: 1 },
};

export const TARGETS: Record<string, Target> = {
  tasks: {
    input: lines(gold, { id: 'b', prompt: 'Say 1', answer: '1' }),
    async read(input, folder, step) {
      const file = put(folder, 'x.tasks.jsonl', input);
      await step('readTasks', () => readTasks(file, [sampleTool]));
    },
  },
  traces: {
    input: lines(sampleTrace('a'), { messages, gold: { answer: '1' } }, { completion: 'x', answer: 'y', step: 0 }),
    async read(input, folder, step) {
      const file = put(folder, 'x.trace.jsonl', input);
      await step('readTraceFile', () => readTraceFile(file, { fromByte: 0, fromLine: 1 }));
      await step(
        'readRecorded',
        () => void readRecorded(String(input), 'x', { tools: [sampleTool], tasks: new Map() }),
      );
    },
  },
  preferences: {
    input: lines(...preferenceSeeds),
    async read(input, folder, step) {
      mkdirSync(join(folder, '.coach'));
      const file = put(folder, 'pairs.jsonl', input);
      put(folder, '.coach/preferences.jsonl', input);
      await step('preferenceState', () => preferenceState(folder));
      await step('readTrainingPairs', () => readTrainingPairs(file, null));
      await step('importPreferences', () => importPreferences(folder, file));
      await step('preferenceState after it', () => preferenceState(folder));
    },
  },
  run: {
    input: json(...Object.entries(runParts).map(([name, value]) => ({ [name]: value }))),
    async read(input, folder, step) {
      const run = newRun(folder);
      run.append({ type: 'traceRecorded', trace: run.recordTrace(sampleTrace('t-1')) });
      run.append({ type: 'runFinished', result: sampleResult(run.id) });
      run.close();
      const parts = plainOf(String(input));
      for (const [name, value] of Object.entries(parts))
        if (name in runParts) put(run.dir, name, JSON.stringify(value) ?? '');
      await step('listRuns', () => listRuns(folder));
      await step('runInfo', () => runInfo(run.dir));
      await step('requireManifest', () => requireManifest(run.dir));
      await step('foldRun', () => foldRun(run.dir));
      await step('readTools', () => readTools(run.dir));
      await step('readTaskSplits', () => readTaskSplits(run.dir));
      await step('takeLessons', async () => (await takeLessons(folder, run.dir)).plan);
    },
  },
  events: {
    input: lines(
      { seq: 0, t: 1, type: 'runStarted', manifest: runParts['run.json'] },
      { seq: 1, t: 2, type: 'noted', level: 'info', code: 'budget', message: 'x' },
      { seq: 2, t: 3, type: 'traceRecorded', trace: { id: 'a', file: 'traces/a.jsonl', offset: 0, length: 10 } },
      { seq: 3, t: 4, type: 'runFinished', result: sampleResult('r') },
    ),
    async read(input, folder, step) {
      const run = newRun(folder);
      run.close();
      put(run.dir, 'events.jsonl', input);
      await step('foldRun', () => foldRun(run.dir));
      await step('traceSummaries', () => traceSummaries(run.dir));
      await step('listRuns', () => listRuns(folder));
    },
  },
  mcp: {
    input: document(mcpSeed, { mcpServers: mcpSeed.servers }),
    async read(input, folder, step) {
      const file = put(folder, 'mcp.json', input);
      await step('configuredServers', () => configuredServers([file]).problems.map(({ message }) => message));
      await step('findServers', () => findServers([{ file }]).then(() => undefined));
    },
  },
  requests: {
    input: lines(gold, { id: 'b', prompt: 'Say 1', calls: [], answer: '1', source: 'person' }),
    async read(input, folder, step) {
      const file = requestsFile(folder, join(folder, 'tools.ts'));
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, input);
      await step('ownRequests', () => ownRequests(folder, join(folder, 'tools.ts'), [sampleTool]).problems);
    },
  },
  dialogues: {
    input: lines(dialogueSeed, { ...dialogueSeed, trainFrom: 1 }),
    async read(input, folder, step) {
      const file = put(folder, 'x.dialogues.jsonl', input);
      await step('readDialogues', () => void readDialogues(file));
    },
  },
  safetensors: {
    input: bytes(
      writeSafetensors(
        new Map([
          ['a', { shape: [2, 3], data: Float32Array.from([1, 2, 3, 4, 5, 6]) }],
          ['b', { shape: [1], data: Float32Array.from([7]) }],
        ]),
        { metadata: { format: 'pt' } },
      ),
    ),
    async read(input, folder, step) {
      const file = put(folder, 'model.safetensors', input);
      await step('readSafetensors', () => void readSafetensors(file));
    },
  },
  gguf: {
    input: bytes(ggufSeed),
    async read(input, folder, step) {
      await describeTensors(put(folder, 'model.gguf', input), step);
    },
  },
  config: {
    input: document(JSON.parse(readFileSync(join(nano, 'config.json'), 'utf8'))),
    async read(input, folder, step) {
      put(folder, 'config.json', input);
      await step('weightShapes', () => void weightShapes(readModelConfig(folder)));
    },
  },
  tokenizer: {
    input: document(...Array.from({ length: 40 }, () => tokenizerSeed), slowTokenizerSeed),
    async read(input, folder, step) {
      put(folder, 'tokenizer.json', input);
      let tokenizer: Tokenizer | null = null;
      await step('load', () => void (tokenizer = Tokenizer.load(folder)));
      const texts = [
        '',
        'ab ba',
        'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!',
        'ab '.repeat(2_000),
        '\ud800<x>\n\t½',
      ];
      for (const text of tokenizer === null ? [] : texts)
        await step(`encode ${text.length}`, () => {
          const ids = tokenizer!.encode(text);
          tokenizer!.decode(ids);
          for (const id of [-1, 1e9, ...ids.slice(0, 10)]) void [tokenizer!.tokenText(id), tokenizer!.tokenBytes(id)];
        });
    },
  },
  template: {
    input: template,
    async read(input, _, step) {
      let opened: ChatTemplate | null = null;
      await step('open', () => void (opened = new ChatTemplate(String(input))));
      if (opened === null) return;
      const chat = opened as ChatTemplate;
      let isUsable = false;
      await step('format', () => void (isUsable = chat.format !== null));
      if (!isUsable) return;
      await step('render', () => void chat.render(messages, [sampleTool], true));
      await step('continuation', () => void chat.continuation([{ role: 'user', content: 'x' }], [sampleTool]));
    },
  },
  otlp: {
    input: document(
      otlpSeed,
      { messages, tools: [{ type: 'function', function: sampleTool }] },
      { request: { messages } },
    ),
    async read(input, folder, step) {
      const file = put(folder, 'otlp.json', input);
      await step('readEpisodes', () => readEpisodes(file).problems);
    },
  },
  redaction: {
    input: secrets,
    async read(input, _, step) {
      await step('redactText', () => void redactText(String(input), secretRules()));
    },
  },
  messages: {
    input: frames,
    async read(input, folder, step) {
      const server = await serveRun({ id: 'r', dir: folder, onStop: () => undefined });
      await step('a socket', () => sent(server.path, input));
      await step('another window', async () => {
        const hello = JSON.stringify({ jsonrpc: '2.0', id: 9, method: 'hello', params: { protocol: 1 } });
        const reply = await sent(server.path, `Content-Length: ${hello.length}\r\n\r\n${hello}`, 4_000);
        if (!reply.includes('"runId":"r"')) throw new Error(`the server is not there any more: ${reply}`);
      });
      await server.close();
    },
  },
};

/** What a reader must not do: the fuzzer has to see each. */
export const BROKEN: Record<string, Target> = Object.fromEntries(
  Object.entries({
    hang: () => {
      for (;;);
    },
    crash: () => process.exit(3),
    fault: () => (undefined as unknown as { x: number }).x,
    memory: () => Buffer.alloc(1_100 << 20, 1).length,
    words: () => ({ problems: ['one\ntwo'] }),
  }).map(([name, action]) => [
    name,
    { input: lines(gold), read: async (_input, _folder, step) => step(name, action) } satisfies Target,
  ]),
);

/** What is answered within a time, or until the first answer where that comes sooner. */
function sent(path: string, what: string | Uint8Array, limitMs = 50): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(path);
    let reply = '';
    const end = () => {
      socket.destroy();
      resolve(reply);
    };
    const timer = setTimeout(end, limitMs);
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      reply += String(data);
      clearTimeout(timer);
      setTimeout(end, 5);
    });
    socket.on('close', end);
    socket.write(what);
  });
}

/** Parts of a run's folder that a changed JSON names. */
function plainOf(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
