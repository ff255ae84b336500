import { existsSync, lstatSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { storing } from '../../base/storage';

const markers = ['.coach', '.git', 'package.json'];

/** Nearest ancestor (itself included) with .coach, .git or package.json; null where none has. */
function markedAncestor(path: string): string | null {
  let dir = isFolder(resolve(path)) ? resolve(path) : dirname(resolve(path));
  for (;;) {
    if (markers.some((m) => existsSync(join(dir, m)))) return dir;
    const up = dirname(dir);
    if (up === dir) return null;
    dir = up;
  }
}

/**
 * The folder beside which a tool file's runs lie. Where the caller stands in a workspace that contains the tool file,
 * it is that
 * workspace, so that `coach runs` there lists the run; else the tool file's own workspace; else its folder.
 */
export function workspaceOf(toolFile: string, cwd: string): string {
  const file = resolve(cwd, toolFile);
  const here = markedAncestor(cwd);
  if (here && !relative(here, file).startsWith('..')) return here;
  return markedAncestor(file) ?? (isFolder(file) ? file : dirname(file));
}

/** The workspace of a folder, for listing: the folder itself where no ancestor is marked. */
export const workspaceAt = (folder: string): string => markedAncestor(folder) ?? resolve(folder);

export const runsFolder = (workspace: string): string => join(workspace, '.coach', 'runs');

/**
 * Creates `.coach/` with a .gitignore that ignores runs but never preferences.jsonl, which is worth keeping in the
 * repository.
 */
export function ensureCoachFolder(workspace: string): string {
  const coach = join(workspace, '.coach');
  storing(coach, () => {
    mkdirSync(coach, { recursive: true });
    const ignore = join(coach, '.gitignore');
    if (lstatSync(ignore, { throwIfNoEntry: false })) return; // even as a link that leads nowhere
    writeFileSync(
      ignore,
      '# Runs are large and can be made again. preferences.jsonl is your work: keep it.\nruns/\n!preferences.jsonl\n',
      { flag: 'wx' },
    );
  });
  return coach;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
