/** Find the brackets that close a sequence of brackets, in order, with spaces between.
 *  @param brackets the sequence that was begun, such as "( [ ]"
 *  @pure
 *  @tool */
export function closeBrackets(brackets: string): string {
  const closing: Record<string, string> = { '(': ')', '[': ']', '{': '}', '<': '>' };
  const open: string[] = [];
  for (const sign of brackets) {
    if (sign in closing) open.push(closing[sign]!);
    else if (sign.trim() !== '') open.pop();
  }
  return open.reverse().join(' ');
}
