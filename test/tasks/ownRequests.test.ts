import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { realDependencies } from '../../trainer/app/dependencies';
import { makeTasks } from '../../trainer/app/prepare/tasks';
import { RunConfig } from '../../trainer/protocol/runConfig';
import type { Task } from '../../trainer/protocol/task';
import { readTrainingPairs } from '../../trainer/store/preferences/trainingPairs';
import { preferencesFile, recordPreferences } from '../../trainer/store/preferences/store';
import { keptRequests, requestsFile } from '../../trainer/store/requests';
import { keepRequest, notTrainedOn, ownRequests } from '../../trainer/tasks/ownRequests';
import { mark } from '../store/preferences/fixture';
import { sampleTool, tempFolder } from '../store/runs/sample';
import { isUserError } from './fixtures';

describe('requests that a person keeps to measure on', () => {
  const { dir, remove } = tempFolder();
  after(remove);
  const toolFile = join(dir, 'mail', 'tools.ts');
  const file = join(dir, '.coach/requests/mail/tools.jsonl');
  const rent = { prompt: 'Anything about the rent?', calls: [{ name: 'search', arguments: { query: 'rent' } }] };
  const keep = (request: typeof rent) => keepRequest(request, dir, toolFile, [sampleTool]);
  before(() => {
    mkdirSync(dirname(toolFile));
    writeFileSync(
      toolFile,
      '/** Search. @tool */\nexport function search(query: string): string[] { return [query]; }\n',
    );
  });

  it('lie beside the runs, a file for each tool file, wherever it is', () => {
    assert.equal(requestsFile(dir, toolFile), file);
    assert.equal(requestsFile(dir, join(dir, 'mail.mjs')), join(dir, '.coach/requests/mail.jsonl'));
    assert.equal(requestsFile(dir, join(dir, 'mail')), join(dir, '.coach/requests/mail.jsonl'));
    assert.equal(requestsFile(dir, dir), join(dir, '.coach/requests/tools.jsonl'));
    assert.equal(requestsFile(dir, '/elsewhere/a.ts'), join(dir, '.coach/requests/a.jsonl'));
    assert.equal(requestsFile(dir, join(dir, 'mcp:git')), join(dir, '.coach/requests/mcp-git.jsonl'));
  });

  it('are kept as a person wrote them; said again, in whatever spaces and capitals, one is corrected', () => {
    assert.deepEqual(ownRequests(dir, toolFile, [sampleTool]), { file, requests: [], problems: [] });
    const [first] = keep(rent).requests;
    assert.deepEqual([first!.prompt, first!.calls, first!.source], [rent.prompt, rent.calls, 'person']);
    const { requests } = keep({ prompt: 'anything  about the RENT?', calls: [] });
    assert.deepEqual(
      requests.map(({ prompt, calls }) => [prompt, calls]),
      [['anything  about the RENT?', []]],
    );
    assert.notEqual(requests[0]!.id, first!.id, 'what was measured by another gold does not count');
    keep(rent);
    keep({ prompt: 'And about Ana', calls: [] });
    assert.equal(readFileSync(file, 'utf8').trimEnd().split('\n').length, 2);
  });

  it('what the tools can’t do is refused, and nothing is written; what they can’t do any more is named', () => {
    const before = readFileSync(file, 'utf8');
    assert.throws(
      () => keep({ prompt: 'x', calls: [{ name: 'serch', arguments: { query: 'x' } }] }),
      isUserError(/names a tool that is missing: 'serch' -> .*search/),
    );
    assert.throws(
      () => keep({ prompt: 'x', calls: [{ name: 'search', arguments: {} as { query: string } }] }),
      isUserError(/search: must have required property 'query'/),
    );
    assert.equal(readFileSync(file, 'utf8'), before);
    const { requests, problems } = ownRequests(dir, toolFile, [{ ...sampleTool, name: 'find' }]);
    assert.deepEqual([requests.length, problems.length], [1, 1]);
    assert.match(problems[0]!, /"Anything about the rent\?": the gold call names a tool that is missing: 'search'/);
  });

  it('one that a run was trained on already is not measured with it, and the problems say so', () => {
    const own = ownRequests(dir, toolFile, [sampleTool]);
    const known = { id: 't', prompt: 'ANYTHING about the rent?', calls: [] };
    const { requests, problems } = notTrainedOn(own, [known]);
    assert.deepEqual(
      requests.map(({ prompt }) => prompt),
      ['And about Ana'],
    );
    assert.deepEqual(problems, ['"Anything about the rent?": this run was trained on it, so it is not measured']);
    assert.deepEqual(notTrainedOn(own, []), own);
  });

  it('are never trained on: not as tasks of any file, not as generated ones, not named as a task file', async () => {
    const tasks: Task[] = ['Anything about the rent?', 'Find the mail of Bo', ' and about ana '].map((prompt, i) => ({
      id: `t${i}`,
      prompt,
      calls: [{ name: 'search', arguments: { query: 'rent' } }],
    }));
    writeFileSync(join(dir, 'mail', 'tools.tasks.jsonl'), tasks.map((task) => JSON.stringify(task)).join('\n'));
    const notes: string[] = [];
    const make = (more: object, isToMeasure = false) =>
      makeTasks({
        config: RunConfig.parse({ toolFile, ...more }),
        found: { tools: [sampleTool], rewards: [], diagnostics: [], files: [toolFile] },
        workspace: dir,
        cwd: dir,
        note: (_level, code, message) => void notes.push(`${code}: ${message}`),
        dependencies: realDependencies,
        isToMeasure,
      });
    const made = await make({});
    assert.deepEqual(
      made.tasks.map(({ id }) => id),
      ['t1'],
    );
    assert.deepEqual(notes, ['requestsKept: 2 of the tasks are requests that are kept to measure on: left out']);
    await assert.rejects(make({ tasks: file }), isUserError(/never trained on -> .*evaluate RUN --requests/));
    assert.equal((await make({ tasks: file }, true)).tasks.length, 2, 'they are there to measure on');
    // a run that took another's tasks: a file that is named is measured alone, not behind those
    const other = join(dir, 'other');
    mkdirSync(other);
    writeFileSync(join(other, 'tasks.json'), JSON.stringify({ train: tasks, validation: [], heldOut: [] }));
    assert.equal((await make({ splitsOf: other })).tasks.length, 1);
    assert.equal((await make({ tasks: file, splitsOf: other }, true)).tasks.length, 2);
  });

  it('are never trained on as pairs either: the forecast and the run say how many were left out', () => {
    const about = (id: string, content: string) =>
      mark(id, 'first', { toolFile: 'mail/tools.ts', prompt: [{ role: 'user', content }] });
    recordPreferences(dir, [about('p1', 'Anything about the rent?'), about('p2', 'Find the mail of Bo')]);
    const store = preferencesFile(dir);
    const { pairs, notes } = readTrainingPairs(store, toolFile);
    assert.deepEqual(
      [pairs.map(({ pair: { id } }) => id), notes.map(({ code, message }) => `${code}: ${message}`)],
      [['p2'], ['requestsKept: 1 pairs are about requests that are kept to measure on: they are left out']],
    );
  });

  it('a line that is none is named by its place', () => {
    writeFileSync(file, '{"id":"a","prompt":"x","calls":[]}\n{"id":"b"}\n');
    assert.throws(() => keptRequests(dir, toolFile), isUserError(/tools\.jsonl:2: the line is no request \(prompt: /));
    writeFileSync(file, '{"id":"a"\n');
    assert.throws(() => ownRequests(dir, toolFile, []), isUserError(/tools\.jsonl:1: the line is no request/));
  });
});
