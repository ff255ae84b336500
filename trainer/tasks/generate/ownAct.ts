/** An order as what one does oneself: "so that I can tell me the price" is said by nobody. */
export const ownAct = (order: string): string =>
  order.replace(/^tell me\b/, 'find out').replace(/^(?:show|give|get|fetch|bring) me\b/, 'see');
