/** Tell whether somebody who follows instructions comes back to where they began: Yes or No.
 *  @param instructions the steps and turns, as they were said
 *  @pure
 *  @tool */
export function comesBack(instructions: string): string {
  const facesForward = /always face forward/i.test(instructions);
  const compass = [
    [0, 1],
    [1, 0],
    [0, -1],
    [-1, 0],
  ] as const;
  let [x, y, facing] = [0, 0, 0];
  for (const sentence of instructions.split('.')) {
    const steps = /take (\d+) steps?(?: (forward|backward|left|right))?/i.exec(sentence);
    if (/turn left/i.test(sentence)) facing += 3;
    else if (/turn right/i.test(sentence)) facing += 1;
    else if (/turn around/i.test(sentence)) facing += 2;
    else if (steps) {
      const turn = { forward: 0, right: 1, backward: 2, left: 3 }[steps[2] ?? 'forward'] ?? 0;
      const [dx, dy] = compass[((facesForward ? 0 : facing) + turn) % 4]!;
      x += dx * Number(steps[1]);
      y += dy * Number(steps[1]);
    }
  }
  return x === 0 && y === 0 ? 'Yes' : 'No';
}
