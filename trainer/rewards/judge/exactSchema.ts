type Schema = Readonly<Record<string, unknown>>;

/**
 * The shape of a reply (a list of verdicts, each with its id) for the ids of one question: each once, in their order. A
 * model that is held to it can neither
 * leave one out nor make one up; what is asked and recorded stays the plain schema.
 * @param narrowed what else is known of a verdict's values, by name
 */
export function eachIdOnce(
  schema: Schema,
  ids: readonly string[],
  narrowed: Record<string, Schema> = {},
): Record<string, unknown> {
  const [only] = Object.entries(schema.properties as Record<string, { items: Schema }>);
  if (only === undefined) throw new Error('eachIdOnce: the reply has no list');
  const [list, { items }] = only;
  const verdict = (id: string): Schema => ({
    ...items,
    properties: { ...(items.properties as object), ...narrowed, id: { const: id } },
  });
  return {
    ...schema,
    properties: {
      [list]: {
        type: 'array',
        prefixItems: ids.map(verdict),
        items: false,
        minItems: ids.length,
        maxItems: ids.length,
      },
    },
  };
}
