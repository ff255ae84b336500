/** Follow who says of whom that they lie or tell the truth, and answer whether the one who is asked about does: Yes or No.
 *  @param statements the statements and the question, as they were said
 *  @pure
 *  @tool */
export function tellsTheTruth(statements: string): string {
  const isTrue = new Map<string, boolean>();
  for (const sentence of statements.split(/[.?]/)) {
    const said = /(\w+) says (\w+) (lies|tells the truth)/.exec(sentence);
    const plain = /(\w+) (lies|tells the truth)$/.exec(sentence.trim());
    if (said) isTrue.set(said[1]!, isTrue.get(said[2]!) === (said[3] === 'tells the truth'));
    else if (plain) isTrue.set(plain[1]!, plain[2] === 'tells the truth');
  }
  const asked = /Does (\w+) tell the truth/.exec(statements)?.[1];
  return isTrue.get(asked ?? '') ? 'Yes' : 'No';
}
