import type { EngineListing } from '../engine/engine';
import type { Command } from './command';
import { table } from './output';

export const engines: Command = {
  name: 'engines',
  positionals: { usage: '', min: 0, max: 0 },
  summary: 'List the engines that can run a model here, the best first, and why others can not.',
  options: {},
  examples: ['coach engines'],

  async run(_args, { rooms, out }) {
    const all: EngineListing[] = await rooms.listEngines();
    out.json({ engines: all });
    out.text(table(all.map(({ name, available, reason }) => [name, available ? 'yes' : 'no', reason])));
    const at = all.findIndex((e) => e.available);
    if (at >= 0) {
      out.text('');
      out.text(`auto takes ${all[at]!.name}${at > 0 ? `; better, but not available: ${all.slice(0, at).map(({ name, reason }) => `${name} (${reason})`).join(', ')}` : ''}`);
    }
    for (const { name, missingKernels = [], hostKernels = [], devices = [] } of all) {
      for (const device of devices) out.text(`${name} on ${device.name}: ${device.available ? 'yes' : 'no'}, ${device.reason}`);
      if (missingKernels.length > 0) out.text(`${name} lacks the kernels ${missingKernels.join(', ')}`);
      if (hostKernels.length > 0) out.text(`${name} runs in JavaScript, outside of compiled graphs: ${hostKernels.join(', ')}`);
    }
    return 0;
  },
};
