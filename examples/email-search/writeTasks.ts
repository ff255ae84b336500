/** Writes tools.tasks.jsonl: `node --import tsx examples/email-search/writeTasks.ts`. The same text each time; a test holds the file to it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contentKey, hashOf, HELD_OUT_ZONE } from '../../trainer/tasks/taskset';
import { tasksToJsonl } from '../../trainer/tasks/readTasks';
import { makeQuestions } from './questions';

export const tasksText = (): string => tasksToJsonl(makeQuestions((calls) => hashOf(contentKey({ id: 'x', prompt: 'x', calls })) < HELD_OUT_ZONE));

if (require.main === module) writeFileSync(join(__dirname, 'tools.tasks.jsonl'), tasksText());
