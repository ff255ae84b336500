/** Tokens in words: who wrote one, and its text made visible. */
import type { StringKey } from '../../shared/strings';

export const writers: Record<string, StringKey> = {
  p: 'writer.p',
  s: 'writer.s',
  f: 'writer.f',
  t: 'writer.t',
  x: 'writer.x',
};

/** White space and invisible characters in print, so that each token can be seen and pointed at. */
export function visible(text: string): string {
  if (text === '') return '∅';
  const shown = text
    .replaceAll('\n', '↵')
    .replaceAll('\t', '⇥')
    .replace(/[\u0000-\u001f\u007f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g, '�');
  return shown.trim() === '' ? shown.replaceAll(' ', '␣') : shown;
}
