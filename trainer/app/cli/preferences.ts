import { resolve } from 'node:path';
import { PreferenceFormat } from '../../protocol/preferences';
import { UserError } from '../../protocol/result';
import { exportPreferences, importPreferences } from '../../store/exchange/preferences';
import { preferencesFile } from '../../store/preferences/store';
import { suggest } from '../../base/nearest';
import { shortPath } from '../../base/shortPath';
import { valueOf, type Command } from './command';

const verbs = ['import', 'export'] as const;

export const preferences: Command = {
  name: 'preferences',
  positionals: { usage: 'import|export FILE', min: 2, max: 2 },
  summary: 'Read preferences of other programs into .coach/preferences.jsonl, or write them out (trl, openai, kto).',
  options: { to: { value: 'trl|openai|kto', help: 'form of an export; an import is what its lines are' } },
  examples: ['coach preferences import pairs.jsonl', 'coach preferences export pairs.jsonl --to trl'],

  async run(args, { cwd, out }) {
    const [verb = '', name = ''] = args.positionals;
    const file = resolve(cwd, name);
    if (verb === 'import') {
      const result = importPreferences(cwd, file);
      out.json(result);
      for (const { message } of result.problems) out.warn(`${name}: ${message}; left out`);
      out.text(
        `${result.pairs} pairs and ${result.unpaired} single answers imported into ` +
          `${shortPath(preferencesFile(cwd), cwd)}${result.known > 0 ? `, ${result.known} were there already` : ''}`,
      );
      return 0;
    }
    if (verb !== 'export')
      throw new UserError('config', `coach preferences: unknown verb "${verb}"`, suggest(verb, [...verbs]));
    const format = PreferenceFormat.safeParse(valueOf(args, 'to'));
    if (!format.success)
      throw new UserError(
        'config',
        `--to must be one of ${PreferenceFormat.options.join(', ')}, got ${valueOf(args, 'to') ?? 'nothing'}`,
        `For example: ${preferences.examples[1]}`,
      );
    const result = exportPreferences(cwd, file, format.data);
    out.json(result);
    out.text(`${result.rows} rows written to ${shortPath(file, cwd)}`);
    return 0;
  },
};
