/** `coach maketool`: a stronger model writes a tool from demonstrations, which is verified and offered as a diff. */
import { resolve } from 'node:path';
import { DEFAULTS } from '../../protocol/settings/defaults';
import { shortPath } from '../../base/shortPath';
import { UserError } from '../../protocol/result';
import type { RunConfig } from '../../protocol/runConfig';
import { namedModel } from '../distill/teacher';
import type { Answer } from '../maketool/askForTool';
import { divided, readDemonstrations, SHOWN, VERIFYING } from '../maketool/demonstrations';
import type { Offer } from '../maketool/offer';
import { refusalWords } from '../maketool/refusals';
import type { taskFileFor } from '../../tasks/addTask';
import { parseSettings } from '../settings';
import { budgetOf, budgetOptions } from './budgetOptions';
import { numberOf, valueOf, type Arguments, type Command } from './command';

const TRIES = 3;
/** Some hundred replies with what they answer to. */
const BUDGET_TOKENS = 200_000;

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
    'maker-tokens': { value: 'N', help: 'of one reply (default: as long as the maker lets it be)' },
    'maker-timeout': { value: 'SECONDS', help: 'for one reply of a server (default 120)' },
    tries: { value: 'N', help: `tools that it may propose, told what was wrong with the last (default ${TRIES})` },
    ...budgetOptions('maker', BUDGET_TOKENS, 'then it ends'),
    apply: { help: "write the tool to FILE, and the demonstrations to FILE's *.tasks.jsonl" },
    'tool-network': {
      value: 'allow|deny',
      help: 'whether the code may reach the network while it is tested (default allow)',
    },
    seed: { value: 'S', help: 'of a model of this disk: same seed, same tool (default 0)' },
    engine: { value: 'E', help: 'auto or one that `coach engines` lists (default auto)' },
  },
  examples: [
    'coach maketool src/tools.ts --from words.jsonl --maker http://127.0.0.1:8080/v1 --maker-model qwen3 > tool.diff',
    'coach maketool src/tools.ts --from words.jsonl --maker ./Qwen2.5-Coder-1.5B-Instruct.gguf --apply',
  ],

  async run(args, context) {
    const { out, cwd, dependencies } = context;
    const parts = divided(readDemonstrations(resolve(cwd, required(args, 'from'))));
    // the compiler is loaded where it is needed
    const [{ targetOf, offerOf, tasksOf, writeOffer }, { askForTool }] = await Promise.all([
      import('../maketool/offer'),
      import('../maketool/askForTool'),
    ]);
    const target = await targetOf(resolve(cwd, args.positionals[0]!), dependencies);
    const seconds = numberOf(args, 'maker-timeout', { least: 0.001 });
    const naming = { command: 'maketool', role: 'maker', cwd, dependencies } as const;
    const answer = await askForTool({
      ...context,
      config: configOf(args, target.file),
      parts,
      target,
      maker: namedModel(required(args, 'maker'), valueOf(args, 'maker-model'), naming),
      replyTokens: numberOf(args, 'maker-tokens', { least: 1, isInteger: true }),
      timeoutMs: seconds === undefined ? undefined : 1000 * seconds,
      budget: budgetOf(args, 'maker', BUDGET_TOKENS),
      tries: numberOf(args, 'tries', { least: 1, isInteger: true }) ?? TRIES,
    });
    const { made, existing } = answer;
    if (!made && !existing) {
      out.json({ tool: null, ...countsOf(answer) });
      const wayOut = 'Name a stronger maker, give it more --tries, or demonstrations that say more.';
      throw new UserError('policy', noTool(answer), wayOut);
    }
    const offer: Offer = made
      ? offerOf(target, made, cwd)
      : { text: target.text ?? '', diff: '', tasks: tasksOf(existing!.tool.name, existing!.uses) };
    const { tool } = (made ?? existing)!;
    const { name } = tool;
    const written = 'apply' in args.values ? writeOffer(target, tool, offer) : null;
    const further = made?.further ?? { n: 0, right: 0 };
    out.json({
      tool: name,
      isNew: made !== null,
      file: target.file,
      ...countsOf(answer),
      further,
      ...offer,
      tasksFile: written?.file ?? null,
    });
    out.warn(
      made
        ? madeWords(name, answer)
        : `${name} is there already, and right on all of ${offer.tasks.length} demonstrations: no tool is made`,
    );
    if (further.n > 0) out.warn(`On ${further.n} further ones it is right ${further.right} times`);
    if (written !== null) out.warn(writtenWords(written, offer, cwd));
    else out.warn(`Nothing is written; --apply adds ${made ? 'it, with ' : ''}${offer.tasks.length} tasks`);
    if (written === null && offer.diff !== '') out.text(offer.diff.trimEnd());
    return 0;
  },
};

const configOf = (args: Arguments, toolFile: string): RunConfig =>
  parseSettings({
    toolFile,
    seed: numberOf(args, 'seed', { least: 0, isInteger: true }) ?? DEFAULTS.seed,
    engine: valueOf(args, 'engine') ?? DEFAULTS.engine,
    toolNetwork: valueOf(args, 'tool-network') ?? DEFAULTS.toolNetwork,
  });

function required(args: Arguments, name: string): string {
  const value = valueOf(args, name);
  if (value !== undefined) return value;
  const needed = `coach maketool needs --${name} ${maketool.options[name]!.value}`;
  throw new UserError('config', needed, `For example: ${maketool.examples[0]}`);
}

const countsOf = ({ tries, refused, ended, spent }: Answer): Pick<Answer, 'tries' | 'refused' | 'ended' | 'spent'> => ({
  tries,
  refused,
  ended,
  spent,
});

const madeWords = (name: string, { tries }: Answer): string =>
  `${name} passed at try ${tries}: right on the ${SHOWN} demonstrations that it was made from and the ${VERIFYING} that verify it`;

/** A new file of few tasks would be all that a run trains on. */
function writtenWords({ file, exists }: ReturnType<typeof taskFileFor>, { tasks }: Offer, cwd: string): string {
  const alone = exists ? '' : '; so that others are made as before, train with --set fillTasks=400';
  return `Written, with ${tasks.length} tasks in ${shortPath(file, cwd)}${alone}`;
}

function noTool({ tries, refused, ended }: Answer): string {
  const counts = refusalWords(refused);
  const what = `no tool passed in ${tries} ${tries === 1 ? 'try' : 'tries'}${counts === '' ? '' : `: ${counts}`}`;
  return ended === null ? what : `${what}; ${ended}`;
}
