/**
 * Discovery with schemas against plain ts-morph that adds all files and only finds the tags. Each measurement is a
 * process of its own, both sides take turns, medians count. Prints one line of JSON.
 *
 * Run: node --import tsx test/bench/discovery.ts [rounds]
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildSync } from 'esbuild';
import { writeWorkspace } from './discoveryWorkspace';

const ROOT = resolve(__dirname, '../..');

const COACH = `
import { Discovery } from ${JSON.stringify(join(ROOT, 'trainer/tools/toolFile.ts'))};
import { readFileSync, writeFileSync } from 'node:fs';
const [folder, ...changed] = process.argv.slice(2);
const discovery = new Discovery();
const begun = performance.now();
const { tools, diagnostics } = discovery.discover([folder!]);
const coldMs = performance.now(); // since the process began
const discoverMs = coldMs - begun;
const changedMs = changed.map((path, i) => {
  writeFileSync(path, readFileSync(path, 'utf8').replace('what to look for', 'what to look for, change ' + i));
  const start = performance.now();
  const again = discovery.discover([folder!]);
  if (!JSON.stringify(again.tools).includes('change ' + i)) throw new Error('the change was not seen');
  return performance.now() - start;
});
console.log(JSON.stringify({ tools: tools.length, errors: diagnostics.filter((each) => each.severity === 'error').length, coldMs, discoverMs, changedMs, peakMiB: process.resourceUsage().maxRSS / 1024 }));
`;

/** What one writes with ts-morph alone: all files in, every function and method looked at, tags by name, no schemas. */
const PEER = `
import { Project } from 'ts-morph';
const [folder] = process.argv.slice(2);
const project = new Project({ skipAddingFilesFromTsConfig: true });
project.addSourceFilesAtPaths(folder + '/**/*.ts');
let tools = 0;
for (const file of project.getSourceFiles()) {
  for (const fn of file.getFunctions()) if (fn.getJsDocs().some((docs) => docs.getTags().some((tag) => tag.getTagName() === 'tool'))) tools++;
  for (const each of file.getClasses()) for (const method of each.getMethods()) if (method.getDecorators().some((decorator) => decorator.getName() === 'tool')) tools++;
}
console.log(JSON.stringify({ tools, coldMs: performance.now(), peakMiB: process.resourceUsage().maxRSS / 1024 }));
`;

interface Measured { tools: number; errors?: number; coldMs: number; discoverMs?: number; changedMs?: number[]; peakMiB: number }

function bundle(folder: string, name: string, source: string): string {
  const entry = join(folder, `${name}.ts`);
  const outfile = join(folder, `${name}.cjs`);
  writeFileSync(entry, source);
  buildSync({ entryPoints: [entry], outfile, bundle: true, platform: 'node', format: 'cjs', external: ['ts-morph'], nodePaths: [join(ROOT, 'node_modules')], logLevel: 'error', tsconfigRaw: '{}' });
  return outfile;
}

function runChild(script: string, args: string[]): Measured & { wallMs: number } {
  const start = performance.now();
  const child = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8', env: { ...process.env, NODE_PATH: join(ROOT, 'node_modules'), NODE_OPTIONS: '' } });
  const wallMs = performance.now() - start;
  if (child.status !== 0) throw new Error(`${script}: ${child.stderr}`);
  return { ...(JSON.parse(child.stdout) as Measured), wallMs };
}

function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)]!;
}

function main(): void {
  const rounds = Number(process.argv[2] ?? 5);
  const scratch = mkdtempSync(join(tmpdir(), 'coach-discovery-'));
  try {
    const folder = mkdtempSync(join(scratch, 'workspace-'));
    const workspace = writeWorkspace(folder);
    const coach = bundle(scratch, 'coach', COACH);
    const peer = bundle(scratch, 'peer', PEER);
    const changed = workspace.toolFiles.slice(3, 10);
    const originals = changed.map((path) => readFileSync(path, 'utf8'));
    const ours: ReturnType<typeof runChild>[] = [];
    const theirs: ReturnType<typeof runChild>[] = [];
    const shares: number[] = [];
    const changedMs: number[] = [];
    runChild(peer, [folder]); // warms the file cache for both
    for (let round = 0; round < rounds; round++) {
      ours.push(runChild(coach, [folder]));
      theirs.push(runChild(peer, [folder]));
      const incremental = runChild(coach, [folder, ...changed]);
      changedMs.push(median(incremental.changedMs!));
      shares.push(median(incremental.changedMs!) / incremental.coldMs);
      changed.forEach((path, i) => writeFileSync(path, originals[i]!));
    }
    const found = ours[0]!;
    if (found.tools !== workspace.tools || theirs[0]!.tools !== workspace.tools) throw new Error(`found ${found.tools} and ${theirs[0]!.tools} of ${workspace.tools} tools`);
    const round = (value: number, digits = 3) => Number(value.toFixed(digits));
    const ourMs = median(ours.map((each) => each.wallMs));
    const theirMs = median(theirs.map((each) => each.wallMs));
    console.log(JSON.stringify({
      bench: 'discovery',
      ratio: round(ourMs / theirMs),
      peakMiB: round(Math.max(...ours.map((each) => each.peakMiB)), 0),
      changedFileShare: round(median(shares), 4),
      coldMs: round(ourMs, 0),
      discoverMs: round(median(ours.map((each) => each.discoverMs!)), 0),
      peerMs: round(theirMs, 0),
      peerPeakMiB: round(Math.max(...theirs.map((each) => each.peakMiB)), 0),
      changedFileMs: round(median(changedMs), 1),
      files: workspace.files, lines: workspace.lines, tools: workspace.tools, rounds,
    }));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

main();
