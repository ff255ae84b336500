import assert from 'node:assert/strict';
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PanelJudge } from '../../extension/panel/panelJudge';
import type { AnswerPair, PairVerdict, PreferenceBody, PreferenceLine } from '../../trainer/protocol/preferences';
import { foldPreferences } from '../../trainer/protocol/preferenceState';
import type { RunInfo } from '../../trainer/protocol/messages';

const pair = (id: string, runId: string): AnswerPair => ({
  id,
  runId,
  taskId: 't',
  groupId: 'g1',
  toolFile: 'tools.ts',
  model: 'nano',
  checkpoint: '1',
  prompt: [{ role: 'user', content: id }],
  sides: [
    { traceId: `${id}-a`, messages: [{ role: 'assistant', content: `${id} a` }] },
    { traceId: `${id}-b`, messages: [{ role: 'assistant', content: `${id} b` }] },
  ],
});

/** As the service does it: append, fold, read. */
class FakeService {
  lines: PreferenceLine[] = [];
  readonly asked: string[] = [];
  record(...bodies: PreferenceBody[]): void {
    for (const body of bodies)
      this.lines.push({
        version: 1,
        id: `l${this.lines.length}`,
        t: 1000 + this.lines.length,
        author: { name: 'Lena' },
        ...body,
      } as PreferenceLine);
  }
  mark(id: string, verdict: PairVerdict, runId = 'run'): void {
    this.record({ type: 'mark', pair: pair(id, runId), verdict, shown: { a: 0, isBlind: true } });
  }
  ask = (async (name: string, params: { workspace: string; bodies?: PreferenceBody[] }) => {
    this.asked.push(`${name} ${params.workspace}`);
    if (params.bodies) this.record(...params.bodies);
    return name === 'readPreferences'
      ? { state: foldPreferences(this.lines), problems: [{ line: 3, message: 'line 3 is torn' }] }
      : { lines: [] };
  }) as never;
}

describe('panel: judge and people, on the host', () => {
  let workspace: string;
  let info: RunInfo;
  let service: FakeService;
  beforeEach(() => {
    workspace = mkdtempSync(path.join(tmpdir(), 'coach-judge-'));
    const dir = path.join(workspace, '.coach', 'runs', 'run');
    mkdirSync(dir, { recursive: true });
    writeFileSync(
      path.join(dir, 'judge.jsonl'),
      `${JSON.stringify({ taskId: 't', groupId: 'g1', traceIds: ['p1-a', 'p1-b'], ranks: [1, 2], reasons: ['x', 'y'], model: 'm', rawReply: 'raw' })}\n`,
    );
    info = { id: 'run', dir } as RunInfo;
    service = new FakeService();
  });
  afterEach(() => rmSync(workspace, { recursive: true }));

  it('gives the marks of this run on which people agree, the problems and the bar', async () => {
    service.mark('p1', 'first');
    service.mark('p2', 'tie');
    service.mark('p3', 'skip');
    service.mark('p4', 'second', 'another run');
    const overview = await new PanelJudge(service, () => 70).overview(info);
    assert.deepEqual(overview.marks, [
      { id: 'p1', traceIds: ['p1-a', 'p1-b'], verdict: 'first' },
      { id: 'p2', traceIds: ['p2-a', 'p2-b'], verdict: 'tie' },
    ]);
    assert.deepEqual([overview.verdicts.length, overview.problems, overview.bar], [1, ['line 3 is torn'], 0.7]);
    assert.equal((await new PanelJudge(service, () => 0).overview(info)).bar, null);
    assert.deepEqual([...new Set(service.asked)], [`readPreferences ${workspace}`]);
  });

  it('keeps a correction beside the judge’s ranking, with who and when', async () => {
    const judge = new PanelJudge(service, () => 70);
    assert.equal((await judge.ofGroup(info, { groupId: 'g1', traceIds: ['p1-a', 'p1-b'] })).correction, null);
    const answer = await judge.correct(info, {
      type: 'correctRanking',
      runId: 'run',
      taskId: 't',
      groupId: 'g1',
      traceIds: ['p1-b', 'p1-a'],
      ranks: [1, 2],
      judge: { model: 'm', ranks: [2, 1] },
    });
    assert.deepEqual(answer.correction, { traceIds: ['p1-b', 'p1-a'], ranks: [1, 2], author: 'Lena', t: 1000 });
    assert.deepEqual(
      [answer.verdicts[0]!.ranks, answer.verdicts[0]!.rawReply],
      [[1, 2], 'raw'],
      'the judge’s own is untouched',
    );
  });
});
