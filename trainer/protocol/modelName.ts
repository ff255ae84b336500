/**
 * A model as one calls it: its owner and name where it lies in the hub's cache, its number where Ollama keeps it under
 * its hash, else the last part of its path.
 */
export function modelName(model: string): string {
  const [, owner, name, file = ''] =
    /[\\/]models--([^\\/]+?)--([^\\/]+)[\\/]snapshots[\\/][^\\/]+(?:[\\/]([^\\/]+))?$/.exec(model) ?? [];
  if (owner !== undefined) return `${owner}/${name}${file && ` ${file}`}`;
  return (model.split(/[\\/]/).filter(Boolean).pop() ?? model).replace(/^sha256-([0-9a-f]{8})[0-9a-f]+$/, 'Ollama $1');
}

/** What the embedded model, nano, is. */
export const EMBEDDED_WORDS = 'a demonstration that runs at once';
