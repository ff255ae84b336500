import assert from 'node:assert/strict';
import { openShownTools } from '../../../trainer/app/retrieval/openShownTools';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { traceText } from '../../../trainer/app/cli/trace';
import { realDependencies } from '../../../trainer/app/dependencies';
import { Trace } from '../../../trainer/protocol/trace';
import { readTaskSplits } from '../../../trainer/store/runs/readRun';
import { sampleTool, sampleTrace, tempFolder } from '../../store/runs/sample';
import { coach, makeWorkspace, quick } from './coach';

describe('coach', function () {
  this.timeout(120_000);
  const { dir, remove } = tempFolder();
  let run: string;
  before(async () => {
    makeWorkspace(dir);
    run = (await coach(dir, ['train', 'tools.ts', ...quick, '--json'])).json.run as string;
  });
  after(remove);
  const refused = async (args: string[], message: RegExp) => {
    const { code, stdout, stderr } = await coach(dir, args);
    assert.deepEqual([code, stdout], [2, ''], stderr);
    assert.match(stderr, message);
  };

  it('help: an overview, and each command with its options and an example', async () => {
    const all = await coach(dir, ['--help']);
    assert.equal(all.code, 0);
    for (const name of ['tools', 'tasks', 'train', 'evaluate', 'runs', 'trace', 'export', 'engines']) {
      assert.match(all.stdout, new RegExp(`coach ${name}\\b`));
      const one = await coach(dir, [name, '--help']);
      assert.equal(one.code, 0);
      assert.match(one.stdout, /Examples?\n {2}coach /);
      assert.match(one.stdout, /--json {2,}exact JSON/);
      assert.equal((await coach(dir, [name, '-h'])).stdout, one.stdout);
    }
    await refused([], /needs a command\nCommands: tools, tasks/);
    await refused(['trian'], /unknown command "trian"\nDid you mean train\?/);
    await refused(['runs', '--jsno'], /unknown option --jsno\nDid you mean --json\?/);
    await refused(['runs', '--json=yes'], /--json is a switch/);
  });

  it('tools: the exact shape, found by the real discovery; what is no tool is told', async () => {
    mkdirSync(join(dir, 'src'), { recursive: true });
    writeFileSync(
      join(dir, 'src/a.ts'),
      '/** Adds.\n * @param a one\n * @tool */\nexport function add(a: number): number { return a; }\n/** Hidden.\n * @tool */\nfunction hidden() {}\n',
    );
    const real = { discover: realDependencies.discover };
    const { code, json, stderr } = await coach(dir, ['tools', 'src', '--json'], { dependencies: real });
    assert.equal(code, 0, stderr);
    assert.deepEqual(
      json.tools.map((t: { source: object }) => ({ ...t, parameters: null, source: Object.keys(t.source) })),
      [{ name: 'add', description: 'Adds.', parameters: null, source: ['kind', 'file', 'line'] }],
    );
    assert.equal(json.tools[0].parameters.properties.a.type, 'number');
    assert.deepEqual(
      json.diagnostics.map((d: object) => Object.keys(d)),
      json.diagnostics.map(() => ['file', 'line', 'severity', 'message']),
    );
    assert.ok(json.diagnostics.some((d: { message: string }) => /not exported/.test(d.message)));
    const text = await coach(dir, ['tools', 'src/a.ts'], { dependencies: real });
    assert.match(text.stdout, /^add {2}src\/a\.ts:\d {2}Adds\.$/m);
    assert.match(text.stdout, /^src\/a\.ts:\d: error: hidden/m);
    writeFileSync(join(dir, 'src/b.ts'), 'export const x = 1;\n');
    const none = await coach(dir, ['tools', 'src/b.ts', '--json'], { dependencies: real });
    assert.deepEqual([none.code, none.json], [2, { tools: [], diagnostics: [] }]);
    assert.match(none.stderr, /no tool was found\nPut @tool/);
    writeFileSync(join(dir, 'src/c.ts'), '/** Adds.\n * @tool */\nfunction add(a: number): number {\n  return a;\n}\n');
    const broken = await coach(dir, ['tools', 'src/c.ts'], { dependencies: real });
    assert.match(broken.stderr, /no tool can be used\nCorrect what is said above/);
    await refused(['tools', 'gone.ts'], /gone\.ts: there is no such file or folder/);
    await refused(['tools'], /needs PATH…\nFor example: coach tools/);
  });

  it('tasks: JSONL that can be piped or written, with the split in words', async () => {
    const piped = await coach(dir, ['tasks', 'tools.ts']);
    assert.equal(piped.code, 0);
    assert.deepEqual(
      piped.stdout
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { id: string }).id),
      ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'],
    );
    assert.match(piped.stderr, /^10 tasks \(.*tools\.tasks\.jsonl\): \d to train on, \d for validation, \d held out$/m);
    mkdirSync(join(dir, 'made'), { recursive: true });
    writeFileSync(join(dir, 'made/tools.ts'), '');
    const made = await coach(dir, ['tasks', 'made/tools.ts', '--count', '20', '--out', 'made.jsonl', '--json']);
    assert.equal(made.code, 0, made.stderr);
    assert.deepEqual(Object.keys(made.json), ['source', 'counts', 'toolsWithoutTasks', 'tasks', 'splits']);
    const count = made.json.tasks.length as number; // the scripted tool gives room for a few only
    assert.ok(count > 3 && count <= 20);
    assert.deepEqual(
      [made.json.source, made.json.counts.train + made.json.counts.validation + made.json.counts.heldOut],
      ['generated', count],
    );
    assert.equal(readFileSync(join(dir, 'made.jsonl'), 'utf8').trim().split('\n').length, count);
    await refused(
      ['tasks', 'made/tools.ts', '--out', 'made.jsonl'],
      /made\.jsonl: is there already and is not overwritten/,
    );
    const broken = {
      discover: async (paths: readonly string[]) => ({
        tools: [sampleTool],
        rewards: [],
        files: [...paths],
        diagnostics: [
          {
            file: join(dir, 'tools.ts'),
            line: 7,
            severity: 'error' as const,
            message: 'send.f: a caller can’t send a function',
          },
        ],
      }),
    };
    assert.match(
      (await coach(dir, ['tasks', 'tools.ts'], { dependencies: broken })).stderr,
      /^Warning: left out: tools\.ts:7: error: send\.f: a caller can’t send a function$/m,
    );
    await refused(['tasks', 'tools.ts', '--count', '0'], /taskCount must be at least 1, got 0/);
  });

  it('runs: a table, and RunInfo as JSON', async () => {
    const { json } = await coach(dir, ['runs', '--json']);
    assert.deepEqual(
      [json.runs.length, json.runs[0].id, json.runs[0].status, json.runs[0].step],
      [1, run, 'finished', 4],
    );
    assert.match(
      (await coach(dir, ['runs'])).stdout,
      new RegExp(
        `^${run} {2}finished {2}4/4 {3}grpo {4}tools\\.ts {2}50\\.0 % -> 100\\.0 % \\(\\+50\\.0 points, could be chance\\)$`,
        'm',
      ),
    );
    const empty = tempFolder();
    assert.match((await coach(empty.dir, ['runs'])).stdout, /No runs yet\. Start one: coach train FILE/);
    assert.deepEqual((await coach(empty.dir, ['runs', '--json'])).json, { runs: [] });
    empty.remove();
  });

  it('trace: what was expected, the three verdicts and what differs stand in words', () => {
    const told = {
      ...sampleTrace('a-0'),
      verdicts: { callsRight: false, answerRight: true, finished: true },
      expected: { calls: [{ name: 'search', arguments: { query: 'rent' } }], answer: '7' },
      differences: [{ what: 'wrongValue' as const, call: 1, tool: 'search', argument: 'query' }],
    };
    assert.match(
      traceText(told),
      /^calls right: no, answer right: yes, finished: yes\nexpected: search\(\{"query":"rent"\}\), then answer 7\n {2}call 1: wrong value of search\.query$/m,
    );
    assert.match(traceText({ ...told, expected: { calls: [] } }), /^expected: no call$/m);
    assert.doesNotMatch(traceText(sampleTrace('a-0')), /expected|calls right/);
  });

  it('trace: one trace in words and whole as JSON; an unknown id suggests the nearest', async () => {
    const { json } = await coach(dir, ['trace', run, 't-3-1', '--json']);
    assert.deepEqual([json.id, json.step, json.solved, json.version], ['t-3-1', 3, true, 2]);
    const { stdout } = await coach(dir, ['trace', run, 't-3-1']);
    for (const line of [
      'user: Find “Grüße” 🙂',
      'assistant calls search({"query":"Grüße"})',
      '  -> ["mail 3"]  (real, 2 ms)',
      'assistant: It is mail 3.',
      'reward 1, advantage 0.5',
    ])
      assert.ok(stdout.includes(line), line);
    await refused(['trace', run, 't-31'], /no trace "t-31"\nDid you mean t-3-1\?/);
    await refused(['trace', run], /needs the ID of a trace .*\nThe last ones: .*t-4-3/);
    await refused(['trace', 'nothing', 't-3-1'], /no run "nothing"/);
  });

  it('export: peft, openai and trl folders; what is there is not overwritten', async () => {
    writeFileSync(join(dir, 'src/chat_template.jinja'), '{{ messages }}');
    const peft = await coach(dir, ['export', run, '--to', 'peft', '--out', 'e/peft', '--json'], {
      dependencies: { modelFolder: () => join(dir, 'src') },
    });
    assert.equal(peft.code, 0, peft.stderr);
    assert.deepEqual(peft.json, { to: 'peft', out: join(dir, 'e/peft'), tensors: 2, from: 'its adapter folder' });
    assert.match(
      readFileSync(join(dir, 'e/peft/README.md'), 'utf8'),
      new RegExp(`- Run ${run}: grpo, 4 steps, seed 0`),
    );
    assert.ok(existsSync(join(dir, 'e/peft/adapter_model.safetensors')));
    const openai = await coach(dir, ['export', run, '--to', 'openai', '--out', 'e/openai', '--json']);
    // Each of the 4 steps has one solved trace (all alike, so one row) and three others in its group, of 9 possible
    // texts.
    assert.equal(openai.json.sft, 1);
    assert.ok(openai.json.preferences >= 1);
    const trl = await coach(dir, ['export', run, '--to', 'trl', '--out', 'e/trl']);
    assert.match(trl.stdout, /^trl: sft 1, preferences \d, written to e\/trl$/m);
    assert.ok(existsSync(join(dir, 'e/trl/load.py')));
    await refused(
      ['export', run, '--to', 'trl', '--out', 'e/trl'],
      /sft\.jsonl: is there already and is not overwritten/,
    );
    await refused(
      ['export', run, '--to', 'pefd', '--out', 'x'],
      /--to must be one of peft, merged, gguf-lora, ollama, openai, trl, otel, got pefd\nDid you mean peft\?/,
    );
    await refused(['export', run, '--to', 'peft'], /needs --out DIR/);
    await refused(['export', run, '--out', 'x'], /--to must be one of/);
  });

  it('evaluate: nano, a run on its own held-out tasks, an adapter folder; a file of tasks whole', async () => {
    const shape = ['n', 'success', 'ci95', 'byTag', 'bySource'];
    const nano = await coach(dir, [
      'evaluate',
      'nano',
      '--tools',
      'tools.ts',
      '--tasks',
      'tools.tasks.jsonl',
      '--json',
    ]);
    assert.deepEqual([Object.keys(nano.json), nano.json.n, nano.json.success], [shape, 10, 0.5]);
    assert.equal(nano.stderr, 'Measured 10/10\n');
    const own = await coach(dir, ['evaluate', run, '--tools', 'tools.ts', '--json']);
    assert.deepEqual([own.json.n, own.json.success], [readTaskSplits(join(dir, '.coach/runs', run)).heldOut.length, 1]);
    const folder = await coach(dir, [
      'evaluate',
      join('.coach/runs', run, 'adapter'),
      '--tools',
      'tools.ts',
      '--tasks',
      'tools.tasks.jsonl',
    ]);
    assert.match(
      folder.stdout,
      /^100\.0 % of 10 solved \(95 % interval 20\.0 % to 100\.0 %\)\n {2}oneCall {2}100\.0 % {2}n 10$/m,
    );
    const traced = [
      'evaluate',
      'nano',
      '--tools',
      'tools.ts',
      '--tasks',
      'tools.tasks.jsonl',
      '--traces',
      'seen.jsonl',
    ];
    assert.equal((await coach(dir, traced)).code, 0);
    const seen = readFileSync(join(dir, 'seen.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => Trace.parse(JSON.parse(line)).taskId);
    assert.deepEqual(
      seen,
      Array.from({ length: 10 }, (_, i) => `${i}`),
    );
    await refused(traced, /seen\.jsonl: is there already and is not overwritten\nName another file with --traces/);
    await refused(['evaluate', 'nano'], /needs --tools FILE/);
    await refused(['evaluate', 'nanno', '--tools', 'tools.ts'], /no run "nanno".*\nDid you mean nano\?/);
  });

  it('evaluate --conversation: one request after the other, with a memory of tools; what does not go together', async () => {
    const asked = ['evaluate', 'nano', '--tools', 'tools.ts', '--conversation', '100'];
    const index = { shownTools: async () => openShownTools({ shownTools: 2 }, [], { train: [] }) };
    const more = [...asked, '--tool-memory', 'workflow', '--tool-bar', '8'];
    const { json, code } = await coach(dir, [...more, '--json'], { dependencies: index });
    assert.deepEqual([code, json.memory], [0, { held: 3, most: 3, removed: 0.25 }]);
    const { stdout } = await coach(dir, more, { dependencies: index });
    assert.match(stdout, /tools in the prompt, most +3\n +removed of those added, within three requests +25\.0 %/);
    const plain = await coach(dir, [...asked, '--json']);
    assert.ok(!('memory' in plain.json));
    await refused([...asked, '--tool-memory', 'alone'], /--tool-memory must be one of workflow, hybrid, autonomous/);
    await refused([...asked.slice(0, -1), '0'], /--conversation must be a whole number from 1 on, got '0'/);
    await refused([...asked, '--tool-bar', '8'], /--tool-bar belongs to --tool-memory/);
    await refused([...asked.slice(0, -2), '--remembers', '2'], /--remembers belongs to --conversation/);
    await refused([...asked, '--requests'], /--requests are measured before and after, each by itself/);
  });

  it('evaluate --requests: the kept requests of a run before and after, paired; of a model alone its success', async () => {
    const file = join(dir, '.coach/requests/tools.jsonl');
    await refused(['evaluate', run, '--requests'], /requests\/tools\.jsonl: no request is kept there\n.*Try It/);
    const lines = Array.from({ length: 4 }, (_, i) => ({
      id: `request-${i}`,
      prompt: `Look for ${i}`,
      calls: [{ name: i === 3 ? 'gone' : 'search', arguments: { query: `${i}` } }],
    }));
    mkdirSync(join(dir, '.coach/requests'));
    writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const { json, stderr } = await coach(dir, ['evaluate', run, '--requests', '--json']);
    assert.deepEqual(Object.keys(json), ['before', 'after', 'gain', 'verdict']);
    assert.deepEqual([json.before.n, json.after.n, json.gain.changed.gained, json.gain.changed.lost], [3, 3, 1, 0]);
    assert.ok(json.gain.ci95[0] < 0 && json.gain.ci95[1] > 0);
    assert.match(stderr, /left out: "Look for 3": the gold call names a tool that is missing: 'gone'/);
    const { stdout } = await coach(dir, ['evaluate', run, '--requests']);
    assert.match(stdout, /^Gain {4}\+33\.3 points on your own requests \(95 % interval .*paired\): could be chance/m);
    assert.match(stdout, /^Changed 1 tasks gained, 0 lost/m);
    const nano = await coach(dir, ['evaluate', 'nano', '--tools', 'tools.ts', '--requests', '--json']);
    assert.equal(nano.json.n, 3);
    await refused(['evaluate', run, '--requests', '--tasks', 'x'], /--requests names what is measured on/);
    await refused(['evaluate', run, '--requests', '--benchmark', 'bfcl-simple'], /takes no --requests/);
    await refused(['train', 'tools.ts', '--tasks', file, ...quick], /kept to measure on, and are never trained on/);
  });

  it('engines: what works here', async () => {
    assert.deepEqual((await coach(dir, ['engines', '--json'])).json, {
      engines: [
        { name: 'onnx', available: true, reason: 'ONNX Runtime' },
        { name: 'wasm', available: false, reason: 'not built' },
      ],
    });
    assert.match((await coach(dir, ['engines'])).stdout, /^onnx {2}yes {2}ONNX Runtime\nwasm {2}no {3}not built$/m);
  });

  it('engines --install: into a folder that it names; what can not be installed is refused', async () => {
    assert.deepEqual((await coach(dir, ['engines', '--install', 'tfjs-node', '--json'])).json, {
      installed: 'tfjs-node',
      folder: '/data/tfjs-node',
    });
    await refused(
      ['engines', '--install', 'onnx'],
      /--install must be one of tfjs-node, gpu, got onnx\nThe engines onnx, wasm and cpu need no install\./,
    );
  });
});
