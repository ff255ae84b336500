import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { dataFiles } from '../../store/exchange/exportData';
import { adapterFiles } from '../../model/weights/exportAdapter';
import { GGUF_FILE } from '../../model/weights/writeModel';
import { suggest } from '../../base/nearest';
import type { AgentMetrics } from '../../protocol/agentMetrics';
import { UserError } from '../../protocol/result';
import { findRun } from '../../store/runs/listRuns';
import { shortPath } from '../../base/shortPath';
import { valueOf, type Arguments, type Command } from './command';
import { exportOtel, otelFile } from './exportOtel';
import { exportTraces } from './exportTraces';
import { exportWeights } from './exportWeights';

const weightForms = ['peft', 'merged', 'gguf-lora', 'ollama'] as const;
const dataForms = ['openai', 'trl'] as const;
const forms = [...weightForms, ...dataForms, 'otel'] as const;
type Form = (typeof forms)[number];
export type WeightForm = (typeof weightForms)[number];
export type DataForm = (typeof dataForms)[number];

export const exportCommand: Command = {
  name: 'export',
  positionals: { usage: 'RUN', min: 1, max: 1 },
  summary:
    "Write a run's adapter (peft, merged, gguf-lora, ollama) or its traces (openai, trl, otel) " +
    'in the form that other programs read.',
  options: {
    to: { value: forms.join('|'), help: 'which form' },
    out: { value: 'DIR', help: 'where to' },
    content: {
      help: 'otel: messages, arguments and results of tools go along; without it only names, times and counts',
    },
    endpoint: { value: 'URL', help: 'otel: to this collector (OTLP over HTTP) instead of --out' },
    dtype: {
      value: 'F16|F32',
      help: "type of the weights; default: merged and ollama as the base's (F32 where all weights were trained), gguf-lora F32",
    },
  },
  examples: [
    'coach export 20251121-093005-email --to peft --out adapter',
    'coach export 20251121-093005-email --to merged --out model --dtype F16',
    'coach export 20251121-093005-email --to trl --out data',
    'coach export 20251121-093005-email --to otel --endpoint http://localhost:4318 --content',
  ],

  async run(args, { cwd, out, dependencies, signal }) {
    const dir = findRun(args.positionals[0]!, cwd);
    const to = formOf(args);
    const target = valueOf(args, 'out');
    const endpoint = endpointOf(args, to);
    if (endpoint !== undefined) {
      const { traces, spans } = await exportOtel(dir, { content: 'content' in args.values, to: { endpoint }, signal });
      out.json({ to, endpoint, traces, spans });
      out.text(`otel: traces ${traces}, spans ${spans}, sent to ${endpoint}`);
      return 0;
    }
    if (target === undefined)
      throw new UserError('config', 'coach export needs --out DIR', `For example: ${exportCommand.examples[0]}`);
    const dtype = dtypeOf(args, to);
    const folder = resolve(cwd, target);
    refuseToOverwrite(folder, to);
    const {
      counts,
      metrics,
      notes = [],
    }: { counts: Record<string, number | string>; metrics?: AgentMetrics; notes?: string[] } = to === 'otel'
      ? { counts: await exportOtel(dir, { content: 'content' in args.values, to: { out: folder }, signal }) }
      : isWeightForm(to)
        ? exportWeights(dir, folder, to, { dtype, modelFolder: (model) => dependencies.modelFolder(model, cwd) })
        : exportTraces(dir, folder, to);
    out.json({ to, out: folder, ...counts, ...(metrics && { metrics }), ...(notes.length > 0 ? { notes } : {}) });
    for (const note of notes) out.warn(note);
    out.text(
      `${to}: ${Object.entries(counts)
        .map(([name, value]) => `${name} ${value}`)
        .join(', ')}, written to ${shortPath(folder, cwd)}`,
    );
    return 0;
  },
};

function formOf(args: Arguments): Form {
  const to = valueOf(args, 'to');
  const form = forms.find((name) => name === to);
  if (form === undefined)
    throw new UserError(
      'config',
      `--to must be one of ${forms.join(', ')}, got ${to ?? 'nothing'}`,
      to === undefined ? `For example: ${exportCommand.examples[0]}` : suggest(to, forms),
    );
  return form;
}

const isWeightForm = (to: Form): to is WeightForm => (weightForms as readonly string[]).includes(to);

function endpointOf(args: Arguments, to: Form): string | undefined {
  const endpoint = valueOf(args, 'endpoint');
  const given = endpoint !== undefined ? 'endpoint' : 'content' in args.values ? 'content' : undefined;
  if (given !== undefined && to !== 'otel')
    throw new UserError('config', `--${given} goes with otel, not with ${to}`, 'Leave it out.');
  if (endpoint !== undefined && valueOf(args, 'out') !== undefined)
    throw new UserError('config', 'coach export takes --out or --endpoint, not both', 'Run it twice for both.');
  return endpoint;
}

function dtypeOf(args: Arguments, to: string): 'F16' | 'F32' | undefined {
  const dtype = valueOf(args, 'dtype');
  if (dtype === undefined) return undefined;
  if (to !== 'merged' && to !== 'ollama' && to !== 'gguf-lora')
    throw new UserError('config', `--dtype goes with merged, ollama and gguf-lora, not with ${to}`, 'Leave it out.');
  if (dtype !== 'F16' && dtype !== 'F32')
    throw new UserError('config', `--dtype must be F16 or F32, got ${dtype}`, "Leave it out to keep the base model's.");
  return dtype;
}

function refuseToOverwrite(folder: string, to: Form): void {
  if (!(statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? true))
    throw new UserError(
      'storage',
      `${folder}: --out must be a folder, and a file stands there`,
      'Give another folder.',
    );
  const names: Record<Form, readonly string[]> = {
    peft: adapterFiles,
    merged: ['config.json', GGUF_FILE],
    'gguf-lora': ['adapter.gguf'],
    ollama: ['Modelfile', 'model'],
    openai: dataFiles.openai,
    trl: dataFiles.trl,
    otel: [otelFile],
  };
  const there =
    names[to].find((name) => existsSync(join(folder, name))) ??
    (to === 'merged' && existsSync(folder)
      ? readdirSync(folder).find((name) => name.endsWith('.safetensors'))
      : undefined);
  if (there !== undefined)
    throw new UserError(
      'storage',
      `${join(folder, there)}: is there already and is not overwritten`,
      'Choose another folder with --out, or remove it.',
    );
}
