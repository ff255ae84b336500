/**
 * `npm start`, as a user types it, with the packages installed and dist/ built before: seconds from the command to its
 * end, and the highest memory of all its processes, beside before -> after on the held-out tasks. peakMiB: a page that
 * processes share is shared out among them (PSS; Linux alone, else null); residentMiB: it counts in each (RSS). One
 * line of JSON.
 *
 * Run: npm run bench start, or node --import tsx test/bench/start.ts [arguments of coach train, such as --steps 2]
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { processor, round } from './measured';

const ROOT = resolve(__dirname, '../..');
const SAMPLE_EVERY_MS = 400;

interface Process {
  pid: number;
  parent: number;
  rssKiB: number;
}

interface Memory {
  /** null: the system doesn't say */
  pssKiB: number | null;
  rssKiB: number;
  processes: number;
}

/** All processes: from /proc where there is one, else from ps. */
function listProcesses(): Process[] {
  if (process.platform !== 'linux') {
    const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid=,rss='], { encoding: 'utf8' });
    return (stdout ?? '')
      .trim()
      .split('\n')
      .map((line) => line.trim().split(/\s+/).map(Number))
      .map(([pid = 0, parent = 0, rssKiB = 0]) => ({ pid, parent, rssKiB }));
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const status = readFileSync(`/proc/${name}/status`, 'utf8');
        const read = (field: string): number => Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
        return [{ pid: Number(name), parent: read('PPid'), rssKiB: read('VmRSS') }];
      } catch {
        return []; // it ended meanwhile
      }
    });
}

function pssKiB(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0; // it ended meanwhile
  }
}

function treeMemory(root: number): Memory {
  const all = listProcesses();
  const tree = new Set([root]);
  for (let size = 0; size !== tree.size; ) {
    size = tree.size;
    for (const { pid, parent } of all) if (tree.has(parent)) tree.add(pid);
  }
  const found = all.filter(({ pid }) => tree.has(pid));
  const sumOf = (kiB: (of: Process) => number): number => found.reduce((sum, one) => sum + kiB(one), 0);
  const pss = process.platform === 'linux' ? sumOf(({ pid }) => pssKiB(pid)) : null;
  return { pssKiB: pss, rssKiB: sumOf(({ rssKiB }) => rssKiB), processes: found.length };
}

async function main(args: string[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'coach-start-'));
  try {
    const warm = spawnSync(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        "import { build, ensureInstalled } from './extension/build/install.mjs'; ensureInstalled(); build();",
      ],
      { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] },
    );
    if (warm.status !== 0) throw new Error('start: the build failed');
    const isWindows = process.platform === 'win32';
    const startedAt = performance.now();
    const child = spawn('npm', ['start', '--silent', '--', '--json', '--run-dir', join(folder, 'run'), ...args], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'inherit'],
      shell: isWindows,
    });
    let stdout = '';
    child.stdout.on('data', (data: Buffer) => (stdout += data.toString()));
    const samples: Memory[] = [];
    const timer = setInterval(() => void samples.push(treeMemory(child.pid!)), SAMPLE_EVERY_MS);
    const code = await new Promise<number | null>((done) => child.on('close', done));
    clearInterval(timer);
    const seconds = (performance.now() - startedAt) / 1000;
    const peakOf = (measure: (of: Memory) => number): number => Math.max(...samples.map(measure));
    const line = stdout.split('\n').find((each) => each.startsWith('{'));
    if (code !== 0 || line === undefined) throw new Error(`start: npm start ended with ${code}`);
    const { engine, steps, seconds: trainSeconds, before, after, gain } = JSON.parse(line) as Record<string, unknown>;
    console.log(
      JSON.stringify({
        bench: 'start',
        seconds: round(seconds, 1),
        peakMiB: process.platform === 'linux' ? round(peakOf(({ pssKiB }) => pssKiB ?? 0) / 1024, 0) : null,
        residentMiB: isWindows ? null : round(peakOf(({ rssKiB }) => rssKiB) / 1024, 0),
        before,
        after,
        gain,
        trainSeconds,
        steps,
        engine,
        processes: peakOf(({ processes }) => processes),
        arguments: args,
        cores: availableParallelism(),
        processor: processor(),
        node: process.version,
      }),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

void main(process.argv.slice(2));
