/** A text with its {names} replaced; one that nothing is given for stays. */
export const fill = (text: string, parts: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (whole, key: string) => parts[key] ?? whole);
