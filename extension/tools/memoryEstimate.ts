/**
 * How much memory a run would take at most: `coach train --estimate`, which reads the tools and the model's head and
 * runs nothing.
 */
import { z } from 'zod';
import * as vscode from 'vscode';
import type { RunConfigInput } from '../../trainer/protocol/runConfig';
import { runCliToEnd } from '../processes/cliProcess';
import type { PreviewDeps } from './previewTasks';

const Said = z.object({ memory: z.object({ bytes: z.number(), free: z.number() }) });

/** @returns "at most 640 MB of memory, 3,900 MB are free"; null: it can't be told, and the log says why */
export async function readMemory({ cli, node, log }: PreviewDeps, config: RunConfigInput): Promise<string | null> {
  const { toolFile, method, model, engine, training } = split(config);
  const args = [
    cli,
    'train',
    toolFile,
    '--estimate',
    '--json',
    '--method',
    method,
    '--model',
    model,
    '--engine',
    engine,
  ];
  for (const [name, value] of training) args.push('--set', `${name}=${value}`);
  const source = new vscode.CancellationTokenSource();
  try {
    const { code, said, told } = await runCliToEnd(node, args, source.token);
    if (code !== 0) throw new Error(told.trim());
    const { bytes, free } = Said.parse(JSON.parse(said)).memory;
    return vscode.l10n.t('at most {0} of memory, {1} are free', megabytes(bytes), megabytes(free));
  } catch (error) {
    log.warn(`memory estimate: ${(error as Error).message}`);
    return null;
  } finally {
    source.dispose();
  }
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6).toLocaleString(vscode.env.language)} MB`;

/** What a command line takes by its own names, and what it takes as --set. */
function split({ toolFile, method = 'grpo', model = 'nano', engine = 'auto', ...rest }: RunConfigInput) {
  const training = Object.entries(rest).flatMap(([name, value]): [string, string][] =>
    SIZES.has(name) && ['string', 'number', 'boolean'].includes(typeof value) ? [[name, String(value)]] : [],
  );
  return { toolFile, method, model, engine, training };
}

/** Settings that the memory depends on. */
const SIZES = new Set<string>([
  'finetuning',
  'quantize',
  'loraRank',
  'maxTokens',
  'maxTurnTokens',
  'maxTurns',
  'promptsPerStep',
  'groupSize',
  'batchSize',
  'tokensPerMicroBatch',
  'gradientCheckpointing',
] satisfies (keyof RunConfigInput)[]);
