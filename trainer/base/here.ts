/** The folder that one is in: as a path, as people say it, and whether they do. */
export const HERE = '.';

export const HERE_SAID = ['the current folder', 'the current directory', 'this folder', 'this directory', '"."'];

export const saysHere = (text: string): boolean => /\b(this|the current|the working) (folder|directory)\b/i.test(text);
