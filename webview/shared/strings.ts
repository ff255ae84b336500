/**
 * Every word of the page comes from strings.json, by key; the host may send translations of any of them with the
 * snapshot.
 * Placeholders are {name}. A missing translation falls back to English, a missing value stays visible as {name}.
 */
import english from './strings.json';

export type StringKey = keyof typeof english;

let translated: Record<string, string> = {};

export function setStrings(overrides: Record<string, string>): void {
  translated = overrides;
}

export function t(key: StringKey, values: Record<string, string | number> = {}): string {
  const text = translated[key] ?? english[key];
  return text.replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : whole,
  );
}
