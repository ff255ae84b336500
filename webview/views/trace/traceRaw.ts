/** The record itself, folded; to the clipboard or into an editor for all that this page does not do. */
import type { Trace } from '../../../trainer/protocol/trace';
import { button } from '../../components/controls';
import { jsonTree } from '../../components/json';
import { h } from '../../components/dom';
import type { Store } from '../../store';
import { t } from '../../shared/strings';

export function rawPanel(trace: Trace, store: Store): HTMLElement {
  const text = (): string => JSON.stringify(trace, null, 2);
  return h(
    'div',
    { class: 'raw' },
    h(
      'div',
      { class: 'actions' },
      button({
        label: t('action.copyJson'),
        icon: 'copy',
        onClick: () => store.send({ type: 'copy', text: text(), what: t('raw.what') }),
      }).element,
      button({
        label: t('action.openEditor'),
        icon: 'go-to-file',
        onClick: () => store.send({ type: 'openDocument', text: text(), language: 'json' }),
      }).element,
      button({
        label: t('action.saveTrace'),
        icon: 'save',
        title: t('action.saveTrace.about'),
        onClick: () =>
          store.send({
            type: 'saveFile',
            text: `${JSON.stringify(trace)}\n`,
            name: `${trace.id.replace(/[^\w.-]+/g, '-')}.trace.jsonl`,
          }),
      }).element,
      button({
        label: t('action.copyId'),
        icon: 'tag',
        onClick: () => store.send({ type: 'copy', text: trace.id, what: t('raw.id') }),
      }).element,
    ),
    jsonTree(trace, 1),
  );
}
