/** `coach evaluate --conversation`: tasks asked one after the other, with a memory of tools. */
import { mean } from '../../base/mean';
import { UserError } from '../../protocol/result';
import { MEMORY_MODES, removalRatio, type MemoryChange, type MemoryMode } from '../../tools/retrieval/toolMemory';
import { valueOf, type Arguments, type Option } from './command';
import { percent, table, type Output } from './output';

export const CONVERSATION_OPTIONS: Record<string, Option> = {
  conversation: {
    value: 'N',
    help: 'ask the tasks one after the other, N in one conversation, in the place of each by itself',
  },
  'tool-memory': {
    value: MEMORY_MODES.join('|'),
    help:
      'with --conversation: tools come into the prompt and leave it on its way; by retrieval at each request ' +
      '(workflow), by the model with find_tools and retrieval that removes (hybrid), by the model alone (autonomous)',
  },
  'tool-bar': { value: 'N', help: 'with --tool-memory: tools in the prompt at most (default 16)' },
  remembers: {
    value: 'N',
    help: 'with --conversation: requests before it that the model still reads, with what came of them (default 1)',
  },
};

export interface AskedConversation {
  requests: number;
  remembers: number;
  memory: { mode: MemoryMode; bar: number } | null;
}

/** @returns null: each task by itself @throws UserError */
export function conversationOf(args: Arguments): AskedConversation | null {
  const mode = valueOf(args, 'tool-memory');
  const belongs = (name: string, to: string): void => {
    if (name in args.values && !(to in args.values))
      throw new UserError('config', `--${name} belongs to --${to}`, `For example: --${to} ${EXAMPLES[to]}`);
  };
  belongs('tool-memory', 'conversation');
  belongs('tool-bar', 'tool-memory');
  belongs('remembers', 'conversation');
  if (!('conversation' in args.values)) return null;
  if (mode !== undefined && !MEMORY_MODES.includes(mode as MemoryMode))
    throw new UserError('config', `--tool-memory must be one of ${MEMORY_MODES.join(', ')}, got '${mode}'`);
  return {
    requests: numberOf(args, 'conversation', 1) ?? 1,
    remembers: numberOf(args, 'remembers', 0) ?? 1,
    memory: mode === undefined ? null : { mode: mode as MemoryMode, bar: numberOf(args, 'tool-bar', 1) ?? 16 },
  };
}
const EXAMPLES: Record<string, string> = { conversation: '100', 'tool-memory': 'workflow' };

function numberOf(args: Arguments, name: string, least: number): number | undefined {
  const text = valueOf(args, name);
  if (text === undefined) return undefined;
  if (/^\d+$/.test(text) && Number(text) >= least) return Number(text);
  throw new UserError('config', `--${name} must be a whole number from ${least} on, got '${text}'`);
}

/** How many tools stood in the prompt, and how many of those added were removed. */
export function memoryFigures(changes: readonly (readonly MemoryChange[])[]): {
  held: number;
  most: number;
  removed: number | null;
} {
  const held = changes.flat().map((change) => change.held);
  const ratios = changes.flatMap((of) => removalRatio(of) ?? []);
  return { held: mean(held) ?? 0, most: Math.max(0, ...held), removed: mean(ratios) };
}

export function sayMemory(out: Output, changes: readonly (readonly MemoryChange[])[]): void {
  const { held, most, removed } = memoryFigures(changes);
  out.text(
    table([
      ['  tools in the prompt, mean', held.toFixed(1)],
      ['  tools in the prompt, most', `${most}`],
      ['  removed of those added, within three requests', removed === null ? '-' : percent(removed)],
    ]),
  );
}
