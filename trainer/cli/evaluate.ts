import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readAdapter } from '../checkpoint/exportAdapter';
import { looksLikeModel } from '../modelFolder';
import { findTools, makeTasks, openHosts, splitFor } from '../prepareRun';
import { UserError } from '../protocol/result';
import type { RunConfig } from '../protocol/runConfig';
import type { Task } from '../protocol/task';
import type { AdapterWeights, Discovered, Rooms } from '../rooms';
import { findRun } from '../runs/listRuns';
import { readTaskSplits, requireManifest } from '../runs/readRun';
import { workspaceOf } from '../runs/workspace';
import { parseSettings } from '../settings';
import { adapterOf } from '../trainedAdapter';
import { valueOf, type Command } from './command';
import { percent, table } from './output';

export const evaluate: Command = {
  name: 'evaluate',
  positionals: { usage: 'RUN|DIR|GGUF|nano', min: 1, max: 1 },
  summary: 'Measure a run, a model or adapter folder, a GGUF file, or nano on tasks: greedy decoding, success with a 95 % interval.',
  options: {
    tools: { value: 'FILE', help: 'tool file or folder (default for a run: its own)' },
    tasks: { value: 'F', help: 'all tasks of this file (default: the held-out ones of a run on these tools)' },
    'tool-policy': { value: 'real|mock|ask', help: 'for all tools (default: mock for those that change the world, real for the rest)' },
    engine: { value: 'E', help: 'auto or one that `coach engines` lists (default auto)' },
  },
  examples: ['coach evaluate nano --tools examples/email/tools.ts', 'coach evaluate 20251121-093005-email --tools examples/email/tools.ts --json'],

  async run(args, { cwd, rooms, out, signal, now }) {
    const subject = findSubject(args.positionals[0]!, cwd, rooms);
    const settings: Record<string, unknown> = { ...subject.config };
    for (const [option, name] of [['tools', 'toolFile'], ['tasks', 'tasks'], ['tool-policy', 'toolPolicy'], ['engine', 'engine']] as const) {
      const value = valueOf(args, option);
      if (value !== undefined) settings[name] = name === 'toolFile' || name === 'tasks' ? resolve(cwd, value) : value;
    }
    if (settings['toolFile'] === undefined) throw new UserError('config', 'coach evaluate needs --tools FILE', `For example: ${evaluate.examples[0]}`);
    const config = parseSettings(settings);
    const note = (level: 'info' | 'warning', message: string) => out.warn(`${level === 'warning' ? 'Warning: ' : ''}${message}`);
    const found = await findTools(config.toolFile, cwd, rooms, note);
    const workspace = workspaceOf(config.toolFile, cwd);
    const tasks = await chooseTasks({ config, found, workspace, cwd, note, rooms, runDir: subject.runDir, isNamed: valueOf(args, 'tasks') !== undefined, ownTools: subject.config['toolFile'] });
    const engine = await rooms.openEngine(config, (message) => note('info', message));
    const hosts = await openHosts({ config, found, workspace, note, rooms, ask: async () => 'unavailable' });
    try {
      const evaluateModel = await rooms.evaluate();
      const onProgress = (done: number, total: number) => {
        if (out.hasBar) out.showBar(`Measuring ${done}/${total}`);
        else out.progress(`Measured ${done}/${total}`);
      };
      const { n, success, ci95, byTag = {} } = await evaluateModel({ config, adapter: subject.adapter, tools: found.tools, tasks, hosts, engine, signal, now, onProgress });
      if (signal.aborted) return 130;
      out.clearBar();
      out.json({ n, success, ci95, byTag });
      out.text(success === null ? 'no task' : `${percent(success)} of ${n} solved${ci95 ? ` (95 % interval ${percent(ci95[0])} to ${percent(ci95[1])})` : ''}`);
      out.text(table(Object.entries(byTag).map(([tag, part]) => [`  ${tag}`, percent(part.success), `n ${part.n}`])));
      return 0;
    } finally {
      await hosts.close();
      engine.dispose();
    }
  },
};

interface Subject {
  /** settings to measure with: a run's own, else the defaults with this model */
  config: Record<string, unknown>;
  adapter: AdapterWeights | null;
  runDir: string | null;
}

function findSubject(name: string, cwd: string, rooms: Rooms): Subject {
  const folder = resolve(cwd, name);
  if (name === 'nano' || looksLikeModel(folder)) {
    rooms.modelFolder(name, cwd);
    return { config: { model: name === 'nano' ? name : folder }, adapter: null, runDir: null };
  }
  if (existsSync(join(folder, 'adapter_config.json'))) {
    const { baseModel, ...adapter } = readAdapter(folder);
    const own = join(folder, 'base');
    const model = existsSync(own) ? own : baseModel;
    rooms.modelFolder(model, cwd);
    return { config: { model }, adapter, runDir: null };
  }
  const runDir = findRun(name, cwd, ['nano']);
  const { config } = requireManifest(runDir, { readOnly: true });
  return { config, adapter: adapterOf(runDir, config).weights, runDir };
}

async function chooseTasks(
  { runDir, isNamed, ownTools, ...making }: { config: RunConfig; found: Discovered; workspace: string; cwd: string; note(level: 'info' | 'warning', message: string): void; rooms: Rooms; runDir: string | null; isNamed: boolean; ownTools: unknown },
): Promise<Task[]> {
  const { config, found } = making;
  if (isNamed) return (await makeTasks(making)).tasks;
  if (runDir !== null && ownTools === config.toolFile) return readTaskSplits(runDir).heldOut;
  // Another file's tools: a run's task file does not fit them.
  const made = await makeTasks({ ...making, config: { ...config, tasks: undefined } });
  return splitFor(config, made, found.tools).heldOut;
}
