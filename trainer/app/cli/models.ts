import { machineMemory } from '../../base/freeMemory';
import { foundModels } from '../../model/weights/foundModels';
import { downloadModel } from '../../model/weights/hub';
import type { FoundModel } from '../../protocol/messages';
import { EMBEDDED_WORDS } from '../../protocol/modelName';
import { valueOf, type Command, type CommandContext } from './command';
import { table } from './output';

export const models: Command = {
  name: 'models',
  positionals: { usage: '', min: 0, max: 0 },
  summary:
    'List the models on this disk that can be trained (those of Ollama, LM Studio and the ' +
    'Hugging Face cache, and the embedded one), or fetch one from the Hugging Face hub.',
  options: {
    download: {
      value: 'OWNER/NAME',
      help:
        'fetch it into the Hugging Face cache: OWNER/NAME, with @REVISION, or with /FILE.gguf; ' +
        'HF_TOKEN, HF_ENDPOINT, HF_HOME and HF_HUB_OFFLINE count',
    },
  },
  examples: ['coach models', 'coach models --json', 'coach models --download HuggingFaceTB/SmolLM2-135M-Instruct'],

  async run(args, context) {
    const wanted = valueOf(args, 'download');
    if (wanted !== undefined) return download(wanted, context);
    const { out, environment } = context;
    const found = foundModels(environment);
    const real = found.filter(({ problem }) => problem === null);
    const rest = found.filter(({ problem }) => problem !== null);
    out.json({ models: [...real, { name: 'nano', path: 'nano', from: 'Coach', bytes: null, problem: null }, ...rest] });
    const row = ({ name, from, bytes, problem, path }: FoundModel) => [
      name,
      from,
      bytes === null ? '' : `${Math.round(bytes / 1e6)} MB`,
      problem ?? path,
    ];
    out.text(table([...real.map(row), ['nano', `comes with Coach: ${EMBEDDED_WORDS}`, '', 'nano'], ...rest.map(row)]));
    out.text('');
    out.text(
      'coach train FILE --model PATH takes any of them, and any other folder in Hugging Face ' +
        'layout or GGUF file; coach models --download OWNER/NAME fetches one.',
    );
    return 0;
  },
};

/** With --json lines of {file, done, total} while it comes, bytes, and {model, path} at the end. */
async function download(model: string, { out, environment, signal }: CommandContext): Promise<number> {
  let told = -1;
  const path = await downloadModel({
    model,
    environment,
    signal,
    memoryBytes: machineMemory(),
    onProgress(done, total, file) {
      const percent = total > 0 ? Math.floor((100 * done) / total) : 100;
      if (percent === told) return;
      told = percent;
      out.json({ file, done, total });
      const line = `${percent} % of ${Math.ceil(total / 1e6)} MB, ${file}`;
      if (out.hasBar) out.showBar(line);
      else if (!out.isJson && percent % 10 === 0) out.progress(line);
    },
  });
  out.json({ model, path });
  out.text(path);
  out.text(`coach train FILE --model ${path}`);
  return 0;
}
