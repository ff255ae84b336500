/**
 * A teacher over HTTP that knows the right calls, and errs: of its first turns a seeded share is a wrong call or is
 * cut.
 */
import { Random } from '../../../trainer/base/random';
import type { Task, ToolSchema } from '../../../trainer/protocol/task';
import type { Message } from '../../../trainer/protocol/trace';
import { goldAnswer } from '../../../trainer/rollout/verdicts/goldAnswer';
import { judgeServer, type Answer, type JudgeServer } from '../../rewards/judgeServer';

/** Of first turns; half of them another task's call, half a reply that breaks off. */
const ERRS = 0.3;

/** @param known the tasks and tools of the run that asks, once there is one */
export function openTeacher(
  seed: number,
  known: () => { tasks: readonly Task[]; tools: ToolSchema[] },
): Promise<JudgeServer> {
  const random = Random.fromSeed(seed).fork('teacher');
  const attempts = new Map<string, number>();
  let byPrompt: ReadonlyMap<string, Task> | null = null;
  return judgeServer(({ body }): Answer => {
    const { tasks, tools } = known();
    byPrompt ??= new Map(tasks.map((task) => [task.prompt, task]));
    const messages = body.messages as Message[];
    const prompt = messages.filter(({ role }) => role === 'user').at(-1)!.content;
    const task = byPrompt.get(prompt);
    if (task === undefined) return { content: 'I do not know.' };
    const done = messages.filter(({ role }) => role === 'tool').length;
    const due = task.calls?.[done];
    if (done === 0 && due !== undefined) {
      const attempt = (attempts.get(prompt) ?? 0) + 1;
      attempts.set(prompt, attempt);
      // by request and attempt, so that it does not depend on who is asked first
      const own = random.fork(`${prompt} ${attempt}`);
      const luck = own.next();
      if (luck < ERRS / 2) return said(tasks[own.int(tasks.length)]?.calls?.[0] ?? due);
      if (luck < ERRS) return CUT;
    }
    return due ? said(due) : { content: goldAnswer(task, named(messages, task), tools) };
  });
}

/** Results say over HTTP which call they are of, not which tool. */
function named(messages: readonly Message[], { calls = [] }: Task): Message[] {
  let result = 0;
  return messages.map((message) => (message.role === 'tool' ? { ...message, name: calls[result++]?.name } : message));
}

const said = ({ name, arguments: args }: { name: string; arguments: object }): Answer => ({
  content: '',
  calls: [{ name, args: JSON.stringify(args) }],
});

const CUT: Answer = {
  raw(response) {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '4000' });
    response.write('{"id":"x","choices":[{"index":0,');
    response.destroy();
  },
};
