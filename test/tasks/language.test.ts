import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeTasks } from '../../trainer/app/prepare/tasks';
import type { Dependencies } from '../../trainer/app/dependencies';
import { parseSettings } from '../../trainer/app/settings';
import type { TypeScriptTool } from '../../trainer/protocol/task';
import { inOtherLanguage, otherLanguage } from '../../trainer/base/language';

const weather: TypeScriptTool = {
  name: 'weather',
  description: 'Look up the weather of a city.',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  source: { file: '/w/tools.ts', line: 4 },
  binding: { exportName: 'weather', positional: [{ name: 'city' }] },
  changesWorld: false,
};

describe('requests in another language', () => {
  it('are told by their commonest words or their script', () => {
    for (const [text, language] of [
      ['Wie wird das Wetter morgen in Berlin?', 'German'],
      ['Sucht das Wetter einer Stadt.', 'German'],
      ['Quelle heure est-il à Paris ?', 'French'],
      ['¿Qué tiempo hace en Madrid?', 'Spanish'],
      ['Wat is het weer in Utrecht?', 'Dutch'],
      ['Что сейчас идёт в кино?', 'another script'],
      ['show flights to Playa de la Costa', null],
      ['lights off kitchen', null],
      ['what does "und" mean', null],
    ] as const)
      assert.equal(otherLanguage(text), language, text);
  });

  it('what people really asked in English is English', () => {
    for (const file of ['library/library', 'vet/vet', 'geo/geo', 'home/home']) {
      const lines = readFileSync(join(__dirname, `../bench/anyFile/${file}.requests.jsonl`), 'utf8').trim();
      const prompts = lines.split('\n').map((line) => (JSON.parse(line) as { prompt: string }).prompt);
      assert.equal(
        inOtherLanguage(prompts, (prompt) => prompt),
        null,
        file,
      );
    }
  });

  it('are said to be out of reach of the embedded model, with file and line', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'coach-language-'));
    try {
      const calls = [{ name: 'weather', arguments: { city: 'Bern' } }];
      const prompts = ['Is it warm in Bern?', 'Ist es in Bern warm?', 'Wie ist das Wetter in Bern?'];
      writeFileSync(
        join(folder, 'tools.tasks.jsonl'),
        `${prompts.map((prompt, i) => JSON.stringify({ id: `t${i}`, prompt, calls })).join('\n')}\n`,
      );
      const notesFor = async (model: string, tool: TypeScriptTool): Promise<string[]> => {
        const notes: string[] = [];
        await makeTasks({
          config: parseSettings({ toolFile: join(folder, 'tools.ts'), model }),
          found: { tools: [tool], rewards: [], diagnostics: [], files: [] },
          workspace: folder,
          cwd: folder,
          note: (_level, _code, message) => void notes.push(message),
          dependencies: {} as Dependencies, // tasks of a file need none
        });
        return notes;
      };
      const [note, ...rest] = await notesFor('nano', weather);
      assert.match(
        note!,
        /^tools\.tasks\.jsonl:2: 2 of 3 requests are in another language than English \(.*German\)\./,
      );
      assert.match(note!, /out of its reach.*--model/);
      assert.deepEqual(rest, []);
      const [ofTools] = await notesFor('nano', { ...weather, description: 'Sucht das Wetter einer Stadt.' });
      assert.match(ofTools!, /tools\.ts:4: 1 of 1 tools are described in another language/);
      assert.deepEqual(await notesFor('./Qwen', weather), [], 'nobody knows what another model speaks');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
