import { resolve } from 'node:path';
import { importRun } from '../../store/exchange/otel/importRun';
import { workspaceAt } from '../../store/runs/workspace';
import { shortPath } from '../../base/shortPath';
import type { Command } from './command';

export const importCommand: Command = {
  name: 'import',
  positionals: { usage: 'FILE', min: 1, max: 1 },
  summary:
    "Read other agents' traces (OTLP/JSON of OpenTelemetry, or OpenAI-style messages) into a run " +
    'that can be read, compared and marked.',
  options: {},
  examples: ['coach import traces.otlp.jsonl', 'coach import conversations.jsonl'],

  async run({ positionals: [name = ''] }, { cwd, out, now }) {
    const imported = importRun({ file: resolve(cwd, name), workspace: workspaceAt(cwd), now });
    out.json(imported);
    for (const problem of imported.problems) out.warn(`${name}: ${problem}; left out`);
    out.text(`${imported.traces} traces imported into ${shortPath(imported.dir, cwd)}`);
    return 0;
  },
};
