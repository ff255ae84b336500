import { foundModels } from '../foundModels';
import type { Command } from './command';
import { table } from './output';

export const models: Command = {
  name: 'models',
  positionals: { usage: '', min: 0, max: 0 },
  summary: 'List the models on this disk that can be trained: those of Ollama, LM Studio and the Hugging Face cache, and the embedded one.',
  options: {},
  examples: ['coach models', 'coach models --json'],

  async run(_args, { out, environment }) {
    const found = foundModels(environment);
    out.json({ models: [{ name: 'nano', path: 'nano', from: 'Coach', bytes: null, problem: null }, ...found] });
    out.text(table([['nano', 'comes with Coach', '', 'nano'], ...found.map(({ name, from, bytes, problem, path }) => [name, from, bytes === null ? '' : `${Math.round(bytes / 1e6)} MB`, problem ?? path])]));
    out.text('');
    out.text('coach train FILE --model PATH takes any of them, and any other folder in Hugging Face layout or GGUF file.');
    return 0;
  },
};
