/** Exported preferences and episodes in datasets and TRL, and through our own import again. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { exportData } from '../../trainer/store/exchange/exportData';
import { formatRows, type Row } from '../../trainer/store/exchange/formats';
import { readRows } from '../../trainer/store/exchange/readRows';
import type { PreferenceFormat } from '../../trainer/protocol/preferences';
import { answers, calls, says, user } from '../store/preferences/fixture';
import { runPython } from '../bench/venv';
import { sampleTool, sampleTrace } from '../store/runs/sample';
import type { Check } from './run';

const tools = [
  {
    type: 'function',
    function: {
      name: 'search',
      description: 'Finds “it” 🙂',
      parameters: {
        type: 'object',
        properties: { query: { type: 'string' }, limit: { type: 'integer' } },
        required: ['query'],
      },
    },
  },
  {
    type: 'function',
    function: {
      name: 'add',
      description: 'Adds.',
      parameters: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } },
    },
  },
];
const history = [
  { role: 'system' as const, content: 'Use tools.' },
  user('Find\n"it" \u2028 <|x|>'),
  calls('old-7', 'search', { query: 'it' }),
  answers('old-7', '["a"]'),
];
/** Calls with other argument names in each row: Arrow must not fill them up with null. */
const rows: Row[] = [
  {
    kind: 'pair',
    prompt: history,
    chosen: [calls('z', 'search', { query: 'it', limit: 5 })],
    rejected: [says('No.')],
    tools,
  },
  {
    kind: 'pair',
    prompt: [user('2 + 3?')],
    chosen: [calls('y', 'add', { a: 2, b: 3 })],
    rejected: [calls('x', 'add', { a: 23 })],
    tools,
  },
  { kind: 'pair', prompt: [user('Hi')], chosen: [says('Hello')], rejected: [says('Ho')] },
];

interface Report {
  trl: number;
  openai: number;
  kto: number;
  conversational: boolean[];
  dpoRows: number;
  ktoRows: number;
  sftRows: number;
}

export function checkData(folder: string, python: string, check: Check): void {
  const written = new Map<PreferenceFormat, string[]>();
  for (const format of ['trl', 'openai', 'kto'] as const) {
    const lines = formatRows(
      format === 'kto'
        ? [...rows, { kind: 'single', prompt: [user('Hi')], completion: [says('Hm')], label: false }]
        : rows,
      format,
    );
    written.set(format, lines);
    writeFileSync(join(folder, `${format}.jsonl`), `${lines.join('\n')}\n`);
  }
  exportData({
    out: join(folder, 'data'),
    to: 'trl',
    episodes: [sampleTrace('a').messages],
    pairs: [],
    tools: [sampleTool],
  });
  renameSync(join(folder, 'data/sft.jsonl'), join(folder, 'sft.jsonl'));
  const report = runPython<Report>(python, join(__dirname, 'data.py'), [
    folder,
    resolve(__dirname, '../../trainer/model/nano'),
  ]);
  console.log(JSON.stringify(report));
  check(
    `TRL's DPOTrainer takes ${report.dpoRows} of 3 rows, KTOTrainer ${report.ktoRows} of 7, SFTTrainer ${report.sftRows} of 1`,
    report.dpoRows === 3 && report.ktoRows === 7 && report.sftRows === 1,
  );
  check('TRL finds the rows conversational', report.conversational.every(Boolean));
  for (const [format, lines] of written) {
    const { rows: back, problems } = readRows(readFileSync(join(folder, `${format}.back.jsonl`), 'utf8'));
    const again = formatRows(back, format);
    check(
      `${format}: out, through datasets, in and out again is byte-equal (${lines.length} rows)`,
      problems.length === 0 && again.join('\n') === lines.join('\n'),
    );
  }
}
