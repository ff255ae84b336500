import { openRig } from '/work/main/test/webview/harness.mjs';
import { recordedRun, until } from '/work/main/test/webview/fixture';
import { traceOf } from '/work/main/test/webview/traceFixture';
import { emptyRun, reduceRun } from '/work/main/trainer/protocol/runState';
const rec = recordedRun();
const fold = (events) => events.reduce(reduceRun, emptyRun);
const rig = await openRig();
const which = process.argv.slice(2);
const want = (n) => which.length === 0 || which.some((w) => n.startsWith(w));
async function shot(name, { theme = 'dark', events = rec.events, route, act, ...o }: any) {
  if (!want(name)) return;
  const p = await rig.openPanel({ theme, ...o });
  const state = events ? fold(events) : null;
  await p.serve({ type: 'snapshot', runId: state ? rec.manifest.id : null, state, runs: state ? [{...rec.info, status: state.status}, { ...rec.info, id: 'older', createdAt: rec.info.createdAt - 1e7, method: 'sft' }] : [], strings: {}, locale: 'en', trainingRefused: null, ...(route ? { route } : {}) }, (s) => traceOf(s, rec.manifest.id));
  await p.settle();
  if (act) await act(p);
  console.log(await p.shot(name), p.problems);
  await p.close();
}
const mid = until(rec, (e) => e.type === 'stepFinished' && e.step === 38);
for (const theme of ['dark', 'light', 'highContrast', 'highContrastLight']) {
  await shot(`${theme}-run`, { theme });
  await shot(`${theme}-live`, { theme, events: mid });
  await shot(`${theme}-trace`, { theme, route: { page: 'trace', traceId: 's30-g3-1' } });
  await shot(`${theme}-tokens`, { theme, route: { page: 'trace', traceId: 's30-g3-1' }, act: (p) => p.page.getByRole('tab', { name: 'Tokens' }).click() });
  await shot(`${theme}-traces`, { theme, route: { page: 'traces', step: 30 } });
  await shot(`${theme}-group`, { theme, route: { page: 'group', groupId: 's30-g3' } });
  await shot(`${theme}-evaluation`, { theme, route: { page: 'evaluation' } });
  await shot(`${theme}-tools`, { theme, route: { page: 'tools' } });
  await shot(`${theme}-empty`, { theme, events: null });
}
await shot('x-timeout', { route: { page: 'trace', traceId: 's30-g3-3' } });
await shot('x-unreadable', { route: { page: 'trace', traceId: 's30-g2-5' } });
await shot('x-tables', { act: (p) => p.page.getByRole('checkbox', { name: 'as tables' }).click() });
await shot('x-narrow', { width: 480 });
await shot('x-narrowtrace', { width: 480, route: { page: 'trace', traceId: 's30-g3-1' } });
await shot('x-zoom', { width: 1280, scale: 2 });
await shot('x-cursor', { act: async (p) => { const b = await p.page.locator('[data-chart=reward] .u-over').boundingBox(); await p.page.mouse.move(b.x + b.width/2, b.y + b.height/2); } });
await rig.close();
