/** `npm run bench [names]`: each bench in a process of its own, one after the other; each prints one line of JSON. */
import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';

/** name -> what it measures; the file has the same name */
const benches: Record<string, string> = {
  discovery: 'finding tools beside plain ts-morph',
  grpoStep: "a GRPO step of nano, of a tiny Llama and of SmolLM2's shape beside TRL's GRPOTrainer (installs Python packages once, some GB)",
  steps: 'tensors and memory over 500 GRPO steps',
  emailSearch: 'the email search case with SmolLM2: base, after SFT, after 60 GRPO steps, over 3 seeds (hours; a model of 93 MB by npm test -- smollm2)',
  bfclTrain: '100 GRPO steps of SmolLM2 on BFCL simple_python, before and after by its own check (half an hour; COACH_BFCL_DATA: the folder of PyPI bfcl-eval)',
  engineSoak: 'tensors, sessions and memory of the engine over 500 steps and 10,000 decode calls; exact gradients of an embedding',
  window: 'the panel in real VS Code: first rows beside an empty webview, the event loop while a run streams',
  judgeSpeed: 'a run whose judge takes 2 s to answer beside the same run with a free reward (a quarter of an hour)',
  judgeTeaches: 'what a perfect judge teaches beside the gold reward, over 3 seeds (half an hour)',
  panel: 'the panel with 10,000 traces of 40 steps: first rows, scroll, filter, a 500-step trace, memory; a run folder of 1 GB',
  rewards: '10,000 traces through every arithmetic reward',
  style: 'preferences that prefer one of two equally correct styles: how often it is held to on held-out tasks, and whether success falls',
  start: '`npm start`: seconds, memory, before and after',
};

const named = process.argv.slice(2);
const unknown = named.find((name) => !(name in benches));
if (unknown !== undefined) {
  console.error(`bench: no bench is called ${unknown}; there are\n${Object.entries(benches).map(([name, what]) => `  ${name}: ${what}`).join('\n')}`);
  process.exit(2);
}
for (const name of named.length > 0 ? named : Object.keys(benches)) {
  const { status, error } = spawnSync(process.execPath, ['--import', 'tsx', join(__dirname, `${name}.ts`)], { cwd: resolve(__dirname, '../..'), stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) {
    console.error(`bench: ${name} failed${error ? `: ${error.message}` : ''}`);
    process.exitCode = 1;
  }
}
