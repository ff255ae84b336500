/** What can be done with the open trace: copy it in three forms, make it a task, see its task at another time. */
import { taskOf } from '../../../trainer/protocol/taskOf';
import type { Trace } from '../../../trainer/protocol/trace';
import { button } from '../../components/controls';
import { otherTimes } from '../../shared/traceIndex';
import { h } from '../../components/dom';
import type { Store } from '../../store';
import { t, type StringKey } from '../../shared/strings';
import { openAiMessages, traceMarkdown } from '../../components/traceText';

export function traceTools(trace: Trace, store: Store): HTMLElement {
  const copy = (label: StringKey, what: StringKey, text: () => string): HTMLElement =>
    button({
      label: t(label),
      title: `${t('action.copyAs')} ${t(label)}`,
      onClick: () => store.send({ type: 'copy', text: text(), what: t(what) }),
    }).element;
  const others = otherTimes(store.index, trace);
  return h(
    'div',
    { class: 'actions trace-tools', role: 'group', 'aria-label': t('trace.actions') },
    h('span', { class: 'muted' }, t('action.copyAs')),
    copy('action.copyMarkdown', 'copied.markdown', () => traceMarkdown(trace)),
    copy('action.copyMessages', 'copied.messages', () => JSON.stringify(openAiMessages(trace), null, 2)),
    copy('action.json', 'raw.what', () => JSON.stringify(trace, null, 2)),
    button({
      label: t('action.makeTask'),
      icon: 'beaker',
      title: t('action.makeTask.about'),
      onClick: () => store.send({ type: 'makeTask', runId: store.file ? null : store.runId, task: taskOf(trace) }),
    }).element,
    store.file
      ? null
      : button({
          label: t('action.tryAgain'),
          icon: 'debug-rerun',
          title: t('action.tryAgain.about'),
          onClick: () =>
            store.runId !== null &&
            store.send({
              type: 'tryAgain',
              runId: store.runId,
              traceId: trace.id,
              taskId: trace.taskId,
              prompt: trace.messages.find((m) => m.role === 'user')?.content ?? '',
            }),
        }).element,
    others.length > 0
      ? button({
          label: t('action.beforeAfter'),
          icon: 'split-horizontal',
          title: t('action.beforeAfter.about'),
          onClick: () => store.go({ page: 'compare', traceIds: others }),
        }).element
      : null,
    store.file
      ? null
      : button({
          label: t('action.diffTask'),
          icon: 'diff',
          title: t('action.diffTask.about'),
          onClick: () =>
            store.runId !== null && store.send({ type: 'diffTask', runId: store.runId, traceId: trace.id }),
        }).element,
  );
}
