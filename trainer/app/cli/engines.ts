import type { EngineListing } from '../../model/engine/engine';
import { UserError } from '../../protocol/result';
import type { Command, CommandContext } from './command';
import { valueOf } from './command';
import { table } from './output';

const installable = ['tfjs-node', 'tfjs-node-gpu'] as const;
type Installable = (typeof installable)[number];

export const engines: Command = {
  name: 'engines',
  positionals: { usage: '', min: 0, max: 0 },
  summary: 'List the engines that can run a model here, the best first, and why others can not; or install one.',
  options: {
    install: {
      value: 'tfjs-node|gpu',
      help: 'fetch TensorFlow (0.3 GB, for a GPU 2.5 GB) from npm and PyPI into your data folder; Linux x64',
    },
    force: { help: 'with --install gpu: also where no NVIDIA GPU is seen' },
  },
  examples: ['coach engines', 'coach engines --install tfjs-node'],

  async run(args, context) {
    const { dependencies, out } = context;
    const wanted = valueOf(args, 'install');
    if (wanted !== undefined)
      return installEngine(wanted === 'gpu' ? 'tfjs-node-gpu' : wanted, 'force' in args.values, context);
    const all: EngineListing[] = await dependencies.listEngines();
    out.json({ engines: all });
    out.text(table(all.map(({ name, available, reason }) => [name, available ? 'yes' : 'no', reason])));
    const at = all.findIndex((e) => e.available);
    if (at >= 0) {
      out.text('');
      out.text(
        `auto takes ${all[at]!.name}${
          at > 0
            ? `; better, but not available: ${all
                .slice(0, at)
                .map(({ name, reason }) => `${name} (${reason})`)
                .join(', ')}`
            : ''
        }`,
      );
    }
    for (const { name, missingKernels = [], hostKernels = [], devices = [] } of all) {
      for (const device of devices)
        out.text(`${name} on ${device.name}: ${device.available ? 'yes' : 'no'}, ${device.reason}`);
      if (missingKernels.length > 0) out.text(`${name} lacks the kernels ${missingKernels.join(', ')}`);
      if (hostKernels.length > 0)
        out.text(`${name} runs in JavaScript, outside of compiled graphs: ${hostKernels.join(', ')}`);
    }
    return 0;
  },
};

async function installEngine(
  wanted: string,
  force: boolean,
  { dependencies, out, signal }: CommandContext,
): Promise<number> {
  if (!installable.includes(wanted as Installable))
    throw new UserError(
      'config',
      `--install must be one of tfjs-node, gpu, got ${wanted}`,
      'The engines onnx, wasm and cpu need no install.',
    );
  const folder = await dependencies.installEngine(wanted as Installable, {
    force,
    signal,
    onProgress: (line) => out.progress(line),
  });
  out.json({ installed: wanted, folder });
  out.text(`${wanted} is installed in ${folder}; see coach engines.`);
  return 0;
}
