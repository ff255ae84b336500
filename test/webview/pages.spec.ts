/**
 * Every page of the panel, with all of its folds open, in every theme: axe-core finds nothing, and nothing is wider than
 * the window at 1,000 px. COACH_WIDTHS=1000,1440 looks at other widths; pictures go to test/artifacts/webview/pages-*.
 */
import assert from 'node:assert/strict';
import { emptyRun, reduceRun } from '../../trainer/protocol/runState';
import type { TraceSummary } from '../../trainer/protocol/trace';
import type { PanelEvent, PanelRequest, Route } from '../../webview/messages';
import type { TaskFacts } from '../../webview/shared/taskFacts';
import { inBrowser, themes } from './browser';
import { recordedRun } from './fixture';
import { marksOf, verdictsOf } from './judgeFixture';
import { traceOf } from './traceFixture';

const recording = recordedRun();
const runId = recording.manifest.id;
const whole = recording.events.reduce(reduceRun, emptyRun);
const verdicts = verdictsOf(whole.traces);
const cut = whole.traces.find(({ truncated }) => truncated !== 'no')!;
const requests = Array.from({ length: 10 }, (_, i) => ({
  id: `request-${i}`,
  prompt: ['Anything from Ana about the invoice?', 'How many mails did I not read yet', 'Tell Bo that I come later'][
    i % 3
  ]!,
  calls: i % 3 === 2 ? [] : [{ name: 'searchEmails', arguments: { query: 'invoice', from: 'Ana' } }],
}));
const tries = requests.flatMap(({ id, prompt }, i) =>
  ['base', 'step 60'].map(
    (checkpoint, j): TraceSummary => ({
      ...cut,
      id: `${id}-${j}`,
      groupId: `try-${i}`,
      taskId: id,
      prompt,
      phase: 'try',
      step: 60,
      checkpoint,
      path: 'searchEmails → answer',
      truncated: 'no',
      solved: i < 3 + 4 * j,
    }),
  ),
);
const state = { ...whole, traces: [...whole.traces, ...tries] };
const ids = Array.from(new Set(whole.traces.map(({ taskId }) => taskId)));
const tasks = ids.map(
  (id, i): TaskFacts => ({
    id,
    wanted: [['searchEmails'], ['searchEmails', 'readEmail'], [], null][i % 4]!,
    source: i % 3 === 0 ? 'person' : 'grammar',
    tags: [['one call', 'two calls', 'no tool'][i % 3]!],
  }),
);

function answer(request: PanelRequest): PanelEvent | null {
  switch (request.type) {
    case 'openTasks':
      return { type: 'tasks', runId, tasks };
    case 'openJudge':
      return {
        type: 'judge',
        runId,
        verdicts: verdicts.map((one) => ({ ...one, reasons: [], rawReply: '' })),
        marks: marksOf(whole.traces),
        problems: [],
        bar: 0.9,
      };
    case 'openVerdicts':
      return {
        type: 'verdicts',
        runId,
        groupId: request.groupId,
        verdicts: verdicts.filter(({ groupId }) => groupId === request.groupId),
        correction: null,
      };
    case 'openTry':
      return {
        type: 'versions',
        runId,
        versions: [
          { version: 'base', step: 0 },
          { version: 'adapter', step: 60 },
        ],
        refused: null,
      };
    case 'openRequests':
      return {
        type: 'requests',
        runId,
        requests,
        problems: [],
        before: 'base',
        after: 'step 60',
        tools: [],
        notes: [],
      };
    case 'openMarking':
      return { type: 'marking', marking };
    default:
      return null;
  }
}
const side = (query: string) => ({
  steps: [
    { kind: 'call' as const, title: 'Step 1 · calls searchEmails', lines: [`query: "${query}"`], turn: 0 },
    { kind: 'answer' as const, title: 'Step 2 · answers', lines: ['It is mail 3, of Ana.'], turn: 1 },
  ],
  draft: { content: '', calls: [] },
});
const marking: Extract<PanelEvent, { type: 'marking' }>['marking'] = {
  pair: {
    id: 'p',
    prompt: 'Anything from Ana about the invoice?',
    before: [],
    sides: { a: side('Ana'), b: side('invoice') },
    isBlind: true,
    tools: [],
  },
  left: 12,
  total: 30,
  done: [{ lineId: 'l', answer: 'bothBad', prompt: 'Say hello.' }],
  reasons: [],
  none: null,
  trainable: 7,
};

const PAGES: [string, Route][] = [
  ['run', { page: 'run' }],
  ['evaluation', { page: 'evaluation' }],
  ['traces', { page: 'traces', step: 30 }],
  ['trace', { page: 'trace', traceId: cut.id }],
  ['group', { page: 'group', groupId: 's30-g3' }],
  ['judge', { page: 'judge' }],
  ['judged', { page: 'judge', groupId: 's30-g3' }],
  ['marking', { page: 'marking' }],
  ['try', { page: 'try', groupId: 'try-0' }],
  ['tools', { page: 'tools' }],
  ['runs', { page: 'runs' }],
];

describe('every page in every theme', function () {
  this.timeout(600_000);
  const browser = inBrowser({
    run: { runId, state, runs: [recording.info, { ...recording.info, id: 'other', method: 'sft' }] },
    trace: (summary) => traceOf(summary, runId),
    answer,
  });
  const unfold = (): Promise<void> =>
    browser.page.evaluate(() => {
      for (const fold of Array.from(document.querySelectorAll<HTMLDetailsElement>('main details'))) fold.open = true;
      document.documentElement.scrollTop = 0;
    });

  for (const width of (process.env['COACH_WIDTHS'] ?? '1000').split(',').map(Number))
    for (const theme of themes)
      it(`${theme}, ${width} px`, async () => {
        await browser.show({ page: 'run' }, { theme, width, withAxe: true });
        const findings: string[] = [];
        for (const [name, route] of PAGES) {
          await browser.go(route);
          await browser.panel.settle();
          await browser.panel.shot(`pages-${name}-${theme}-${width}`);
          await unfold();
          findings.push(...(await browser.serious()).map((found) => `${name}: ${found}`));
          const over = await browser.overflow();
          if (over > 0) findings.push(`${name}: ${over} px wider than the window`);
        }
        assert.deepEqual(findings, []);
      });
});
