/**
 * Every word of the page comes from strings.json, by key; the host may send translations of any of them with the
 * snapshot.
 * Placeholders are {name}; {name|step|steps} is the first word where the value is 1, else the second. A missing translation falls back to English, a missing value stays visible as {name}.
 */
import english from './strings.json';

export type StringKey = keyof typeof english;

let translated: Record<string, string> = {};

export function setStrings(overrides: Record<string, string>): void {
  translated = overrides;
}

export function t(key: StringKey, values: Record<string, string | number> = {}): string {
  const text = translated[key] ?? english[key];
  return text.replace(/\{(\w+)(?:\|([^|{}]*)\|([^|{}]*))?\}/g, (whole, name: string, one?: string, many?: string) => {
    if (!Object.hasOwn(values, name)) return whole;
    const value = String(values[name]);
    return one === undefined || many === undefined ? value : value === '1' ? one : many;
  });
}
