import type { Task, ToolSchema } from '../protocol/task';
import type { ToolResult } from '../protocol/trace';
import { stableJson } from '../protocol/arguments';
import type { ToolHosts } from '../tools/hosts/callTool';
import recorded from './otherTools.json';

/** Tasks that a run does not train on; what they lose is what was forgotten. */
export interface ForgettingSet {
  name: string;
  tools: readonly ToolSchema[];
  tasks: Task[];
  hosts: Pick<ToolHosts, 'open'>;
}

/** Another file's tools and tasks, with what each gold call really gave when it was recorded. */
interface Recorded {
  file: string;
  tools: ToolSchema[];
  tasks: Task[];
  results: Record<string, string>;
}

const SMALL_TALK = [
  'Hello!',
  'Good evening.',
  'Hi, nice to meet you',
  'Thanks a lot',
  'Many thanks, that helped',
  'How is it going?',
  'What are you?',
  'Are you a robot?',
  'Tell me a riddle',
  'Bye for now',
  'See you later',
  'What do you think of rain?',
  'I feel great today',
  'Who made you?',
  'Is the moon made of cheese?',
  'Say something funny',
  'You did well',
  'Never mind, forget it',
  'Do you like music?',
  'Why is the sky blue?',
  'What is the meaning of life?',
  'Good night',
  'I am bored',
  'That was all',
].map((prompt, i): Task => ({ id: `small-talk-${i}`, prompt, calls: [], tags: ['noTool'] }));

/**
 * Sets that fit the run: no tool may be called on small talk; and the first recorded file that shares no tool with the
 * user's.
 * @param most tasks of each set, taken evenly: a file's tasks stand tool by tool
 */
export function forgettingSets(
  { tools, hosts }: Pick<ForgettingSet, 'tools' | 'hosts'>,
  most: number,
): ForgettingSet[] {
  if (most === 0) return [];
  const names = new Set(tools.map((t) => t.name));
  const other = (recorded as unknown as Recorded[]).find((r) => !r.tools.some((t) => names.has(t.name)));
  return [
    { name: 'no-tool tasks', tools, tasks: evenly(SMALL_TALK, most), hosts },
    ...(other
      ? [
          {
            name: `another file's tasks (${other.file})`,
            tools: other.tools,
            tasks: evenly(other.tasks, most),
            hosts: { open: () => replay(other) },
          },
        ]
      : []),
  ];
}

const evenly = (tasks: Task[], most: number): Task[] =>
  tasks.filter((_, i) => Math.floor(((i + 1) * most) / tasks.length) > Math.floor((i * most) / tasks.length));

const callKey = (name: string, args: unknown): string => `${name} ${stableJson(args)}`;

/** Answers with what was recorded; a call that was never made really is an error, as for an unknown id. */
function replay(other: Recorded): ReturnType<ToolHosts['open']> {
  return {
    async call(name, args): Promise<ToolResult> {
      const content = other.results[callKey(name, args)];
      const base = { policy: 'mock' as const, mockSource: 'recorded' as const, startedAt: Date.now(), durationMs: 0 };
      return content === undefined
        ? { ...base, kind: 'threw', content: '{"error":"not found"}' }
        : { ...base, kind: 'ok', content };
    },
    close() {
      // nothing was opened
    },
  };
}
