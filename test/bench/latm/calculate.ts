/** Calculate an expression of whole numbers with +, -, * and brackets.
 *  @param expression the expression alone, without "="
 *  @pure
 *  @tool */
export function calculate(expression: string): number {
  const tokens = expression.match(/\d+|[-+*()]/g) ?? [];
  let at = 0;
  const atom = (): number => {
    const token = tokens[at++];
    if (token === '-') return -atom();
    if (token !== '(') return Number(token);
    const value = sum();
    at++;
    return value;
  };
  const product = (): number => {
    let value = atom();
    while (tokens[at] === '*') {
      at++;
      value *= atom();
    }
    return value;
  };
  const sum = (): number => {
    let value = product();
    while (tokens[at] === '+' || tokens[at] === '-') value += tokens[at++] === '+' ? product() : -product();
    return value;
  };
  return sum() + 0;
}
