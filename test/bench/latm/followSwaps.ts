/** Follow who swaps what with whom, and find the letter of the option that is right at the end.
 *  @param story the story with its question and its options, as it was told
 *  @pure
 *  @tool */
export function followSwaps(story: string): string {
  const [start = '', swaps = ''] = story.split('\n');
  const has = new Map<string, string>();
  const verb = '(?:has|gets|is playing|is dancing with)';
  const given = new RegExp(`([A-Z]\\w+) ${verb} (?:an? )?(.+?)(?=, (?:and )?[A-Z]\\w+ ${verb}|\\.$|$)`, 'g');
  for (const [, who, what] of start.slice(start.lastIndexOf(':') + 1).matchAll(given)) has.set(who!, what!);
  for (const [, one, other] of swaps.matchAll(/([A-Z]\w+) and ([A-Z]\w+) (?:swap|trade|switch)/g)) {
    const [first, second] = [has.get(one!)!, has.get(other!)!];
    has.set(one!, second);
    has.set(other!, first);
  }
  const asked = /At the end of the \w+, (\w+) /.exec(swaps)?.[1] ?? '';
  const options = [...story.matchAll(/(\(\w\)) ([^\n]+)/g)];
  return options.find(([, , what]) => what === has.get(asked))?.[1] ?? '';
}
