import { resolve } from 'node:path';
import { TOOLE_BENCHMARKS } from '../../evaluation/benchmarks/toole/entries';
import { UserError } from '../../protocol/result';
import { BENCHMARKS } from '../../rewards/bfcl/categories';
import { parseSettings } from '../settings';
import { settingFromText, settingsFromPairs } from '../settingText';
import { valueOf, type Arguments, type Command } from './command';
import { CONVERSATION_OPTIONS, conversationOf } from './conversation';
import { evaluateBenchmark } from './evaluateBenchmark';
import { findSubject } from './evaluated';
import { evaluatePolicy } from './evaluatePolicy';
import { evaluateTools } from './evaluateTools';
import { INPUT_OPTION } from './inputOption';
import { rewardOf } from './rewardOption';

export const evaluate: Command = {
  name: 'evaluate',
  positionals: { usage: 'RUN|DIR|GGUF|nano', min: 0, max: 1 },
  summary:
    'Measure a run, a model or adapter folder, a GGUF file, nano, or a server (--policy) on ' +
    'tasks: greedy decoding, success with a 95 % interval.',
  options: {
    tools: { value: 'FILE', help: 'tool file or folder (default for a run: its own)' },
    tasks: { value: 'F', help: 'all tasks of this file (default: the held-out ones of a run on these tools)' },
    requests: {
      help: 'the requests that you kept in Try It (.coach/requests): of a run before and after, with the interval of the change',
    },
    'tool-policy': {
      value: 'real|mock|ask',
      help: 'for all tools (default: mock for those that change the world, real for the rest)',
    },
    reward: {
      value: 'NAME[:option=value]',
      help: 'compliance or toolrla, say: how many episodes violate (VR); default: the rewards of the run',
    },
    traces: { value: 'FILE', help: 'write every episode there, one trace a line as in the traces/ of a run' },
    policy: {
      value: 'URL',
      help:
        'instead of a model of this disk: an OpenAI-compatible server (http://host:port/v1), with ' +
        'its key in COACH_POLICY_KEY; its traces lie in a new run folder',
    },
    'policy-model': { value: 'NAME', help: 'with --policy: the model, as the server calls it' },
    benchmark: { value: 'NAME,…', help: `instead of tools: ${[...BENCHMARKS, ...TOOLE_BENCHMARKS].join(', ')}` },
    data: {
      value: 'FOLDER',
      help:
        'with --benchmark: your copy of the PyPI package bfcl-eval, or its data folder (default COACH_BFCL_DATA), or ' +
        'of ToolE as JSON lines (default COACH_TOOLE_DATA)',
    },
    count: {
      value: 'N',
      help: 'with --benchmark: only N questions of each, the first of BFCL, evenly spread of ToolE',
    },
    'max-tokens': {
      value: 'N',
      help:
        'of a whole episode, prompt included (default 512 for nano, 1024 for others, or what the run ' +
        'was set to); with --policy: of one reply (default: as the server has it)',
    },
    engine: { value: 'E', help: 'auto or one that `coach engines` lists (default auto)' },
    ...CONVERSATION_OPTIONS,
    ...INPUT_OPTION,
    set: {
      value: 'NAME=VALUE',
      help: 'any other setting to measure with, e.g. shownTools=8: show each request 8 of the tools; may be repeated',
      isRepeated: true,
    },
  },
  examples: [
    'coach evaluate nano --tools examples/email/tools.ts',
    'coach evaluate 20251121-093005-email --tools examples/email/tools.ts --json',
    'coach evaluate 20251121-093005-email --requests',
    'coach evaluate --policy http://127.0.0.1:8080/v1 --policy-model qwen3 --tools examples/email/tools.ts',
    'coach evaluate nano --benchmark bfcl-simple --data site-packages/bfcl_eval --count 50',
  ],

  async run(args, context) {
    const { cwd, dependencies } = context;
    const isBenchmark = 'benchmark' in args.values;
    refuseOthers(args, isBenchmark);
    if ('policy' in args.values) return evaluatePolicy(args, context);
    if (args.positionals[0] === undefined)
      throw new UserError(
        'config',
        `coach evaluate needs ${evaluate.positionals.usage}`,
        `For example: ${evaluate.examples[0]}`,
      );
    rewardOf(args); // before anything is opened
    const conversation = conversationOf(args);
    const subject = findSubject(args.positionals[0], cwd, dependencies);
    const settings: Record<string, unknown> = { ...subject.config, ...settingsFromPairs(args.values['set'] ?? []) };
    const maxTokens = valueOf(args, 'max-tokens');
    if (maxTokens !== undefined) settings['maxTokens'] = settingFromText('maxTokens', maxTokens);
    if (isBenchmark) return evaluateBenchmark(args, { settings, trained: subject.trained }, context);
    for (const [option, name] of [
      ['tools', 'toolFile'],
      ['tasks', 'tasks'],
      ['tool-policy', 'toolPolicy'],
      ['engine', 'engine'],
      ['reward', 'rewards'],
    ] as const) {
      const value = valueOf(args, option);
      if (value !== undefined) settings[name] = name === 'toolFile' || name === 'tasks' ? resolve(cwd, value) : value;
    }
    if (settings['toolFile'] === undefined)
      throw new UserError(
        'config',
        'coach evaluate needs --tools FILE or --benchmark NAME',
        `For example: ${evaluate.examples[0]}`,
      );
    return evaluateTools(args, { given: parseSettings(settings), subject, conversation }, context);
  },
};

const OF_TOOLS = ['tools', 'tasks', 'requests', 'tool-policy', 'traces', 'input', ...Object.keys(CONVERSATION_OPTIONS)];
const OF_BENCHMARKS = ['data', 'count'];
/** What a server is not asked with: its traces lie in a run folder, and it computes by itself. */
const NOT_OF_POLICIES = ['benchmark', 'requests', 'traces', 'engine', ...Object.keys(CONVERSATION_OPTIONS)];

function refuseOthers({ values }: Arguments, isBenchmark: boolean): void {
  const notOfPolicy = NOT_OF_POLICIES.find((name) => name in values);
  if ('policy' in values && notOfPolicy !== undefined)
    throw new UserError('config', `--policy takes no --${notOfPolicy}`, 'Leave out one of the two.');
  if ('requests' in values && 'conversation' in values)
    throw new UserError(
      'config',
      '--requests are measured before and after, each by itself, and --conversation asks one after the other',
      'Leave out one of the two.',
    );
  if ('requests' in values && 'tasks' in values)
    throw new UserError(
      'config',
      '--requests names what is measured on, and --tasks names another',
      'Leave out one of the two.',
    );
  if ('policy-model' in values && !('policy' in values))
    throw new UserError(
      'config',
      '--policy-model belongs to --policy',
      'Give the address of its server with --policy.',
    );
  const wrong = (isBenchmark ? [...OF_TOOLS, 'reward'] : OF_BENCHMARKS).find((name) => name in values);
  if (wrong === undefined) return;
  if (isBenchmark)
    throw new UserError(
      'config',
      `--benchmark brings its own functions and questions, and takes no --${wrong}`,
      'Leave out one of the two.',
    );
  throw new UserError('config', `--${wrong} belongs to --benchmark`, `For example: ${evaluate.examples[4]}`);
}
