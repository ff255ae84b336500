import type { Command } from './command';
import { table } from './output';

export const engines: Command = {
  name: 'engines',
  positionals: { usage: '', min: 0, max: 0 },
  summary: 'List the engines that can run a model here, the best first, and why others can not.',
  options: {},
  examples: ['coach engines'],

  async run(_args, { rooms, out }) {
    const all = await rooms.listEngines();
    out.json({ engines: all });
    out.text(table(all.map(({ name, available, reason }) => [name, available ? 'yes' : 'no', reason])));
    return 0;
  },
};
