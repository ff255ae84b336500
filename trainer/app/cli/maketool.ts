/** `coach maketool`: a stronger model writes a tool from demonstrations, which is verified and offered as a diff. */
import { resolve } from 'node:path';
import { DEFAULTS } from '../../protocol/settings/defaults';
import { shortPath } from '../../base/shortPath';
import { UserError } from '../../protocol/result';
import { namedModel, NOTHING, openTeacher, overBudget, type TeacherBudget } from '../distill/teacher';
import { divided, readDemonstrations, SHOWN, VERIFYING } from '../maketool/demonstrations';
import type { Made, Making } from '../maketool/makeTool';
import type { Offer, Target } from '../maketool/offer';
import { refusalWords } from '../maketool/refusals';
import { parseSettings } from '../settings';
import { budgetOf, budgetOptions } from './budgetOptions';
import { numberOf, valueOf, type Arguments, type Command, type CommandContext } from './command';

const TRIES = 3;
/** Some hundred replies with what they answer to. */
const BUDGET_TOKENS = 200_000;
/** Of one call: it computes, and waits for nobody. */
const TIMEOUT_MS = 2000;
const MEMORY_MB = 128;

export const maketool: Command = {
  name: 'maketool',
  positionals: { usage: 'FILE', min: 1, max: 1 },
  summary:
    'Let a stronger model write a tool for FILE from demonstrations, verify it on others, and print a diff that adds it.',
  options: {
    from: {
      value: 'DEMOS.jsonl',
      help:
        `lines of {"request", "answer"}: ${SHOWN} are told with their answers, ${VERIFYING} verify the tool, and on ` +
        'the rest it is measured',
    },
    maker: {
      value: 'URL|DIR|GGUF',
      help:
        'an OpenAI-compatible server (http://host:port/v1), with its key in COACH_MAKER_KEY, a model folder, or ' +
        'a .gguf file',
    },
    'maker-model': { value: 'NAME', help: 'the model, as the server calls it' },
    tries: { value: 'N', help: `tools that it may propose, told what was wrong with the last (default ${TRIES})` },
    ...budgetOptions('maker', BUDGET_TOKENS, 'then it ends'),
    apply: { help: "write the tool to FILE, and the demonstrations to FILE's *.tasks.jsonl" },
    seed: { value: 'S', help: 'of a model of this disk: same seed, same tool (default 0)' },
    engine: { value: 'E', help: 'auto or one that `coach engines` lists (default auto)' },
  },
  examples: [
    'coach maketool src/tools.ts --from words.jsonl --maker http://127.0.0.1:8080/v1 --maker-model qwen3 > tool.diff',
    'coach maketool src/tools.ts --from words.jsonl --maker ./Qwen2.5-Coder-1.5B-Instruct.gguf --apply',
  ],

  async run(args, context) {
    const { out, cwd } = context;
    const demonstrations = readDemonstrations(resolve(cwd, required(args, 'from')));
    const parts = divided(demonstrations);
    const { targetOf, offerOf, writeOffer } = await import('../maketool/offer'); // the compiler is loaded where it is needed
    const target = targetOf(resolve(cwd, args.positionals[0]!));
    const tries = numberOf(args, 'tries', { least: 1, isInteger: true }) ?? TRIES;
    const result = await ask(parts, target, tries, args, context);
    const { made, spent } = result;
    if (made === null) {
      out.json({ tool: null, ...countsOf(result), spent });
      throw new UserError('policy', noTool(result), 'Name a stronger maker, or give demonstrations that say more; --tries gives it more tries.');
    }
    const offer = offerOf(target, made, cwd);
    const tasksFile = 'apply' in args.values ? writeOffer(target, offer) : null;
    out.json({
      tool: made.tool.name,
      file: target.file,
      ...countsOf(result),
      further: made.further,
      spent,
      ...offer,
      tasksFile,
    });
    for (const line of wordsOf(result, offer, tasksFile === null ? null : shortPath(tasksFile, cwd))) out.warn(line);
    if (tasksFile === null) out.text(offer.diff.trimEnd());
    return 0;
  },
};

type Result = Made & { spent: unknown };

/** Opens the maker, and lets it make the tool. */
async function ask(
  parts: Making['parts'],
  target: Target,
  tries: number,
  args: Arguments,
  { cwd, dependencies, environment, signal, now, out }: CommandContext,
): Promise<Result> {
  const role = 'maker';
  const config = parseSettings({
    toolFile: target.file,
    seed: numberOf(args, 'seed', { least: 0, isInteger: true }) ?? 0,
    engine: valueOf(args, 'engine') ?? DEFAULTS.engine,
  });
  const { at, model } = namedModel(required(args, 'maker'), valueOf(args, 'maker-model'), {
    ...{ command: 'maketool', role, cwd, dependencies },
  });
  const budget: TeacherBudget = budgetOf(args, role, BUDGET_TOKENS);
  const { makeTool } = await import('../maketool/makeTool');
  const maker = await openTeacher({
    ...{ role, teacher: at, model, apiKey: environment['COACH_MAKER_KEY'], budget, config, tools: [], shown: null },
    ...{ cwd, dependencies, signal, now, onEngine: (message: string) => out.progress(message) },
  });
  try {
    const result = await makeTool({
      policy: maker.policy,
      replyTokens: maker.replyTokens,
      parts,
      taken: { tools: target.tools.map(({ name }) => name), names: target.names },
      tries,
      seed: config.seed,
      openHosts: (tool, workspace) =>
        dependencies.openHosts({
          ...{ tools: [tool], workspace, policyOf: () => 'real', ask: async () => 'unavailable', size: 1, seed: 0 },
          ...{ timeoutMs: TIMEOUT_MS, memoryMb: MEMORY_MB, outputBytes: DEFAULTS.toolOutputBytes, signal },
          note: (level, code, message) => {
            if (level === 'warning' && code !== 'toolNotLoaded') out.warn(`Warning: ${message}`);
          },
        }),
      spent: () => (maker.spent ? overBudget(maker.spent, budget, role) : null),
      signal,
      onRefused: (nth, { message }) => out.warn(`Try ${nth} of ${tries}: ${message}`),
    });
    return { ...result, spent: maker.spent && { ...NOTHING, ...maker.spent } };
  } finally {
    await maker.close();
  }
}

function required(args: Arguments, name: string): string {
  const value = valueOf(args, name);
  if (value === undefined)
    throw new UserError('config', `coach maketool needs --${name} ${maketool.options[name]!.value}`, `For example: ${maketool.examples[0]}`);
  return value;
}

const countsOf = ({ tries, refused, ended }: Made): Pick<Made, 'tries' | 'refused' | 'ended'> => ({ tries, refused, ended });

function noTool({ tries, refused, ended }: Made): string {
  const counts = refusalWords(refused);
  const what = `no tool passed in ${tries} ${tries === 1 ? 'try' : 'tries'}${counts === '' ? '' : `: ${counts}`}`;
  return ended === null ? what : `${what}; ${ended}`;
}

function wordsOf({ made, tries }: Made, { tasks }: Offer, tasksFile: string | null): string[] {
  const { tool, further } = made!;
  return [
    `${tool.name} passed at try ${tries}: right on the ${SHOWN} demonstrations that it was made from and the ${VERIFYING} that verify it`,
    ...(further.n === 0 ? [] : [`On ${further.n} further ones it is right ${further.right} times`]),
    tasksFile === null
      ? `Nothing is written: --apply adds it, with ${tasks.length} tasks`
      : `Written, with ${tasks.length} tasks in ${tasksFile}`,
  ];
}
