import { framed } from '../framed';

/** The question of a checklist or a rubric. @param title of the list of criteria; verb: what to do with each */
export const criteriaUser =
  (title: string, verb: string) =>
  (task: string, criteria: readonly { id: string; text: string }[], attempt: string): string =>
    [
      `The task:\n${framed(task)}`,
      `${title}:\n${criteria.map(({ id, text }) => `${id}: ${framed(text)}`).join('\n')}`,
      `<attempt>\n${attempt}\n</attempt>`,
      `${verb} ${criteria.map(({ id }) => id).join(', ')}.`,
    ].join('\n\n');

/** The shape of its reply. @param verdict what is said of each criterion beside its id, in this order */
export const criteriaSchema = (verdict: Record<string, object>): Record<string, unknown> => ({
  type: 'object',
  additionalProperties: false,
  required: ['criteria'],
  properties: {
    criteria: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['id', ...Object.keys(verdict)],
        properties: { id: { type: 'string' }, ...verdict },
      },
    },
  },
});
