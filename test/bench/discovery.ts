/**
 * Discovery with schemas against plain ts-morph that adds all files and only finds the tags: `ratio` against a walk
 * over
 * all nodes, `leastRatio` against the least that finds the tools of this workspace. Each measurement is a process of
 * its
 * own, the sides take turns, medians count; the ratios of processor time stay comparable on a busy machine. Prints one
 * line of JSON.
 *
 * Run: node --import tsx test/bench/discovery.ts [rounds]
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildSync } from 'esbuild';
import { addDefinedFiles, writeWorkspace } from './discoveryWorkspace';

const ROOT = resolve(__dirname, '../..');

/** Processor time of all threads so far: what a busy machine leaves comparable. */
const CPU = `
function cpuMs(): number { const { user, system } = process.cpuUsage(); return (user + system) / 1000; }
`;

const COACH = `
import { Discovery } from ${JSON.stringify(join(ROOT, 'trainer/tools/sources/typescript/toolFile.ts'))};
import { readFileSync, writeFileSync } from 'node:fs';
const [folder, ...changed] = process.argv.slice(2);
const discovery = new Discovery();
const begun = performance.now();
const { tools, diagnostics } = discovery.discover([folder!]);
const coldMs = performance.now(); // since the process began
const discoverMs = coldMs - begun;
const coldCpuMs = cpuMs();
const changedMs: number[] = [];
const changedCpuMs: number[] = [];
for (const [i, path] of changed.entries()) {
  writeFileSync(path, readFileSync(path, 'utf8').replace('what to look for', 'what to look for, change ' + i));
  const start = performance.now();
  const startCpu = cpuMs();
  const again = discovery.discover([folder!]);
  if (!JSON.stringify(again.tools).includes('change ' + i)) throw new Error('the change was not seen');
  changedMs.push(performance.now() - start);
  changedCpuMs.push(cpuMs() - startCpu);
}
console.log(JSON.stringify({ tools: tools.length, errors: diagnostics.filter((each) => each.severity === 'error').length, coldMs, discoverMs, cpuMs: coldCpuMs, changedMs, changedCpuMs, peakMiB: process.resourceUsage().maxRSS / 1024 }));
${CPU}`;

/** Both peers add all files and read tags by name; none makes a schema. */
const peer = (body: string) =>
  `
import { Node, Project, SyntaxKind } from 'ts-morph';
const [folder] = process.argv.slice(2);
const project = new Project();
project.addSourceFilesAtPaths(folder + '/**/*.ts');
const isMarked = (node: any) => node.getJsDocs().some((docs: any) => docs.getTags().some((tag: any) => tag.getTagName() === 'tool'));
const isDecorated = (node: any) => node.getDecorators().some((decorator: any) => decorator.getName() === 'tool');
let tools = 0;
for (const file of project.getSourceFiles()) {
  ${body}
}
console.log(JSON.stringify({ tools, coldMs: performance.now(), cpuMs: cpuMs(), peakMiB: process.resourceUsage().maxRSS / 1024 }));
${CPU}`;

/** Walks everything, as one must to find a tag wherever it stands: it is what discovery does, and tells, too. */
const WALKING_PEER = peer(`file.forEachDescendant((node) => {
    if (Node.isMethodDeclaration(node)) tools += isDecorated(node) ? 1 : 0;
    else if (Node.isJSDocable(node) && isMarked(node)) tools++;
  });`);

/** Looks only where this workspace has its tools: exported functions, constants and methods at the top of a file. */
const LEAST_PEER =
  peer(`for (const each of [...file.getFunctions(), ...file.getVariableStatements()]) if (isMarked(each)) tools++;
  for (const each of file.getClasses()) for (const method of each.getMethods()) if (isDecorated(method)) tools++;`);

interface Measured {
  tools: number;
  errors?: number;
  coldMs: number;
  discoverMs?: number;
  cpuMs: number;
  changedMs?: number[];
  changedCpuMs?: number[];
  peakMiB: number;
}

function bundle(folder: string, name: string, source: string): string {
  const entry = join(folder, `${name}.ts`);
  const outfile = join(folder, `${name}.cjs`);
  writeFileSync(entry, source);
  buildSync({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    external: ['ts-morph'],
    nodePaths: [join(ROOT, 'node_modules')],
    logLevel: 'error',
    tsconfigRaw: '{}',
  });
  return outfile;
}

type Run = Measured & { wallMs: number };

function runChild(script: string, args: string[]): Run {
  const start = performance.now();
  const child = spawnSync(process.execPath, [script, ...args], {
    encoding: 'utf8',
    env: { ...process.env, NODE_PATH: join(ROOT, 'node_modules'), NODE_OPTIONS: '' },
  });
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
    const larger = mkdtempSync(join(scratch, 'defined-'));
    const withDefined = addDefinedFiles(larger, writeWorkspace(larger));
    const scripts = {
      coach: bundle(scratch, 'coach', COACH),
      walking: bundle(scratch, 'walking', WALKING_PEER),
      least: bundle(scratch, 'least', LEAST_PEER),
    };
    const changed = workspace.toolFiles.slice(3, 10);
    const originals = changed.map((path) => readFileSync(path, 'utf8'));
    const runs: Record<keyof typeof scripts | 'changing' | 'defined', Run[]> = {
      coach: [],
      walking: [],
      least: [],
      changing: [],
      defined: [],
    };
    runChild(scripts.least, [folder]); // warms the file cache for all
    for (let round = 0; round < rounds; round++) {
      for (const name of ['coach', 'walking', 'least'] as const) runs[name].push(runChild(scripts[name], [folder]));
      runs.defined.push(runChild(scripts.coach, [larger]));
      runs.changing.push(runChild(scripts.coach, [folder, ...changed]));
      changed.forEach((path, i) => writeFileSync(path, originals[i]!));
    }
    for (const [name, [first]] of Object.entries(runs)) {
      const { tools } = name === 'defined' ? withDefined : workspace;
      if (first!.tools !== tools) throw new Error(`${name} found ${first!.tools} of ${tools} tools`);
    }
    const round = (value: number, digits = 3) => Number(value.toFixed(digits));
    const of = (name: keyof typeof runs, read: (run: Run) => number) => median(runs[name].map(read));
    const wall = (name: keyof typeof runs) => of(name, (run) => run.wallMs);
    const cpu = (name: keyof typeof runs) => of(name, (run) => run.cpuMs);
    console.log(
      JSON.stringify({
        bench: 'discovery',
        ratio: round(wall('coach') / wall('walking')),
        peakMiB: round(Math.max(...runs.coach.map((run) => run.peakMiB)), 0),
        changedFileShare: round(
          of('changing', (run) => median(run.changedMs!) / run.coldMs),
          4,
        ),
        cpuRatio: round(cpu('coach') / cpu('walking')),
        leastRatio: round(wall('coach') / wall('least')),
        leastCpuRatio: round(cpu('coach') / cpu('least')),
        changedFileCpuShare: round(
          of('changing', (run) => median(run.changedCpuMs!) / run.cpuMs),
          4,
        ),
        definedFileRatio: round(wall('defined') / withDefined.files / (wall('coach') / workspace.files)),
        definedFileCpuRatio: round(cpu('defined') / withDefined.files / (cpu('coach') / workspace.files)),
        definedMs: round(wall('defined'), 0),
        coldMs: round(wall('coach'), 0),
        discoverMs: round(
          of('coach', (run) => run.discoverMs!),
          0,
        ),
        peerMs: round(wall('walking'), 0),
        peerPeakMiB: round(Math.max(...runs.walking.map((run) => run.peakMiB)), 0),
        leastPeerMs: round(wall('least'), 0),
        changedFileMs: round(
          of('changing', (run) => median(run.changedMs!)),
          1,
        ),
        files: workspace.files,
        lines: workspace.lines,
        tools: workspace.tools,
        rounds,
      }),
    );
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

main();
