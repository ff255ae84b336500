import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { recordPreferences } from '../../trainer/store/preferences/store';
import { RunConfig } from '../../trainer/protocol/runConfig';
import type { Trace } from '../../trainer/protocol/trace';
import { makeTasks } from '../../trainer/app/prepare/tasks';
import { realDependencies } from '../../trainer/app/dependencies';
import { markedGood, useTasks } from '../../trainer/tasks/useTasks';
import { newRun, sampleManifest, sampleTool, sampleTrace, tempFolder } from '../store/runs/sample';

const author = { name: 'Ada' };
/** A try of a prompt, with one call that went well. */
function tried(id: string, prompt: string, more: Partial<Trace> = {}): Trace {
  const trace = sampleTrace(id, { phase: 'try', ...more });
  return {
    ...trace,
    messages: trace.messages.map((message) => (message.role === 'user' ? { ...message, content: prompt } : message)),
  };
}

describe('requests taken from use', () => {
  const { dir, remove } = tempFolder();
  after(remove);
  const toolFile = join(dir, 'mail.ts');
  before(() => {
    writeFileSync(
      toolFile,
      '/** Search the inbox. @tool */\nexport function search(query: string): string[] { return [query]; }\n',
    );
    const run = newRun(dir, { manifest: { ...sampleManifest, config: RunConfig.parse({ toolFile }) } });
    const failed = sampleTrace('x').turns.map((turn) => ({
      ...turn,
      calls: turn.calls.map((call) => ({ ...call, result: call.result && { ...call.result, kind: 'threw' as const } })),
    }));
    const traces = [
      tried('good', 'anything about the rent'),
      tried('plain', 'nobody marked this'),
      tried('failed', 'this went wrong', { turns: failed }),
      tried('again', 'Find a'),
      { ...tried('train', 'sampled in training'), phase: 'train' as const },
    ];
    for (const trace of traces) run.append({ type: 'traceRecorded', trace: run.recordTrace(trace) });
    run.close();
    const up = (traceId: string) => ({
      type: 'note' as const,
      runId: run.id,
      traceId,
      turn: null,
      text: '',
      thumb: 'up' as const,
    });
    recordPreferences(dir, ['good', 'failed', 'again', 'train'].map(up), { author });
  });

  it('are tries that a person marked good, whose calls all went well; a task of the run tried once more is none', () => {
    const tasks = useTasks(dir, toolFile, [sampleTool]);
    assert.deepEqual(
      tasks.map(({ prompt, source, answer }) => [prompt, source, answer]),
      [['anything about the rent', 'use', undefined]],
    );
    assert.deepEqual(
      tasks[0]!.calls!.map(({ name }) => name),
      ['search'],
    );
    assert.deepEqual(useTasks(dir, join(dir, 'other.ts'), [sampleTool]), [], "another file's run");
    assert.deepEqual(useTasks(dir, toolFile, [{ ...sampleTool, name: 'find' }]), [], 'a tool that is gone');
  });

  it('takes the preferred side of a marked pair', () => {
    const side = (traceId: string) => ({ traceId, messages: [] });
    const state = {
      pairs: [
        { pair: { sides: [side('a'), side('b')] }, verdict: 'second' },
        { pair: { sides: [side('c'), side('d')] }, verdict: 'tie' },
      ],
      notes: [{ traceId: 'e', thumb: 'down' }],
    };
    assert.deepEqual([...markedGood(state as unknown as Parameters<typeof markedGood>[0])], ['b']);
  });

  it('are among the tasks where there is no file, and fill up a short one only where that is set', async () => {
    const dependencies = {
      ...realDependencies,
      openHosts: async () =>
        ({
          loadProblems: [],
          rewards: [],
          open: () => ({
            call: async (_: string, { query }: Record<string, unknown>) => ({
              kind: 'ok',
              content: JSON.stringify([`mail of ${String(query)}`]),
              policy: 'real',
              startedAt: 0,
              durationMs: 0,
            }),
            close: () => undefined,
          }),
          close: async () => undefined,
        }) as unknown as Awaited<ReturnType<typeof realDependencies.openHosts>>,
    };
    const found = { tools: [sampleTool], rewards: [], diagnostics: [], files: [toolFile] };
    const notes: string[] = [];
    const make = (more: object) =>
      makeTasks({
        config: RunConfig.parse({ toolFile, taskCount: 30, ...more }),
        found,
        workspace: dir,
        cwd: dir,
        note: (_level, _code, message) => void notes.push(message),
        dependencies,
      });
    const made = await make({});
    assert.equal(made.source, 'generated');
    assert.deepEqual(
      made.tasks.filter(({ source }) => source === 'use').map(({ prompt }) => prompt),
      ['anything about the rent'],
    );
    assert.ok(notes.some((note) => /^1 requests of tries/.test(note)));
    const own = { id: 'g0001', prompt: 'my own', calls: [{ name: 'search', arguments: { query: 'own' } }] };
    writeFileSync(join(dir, 'mail.tasks.jsonl'), JSON.stringify(own));
    assert.deepEqual(await make({}), { tasks: [own], source: join(dir, 'mail.tasks.jsonl'), seen: [] });
    const filled = await make({ fillTasks: 50 });
    assert.deepEqual(filled.tasks[0], own);
    assert.equal(new Set(filled.tasks.map(({ id }) => id)).size, filled.tasks.length, 'ids are unique');
    assert.ok(filled.tasks.length > 10 && filled.tasks.length <= 30);
    assert.match(filled.source, /mail\.tasks\.jsonl \+ \d+ more$/);
  });
});
