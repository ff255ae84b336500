import { readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { stableJson } from '../protocol/arguments';
import { generateTasks } from '../tasks/generate/generateTasks';
import { openToolHosts } from '../tools/hosts/callTool';
import { Discovery } from '../tools/sources/typescript/toolFile';

/**
 * Run by hand: `node --import tsx trainer/evaluation/recordOtherTools.ts FILE…` writes otherTools.json, with what the
 * gold calls really gave.
 */
const TASKS = 40;

async function record(file: string): Promise<object> {
  const { tools } = new Discovery().discover([file]);
  await using hosts = await openToolHosts({
    tools,
    workspace: dirname(file),
    policyOf: () => 'real',
    ask: async () => 'yes',
    timeoutMs: 10_000,
    outputBytes: 16_384,
    memoryMb: 256,
    seed: 0,
    note: (_level, _code, message) => console.error(message),
  });
  const session = hosts.open('record');
  const generated = await generateTasks(tools, { count: 400, seed: 7, call: (name, args) => session.call(name, args) });
  const tasks = generated
    .filter((t) => t.calls?.length === 1)
    .slice(0, TASKS)
    .map(({ id, prompt, calls, answer }) => ({
      id: `other-${id}`,
      prompt,
      calls,
      ...(answer === undefined ? {} : { answer }),
    }));
  const results: Record<string, string> = {};
  for (const { name, arguments: args } of tasks.flatMap((t) => t.calls!))
    results[`${name} ${stableJson(args)}`] = (await session.call(name, args)).content;
  return {
    file: basename(dirname(file)),
    tools: tools.map((t) => ({ ...t, source: { ...t.source, file: basename(t.source.file) } })),
    tasks,
    results,
  };
}

if (require.main === module) {
  const out = join(__dirname, 'otherTools.json');
  void Promise.all(process.argv.slice(2).map((f) => record(resolve(f)))).then((all) => {
    writeFileSync(out, JSON.stringify(all));
    console.log(`${out}: ${readFileSync(out).length} bytes`);
  });
}
