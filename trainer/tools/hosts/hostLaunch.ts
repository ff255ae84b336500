/**
 * How a tool host is started: which script, which Node flags, which environment. Nothing of ours is inherited but what
 * stands here.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir, tmpdir } from 'node:os';
import { delimiter, dirname, isAbsolute, join, sep } from 'node:path';
import type { ToolNetwork } from '../../protocol/settings/choices';

/** Names that a host may see of our environment; secrets have other names, and a user adds to the list knowingly. */
const ENVIRONMENT = ['LANG', 'LC_ALL', 'LC_CTYPE', 'TZ', 'SystemRoot', 'windir', 'PATHEXT'];
/** These load code into the process or change its flags, or are our own secret, so no list may name them. */
const NEVER = /^(NODE_|LD_|DYLD_|ELECTRON_|COACH_JUDGE_KEY$)/i;

/** @param allowed further names, of the user's setting */
export function hostEnvironment(allowed: readonly string[], scratch: string): Record<string, string> {
  const environment: Record<string, string> = { TMPDIR: scratch, TMP: scratch, TEMP: scratch };
  for (const name of [...ENVIRONMENT, ...allowed]) {
    const value = process.env[name];
    if (value !== undefined && !NEVER.test(name)) environment[name] = value;
  }
  return environment;
}

/** A way to start a host with walls. */
export interface LaunchWay {
  /** The program that starts Node, with its arguments; empty: none. */
  before: readonly string[];
  permission: readonly string[];
}

const plain = (...permission: string[]): LaunchWay => ({ before: [], permission });

/**
 * Ways to switch the permission model on, newest first; the host says by itself what stands.
 * Node 25 walls the network too, unless told otherwise: tools that fetch must work alike on every Node.
 */
const OPEN_WAYS = [
  plain('--permission', '--allow-net'),
  plain('--permission'),
  plain('--experimental-permission'),
  plain(),
];

/**
 * With a wall around the network: Node 25's own, else, on Linux, a namespace that has no network but its own. Which of
 * them holds is not known before it was tried.
 */
function closedWays(): LaunchWay[] {
  const unshare = process.platform === 'linux' ? inPath('unshare') : undefined;
  if (unshare === undefined) return [plain('--permission')];
  const before = [unshare, '--user', '--map-current-user', '--net', '--'];
  return [
    plain('--permission'),
    ...[['--permission'], ['--experimental-permission']].map((permission) => ({ before, permission })),
  ];
}

export const launchWays = (network: ToolNetwork): LaunchWay[] => (network === 'deny' ? closedWays() : OPEN_WAYS);

function inPath(name: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders
    .filter(isAbsolute)
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
}

/** @param readable files and folders; @param writable folders */
export function hostFlags(
  permission: readonly string[],
  readable: readonly string[],
  writable: readonly string[],
  memoryMb: number,
): string[] {
  // Node's own resolver of imports, asked for a file that is not itself an ES module to Node (host/packages.ts).
  const flags = ['--no-warnings', '--experimental-import-meta-resolve', `--max-old-space-size=${memoryMb}`];
  if (permission.length === 0) return flags;
  return [
    ...flags,
    ...permission,
    ...readable.map((path) => `--allow-fs-read=${path}`),
    ...writable.map((path) => `--allow-fs-write=${path}`),
  ];
}

/**
 * Places that must be out of reach if the file system wall stands: the host tries each. @param refused what is inside
 * and not granted
 */
export function wallProbes(
  workspace: string,
  readable: readonly string[],
  refused: readonly string[] = [],
): { unreadable: string[]; unwritable: string[] } {
  const isInside = (path: string) => readable.some((folder) => path === folder || path.startsWith(folder + sep));
  return {
    unreadable: [...[homedir(), dirname(process.execPath)].filter((path) => !isInside(path)), ...refused.slice(0, 8)],
    unwritable: [workspace, homedir(), tmpdir()],
  };
}

/** The host's script: beside us in the product, built once into the temporary folder when we run from source. */
export function hostScript(): string {
  const bundled = join(__dirname, 'toolHost.js');
  if (existsSync(bundled)) return bundled;
  return buildFromSource(join(__dirname, 'toolHost.ts'));
}

let built: string | undefined;

function buildFromSource(source: string): string {
  if (built) return built;
  if (!existsSync(source)) throw new Error(`hostScript: neither toolHost.js nor toolHost.ts lies in ${__dirname}`);
  // Through createRequire, so that no bundler takes the build tool into the product.
  const { buildSync } = createRequire(__filename)('esbuild') as typeof import('esbuild');
  const { outputFiles } = buildSync({
    entryPoints: [source],
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    write: false,
    logLevel: 'silent',
  });
  const text = outputFiles[0]?.text ?? '';
  const folder = join(tmpdir(), `coach-host-${process.getuid?.() ?? 'user'}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(
    realpathSync(folder),
    `toolHost-${createHash('sha256').update(text).digest('hex').slice(0, 16)}.js`,
  );
  if (!existsSync(path)) {
    writeFileSync(`${path}.${process.pid}`, text);
    renameSync(`${path}.${process.pid}`, path);
  }
  return (built = path);
}
