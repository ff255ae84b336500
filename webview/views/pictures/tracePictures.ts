/** The pictures of a set of traces: how calls ended, what was wanted and called, rewards over steps, success by kind. */
import type { TraceSummary } from '../../../trainer/protocol/trace';
import { picture } from '../../components/picture';
import {
  NO_TOOL,
  rewardHistogram,
  successByKind,
  toolOutcomes,
  wantedAgainstCalled,
  type Facts,
  type Outcome,
  type Picture,
} from '../../derive/pictures';
import { t } from '../../shared/strings';
import { tagName } from '../run/runResultWords';
import type { TaskSource } from '../../../trainer/protocol/task';

export type Open = (title: string, traceIds: readonly string[]) => void;
type Traces = readonly TraceSummary[];

const toolName = (name: string): string => (name === NO_TOOL ? t('picture.noTool') : name);
const isEmpty = ({ rows, columns }: Picture): boolean => rows.length === 0 || columns.length === 0;

export function outcomesPicture(traces: Traces, facts: Facts, open: Open): HTMLElement | null {
  const data = toolOutcomes(traces, facts);
  if (isEmpty(data)) return null;
  return picture(
    data,
    {
      title: t('picture.outcomes'),
      about: t('picture.outcomes.about'),
      corner: t('picture.outcomes.corner'),
      row: toolName,
      column: (outcome) => t(`outcomeName.${outcome as Outcome}`),
    },
    open,
  );
}

export function confusionPicture(traces: Traces, facts: Facts, open: Open): HTMLElement | null {
  const data = wantedAgainstCalled(traces, facts);
  if (isEmpty(data)) return null;
  return picture(
    data,
    {
      title: t('picture.confusion'),
      about: t('picture.confusion.about'),
      corner: t('picture.confusion.corner'),
      row: toolName,
      column: toolName,
    },
    open,
  );
}

export function rewardsPicture(traces: Traces, open: Open): HTMLElement | null {
  const data = rewardHistogram(traces);
  if (isEmpty(data)) return null;
  return picture(
    data,
    {
      title: t('picture.rewards'),
      about: t('picture.rewards.about'),
      corner: t('picture.rewards.corner'),
      row: (name) => name,
      column: (name) => name,
    },
    open,
  );
}

export function kindsPicture(sets: { name: string; traces: Traces }[], facts: Facts, open: Open): HTMLElement | null {
  const data = successByKind(sets, facts);
  if (isEmpty(data)) return null;
  return picture(
    data,
    {
      title: t('picture.kinds'),
      about: t('picture.kinds.about'),
      corner: t('picture.kinds.corner'),
      row: (name, i) => (i < data.sources ? t(`source.${name as TaskSource}`) : tagName(name)),
      column: (name) => name,
    },
    open,
  );
}
