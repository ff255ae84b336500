/**
 * How the tokenizers in use cut text before their merges. These patterns take time by the length of the text; one of
 * somebody else may go back and forth in it for ever, and so is run under a limit (tokenizer.ts).
 */

/** Llama 3's with up to three digits at a time (\p{N}{1,3}), Qwen 2's and 3's with one (\p{N}). */
export const wordsPattern = (digits: string): string =>
  `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|${digits}| ` +
  '?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+';

const KNOWN = new Set([
  wordsPattern('\\p{N}{1,3}'),
  wordsPattern('\\p{N}'),
  '\\p{N}',
  '\\p{N}+',
  // nano's
  '[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[A-Z]|[0-9]|\\s|[^\\sA-Za-z0-9]',
]);

/** Does any part of a tokenizer.json have a pattern that is none of these? */
export function hasForeignPattern(part: unknown): boolean {
  if (typeof part !== 'object' || part === null) return false;
  return Object.entries(part).some(([key, value]) =>
    key === 'Regex' ? !KNOWN.has(String(value)) : hasForeignPattern(value),
  );
}
