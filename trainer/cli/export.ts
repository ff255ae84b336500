import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { adapterFiles, exportAdapter } from '../checkpoint/exportAdapter';
import { dataFiles, exportData, type MessagePair } from '../checkpoint/exportData';
import { suggest } from '../nearest';
import { UserError } from '../protocol/result';
import { Message, type Trace } from '../protocol/trace';
import { minePairs } from '../reward/pairs';
import { findRun, runInfo } from '../runs/listRuns';
import { readTools, readTrace, requireManifest, traceSummaries } from '../runs/readRun';
import { adapterOf } from '../trainedAdapter';
import { shortPath } from '../shortPath';
import { valueOf, type Command } from './command';
import { percent } from './output';

const formats = ['peft', 'openai', 'trl'] as const;

export const exportCommand: Command = {
  name: 'export',
  positionals: { usage: 'RUN', min: 1, max: 1 },
  summary: "Write a run's adapter (peft) or its traces (openai, trl) in the form that other programs read.",
  options: { to: { value: 'peft|openai|trl', help: 'which form' }, out: { value: 'DIR', help: 'where to' } },
  examples: ['coach export 20251121-093005-email --to peft --out adapter', 'coach export 20251121-093005-email --to trl --out data'],

  async run(args, { cwd, out, rooms }) {
    const dir = findRun(args.positionals[0]!, cwd);
    const to = valueOf(args, 'to');
    const target = valueOf(args, 'out');
    if (to === undefined || !isFormat(to)) throw new UserError('config', `--to must be one of ${formats.join(', ')}, got ${to ?? 'nothing'}`, to === undefined ? `For example: ${exportCommand.examples[0]}` : suggest(to, formats));
    if (target === undefined) throw new UserError('config', 'coach export needs --out DIR', `For example: ${exportCommand.examples[0]}`);
    const folder = resolve(cwd, target);
    refuseToOverwrite(folder, to === 'peft' ? adapterFiles : [...dataFiles[to]]);
    const counts = to === 'peft' ? peft(dir, folder, (model) => rooms.modelFolder(model, cwd)) : data(dir, folder, to);
    out.json({ to, out: folder, ...counts });
    out.text(`${to}: ${Object.entries(counts).map(([name, value]) => `${name} ${value}`).join(', ')}, written to ${shortPath(folder, cwd)}`);
    return 0;
  },
};

const isFormat = (to: string): to is (typeof formats)[number] => (formats as readonly string[]).includes(to);

function refuseToOverwrite(folder: string, names: string[]): void {
  const there = names.find((name) => existsSync(join(folder, name)));
  if (there !== undefined) throw new UserError('storage', `${join(folder, there)}: is there already and is not overwritten`, 'Choose another folder with --out, or remove it.');
}

function peft(dir: string, folder: string, modelFolder: (model: string) => string): { tensors: number; from: string } {
  const { config } = requireManifest(dir, { readOnly: true });
  const { result, id } = runInfo(dir);
  const { weights, from } = adapterOf(dir, config);
  const gain = result ? [`Held-out success ${percent(result.before.success ?? 0)} -> ${percent(result.after.success ?? 0)}: ${result.verdict}`] : [];
  exportAdapter({
    out: folder,
    ...weights,
    baseModel: modelFolder(config.model),
    includeBase: config.model === 'nano',
    facts: [`Run ${id}: ${config.method}, ${config.steps} steps, seed ${config.seed}, from ${from}`, ...gain],
  });
  return { tensors: weights.tensors.size, from };
}

/** Imitated are the solved training traces; pairs come from the groups of training. Held-out traces never leave, or they would be no test any more. */
function data(dir: string, folder: string, to: 'openai' | 'trl'): { sft: number; preferences: number } {
  requireManifest(dir, { readOnly: true });
  const summaries = traceSummaries(dir).filter((s) => s.phase === 'train' && !s.superseded);
  const groups = new Map<string, Trace[]>();
  for (const summary of summaries) {
    const group = groups.get(summary.groupId) ?? [];
    group.push(readTrace(dir, summary));
    groups.set(summary.groupId, group);
  }
  const traces = [...groups.values()].flat();
  const episodes = traces.filter((t) => t.solved === true && t.terminated).map((t) => t.messages);
  const pairs = [...groups.values()].flatMap((group) => minePairs(group)).map((pair): MessagePair => ({ prompt: messages(pair.prompt), chosen: messages(pair.chosen), rejected: messages(pair.rejected) }));
  if (episodes.length + pairs.length === 0) {
    throw new UserError('task', `${dir}: nothing to export: ${traces.length} training traces, none of them solved, and no group with a better and a worse one`, 'Train longer, or on easier tasks.');
  }
  return exportData({ out: folder, to, episodes, pairs, tools: readTools(dir) });
}

const messages = (list: unknown): Message[] => z.array(Message).parse(list);
