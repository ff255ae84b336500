/** Find the one order of things that fits all statements, and the letter of the option that is true in it.
 *  @param puzzle the paragraph with its statements and its options, as it was written
 *  @pure
 *  @tool */
export function findOrder(puzzle: string): string {
  const [text = '', options = ''] = puzzle.replace(/^.*?within each paragraph\. /s, '').split('\nOptions:\n');
  const bare = (name: string): string => name.trim().replace(/^(?:the|an?) /i, '');
  const [setting = '', ...statements] = text.split(/\. |\.$/).filter((one) => one.trim() !== '');
  const things = setting
    .slice(setting.lastIndexOf(':') + 1)
    .split(/, and |, /)
    .map(bare);
  const ordinals = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh'];
  const ends: Record<string, number> = { leftmost: 0, newest: 0, 'most expensive': 0, first: 0 };
  const others = ['rightmost', 'oldest', 'cheapest', 'last', 'right'];
  /** Counted from the left, the newest, the most expensive, the first. */
  const placeOf = (words: string): number => {
    if (words in ends) return ends[words]!;
    if (others.includes(words)) return things.length - 1;
    const [, ordinal = '', end = ''] = /^(\w+)(?:-to-|-| from the )?(.*)$/.exec(words) ?? [];
    const nth = ordinals.indexOf(ordinal);
    return others.includes(end) ? things.length - 1 - nth : nth;
  };
  const holds = (statement: string, order: readonly string[]): boolean => {
    const [, subject = '', said = ''] = /^(.+?) (?:is|are|finished) (?:the )?(.+)$/.exec(statement.trim()) ?? [];
    const place = order.indexOf(bare(subject));
    const than =
      /^(to the left of|newer than|more expensive than|above|to the right of|older than|less expensive than|below) (.+)$/.exec(
        said,
      );
    if (!than) return place === placeOf(said);
    const other = order.indexOf(bare(than[2]!));
    return /left|newer|more|above/.test(than[1]!) ? place < other : place > other;
  };
  const orders = (left: readonly string[]): string[][] =>
    left.length === 0
      ? [[]]
      : left.flatMap((one) => orders(left.filter((other) => other !== one)).map((rest) => [one, ...rest]));
  const order = orders(things).find((one) => statements.every((statement) => holds(statement, one))) ?? [];
  const right = options.split('\n').find((option) => holds(option.replace(/^\(\w\) /, ''), order));
  return right?.slice(0, 3) ?? '';
}
