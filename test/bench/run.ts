/**
 * `npm run bench -- [names]`, `npm run bench -- NAME --option …`: each bench in a process of its own, one after the
 * other; each prints one line of JSON.
 */
import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';

/** name -> what it measures; the file has the same name */
const benches: Record<string, string> = {
  discovery: 'finding tools beside plain ts-morph',
  grpoStep:
    "a step of GRPO, SFT or DPO beside TRL's: nano, a tiny Llama, SmolLM2's shape with 128 to 1,024 shared tokens (installs Python packages once, some GB; an hour in all, --only chooses)",
  anyFile:
    'tool files that nobody prepared and what people ask of them, before and after a default run (20 minutes a seed; COACH_SHARED_DATA: the folder of public data; options behind the name)',
  autoTool:
    'how often the model is asked where a tool graph makes calls in its place (AutoTool, SIT-Graph), beside success: examples/orders, 3 seeds (a quarter of an hour; options behind the name)',
  adviceDesk:
    "ToolRLA's ablation on a generated advice desk: forms of the reward, and DPO on compliance, by TCR, TIER, AIR, VR and over-refusal (7 arms of 1 to 3 minutes a seed; --keep DIR goes on)",
  rewardStudy:
    "ToolRL's four findings as arms on the email example: length, schedule, granularity, cold start (7 arms of 1 to 2 minutes a seed; --keep DIR goes on)",
  steps: 'tensors and memory over 500 GRPO steps',
  emailSearch:
    'the email search case with SmolLM2: base, after SFT, after 60 GRPO steps, over 3 seeds (hours; a model of 93 MB by npm test -- smollm2)',
  bfclTrain:
    '100 GRPO steps of SmolLM2 on BFCL simple_python, before and after by its own check (half an hour; COACH_BFCL_DATA: the folder of PyPI bfcl-eval)',
  engineSoak:
    'tensors, sessions and memory of the engine over 500 steps and 10,000 decode calls; exact gradients of an embedding',
  window: 'the panel in real VS Code: first rows beside an empty webview, the event loop while a run streams',
  judgeSpeed: 'a run whose judge takes 2 s to answer beside the same run with a free reward (a quarter of an hour)',
  judgeTeaches: 'what a perfect judge teaches beside the gold reward, over 3 seeds (half an hour)',
  flywheel:
    'what was flagged by a judge and by thumbs, learnt from: success on the flagged kinds and on the others, over 3 seeds (half an hour; --keep DIR goes on)',
  latm: 'tools made from demonstrations on tasks of BIG-Bench Hard: a scripted maker, a model as the maker, a model as the user (COACH_SHARED_DATA: the folder of public data; options behind the name)',
  mcp: 'a rollout on an MCP server: a fresh stdio server for each beside pooled ones, 200 rollouts',
  pipeline:
    'stages beside a default run, beside each stage alone at equal tokens, and a teacher that errs in half of the steps (an hour a seed; options behind the name, --keep and --minutes in pieces)',
  panel:
    'the panel with 10,000 traces of 40 steps: first rows, scroll, filter, a 500-step trace, memory; a run folder of 1 GB',
  manyTools:
    "a tool file's tools among 50, 200 and 1,000: a few retrieved against the file's own and against all (COACH_SHARED_DATA: the folder of public data; options behind the name)",
  amongTrained:
    'a tool file trained among 200 tools, a few shown, beside the same run on its own tools (10 minutes a seed; COACH_SHARED_DATA: the folder of public data; --keep DIR goes on)',
  toolGen:
    'a token for each tool (ToolGen) beside tools in the prompt, examples/email and files of 50 and 150 tools (an hour and a half; COACH_SHARED_DATA: the folder of public data; options behind the name)',
  retrieval:
    'which of many tools a request is about: ToolE and Seal-Tools, recall and time (COACH_SHARED_DATA: the folder of public data)',
  toolQuestions:
    'questions that a writer would ask of each tool of ToolE, for `retrieval --questions` (COACH_SHARED_DATA: the folder of public data; options behind the name)',
  toolMemory:
    'conversations of 100 requests with a memory of tools (MemTool) among 200: success, tools in the prompt, removals (COACH_SHARED_DATA: the folder of public data; options behind the name)',
  rewards: '10,000 traces through every arithmetic reward',
  style:
    'preferences that prefer one of two equally correct styles: how often it is held to on held-out tasks, and whether success falls',
  start: '`npm start`: seconds, memory, before and after',
};

const given = process.argv.slice(2);
const firstOption = given.findIndex((argument) => argument.startsWith('-'));
const named = firstOption < 0 ? given : given.slice(0, firstOption);
/** for the one bench that is named */
const options = firstOption < 0 ? [] : given.slice(firstOption);
const unknown = named.find((name) => !(name in benches));
if (unknown !== undefined) {
  console.error(
    `bench: no bench is called ${unknown}; there are\n${Object.entries(benches)
      .map(([name, what]) => `  ${name}: ${what}`)
      .join('\n')}`,
  );
  process.exit(2);
}
if (options.length > 0 && named.length !== 1) {
  console.error(`bench: options belong to one bench, got ${named.join(', ') || 'none'} and ${options.join(' ')}`);
  process.exit(2);
}
for (const name of named.length > 0 ? named : Object.keys(benches)) {
  const { status, error } = spawnSync(
    process.execPath,
    ['--import', 'tsx', join(__dirname, `${name}.ts`), ...options],
    { cwd: resolve(__dirname, '../..'), stdio: ['ignore', 'inherit', 'inherit'] },
  );
  if (status !== 0) {
    console.error(`bench: ${name} failed${error ? `: ${error.message}` : ''}`);
    process.exitCode = 1;
  }
}
