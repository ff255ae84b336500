/** Evaluate an expression of True, False, not, and, or, with brackets.
 *  @param expression the expression alone
 *  @pure
 *  @tool */
export function evaluateLogic(expression: string): string {
  const tokens = expression.match(/\(|\)|True|False|not|and|or/g) ?? [];
  let at = 0;
  const atom = (): boolean => {
    const token = tokens[at++];
    if (token === 'not') return !atom();
    if (token !== '(') return token === 'True';
    const value = either();
    at++;
    return value;
  };
  const both = (): boolean => {
    let value = atom();
    while (tokens[at] === 'and') {
      at++;
      const next = atom();
      value = value && next;
    }
    return value;
  };
  const either = (): boolean => {
    let value = both();
    while (tokens[at] === 'or') {
      at++;
      const next = both();
      value = value || next;
    }
    return value;
  };
  return either() ? 'True' : 'False';
}
