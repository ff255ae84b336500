import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { NotSayable } from '../../../trainer/model/nano/constrained';
import { PieceTokenizer, PretrainStream } from '../../../trainer/model/nano/batches';
import { loadThings, makeSet } from '../../../trainer/model/nano/everyday';
import { grammarDialogues } from '../../../trainer/model/nano/grammarDialogues';
import { KEPT_OUT } from '../../../trainer/model/nano/intents';
import { loadLexicon } from '../../../trainer/model/nano/words';
import { Random } from '../../../trainer/base/random';
import { stableJson } from '../../../trainer/protocol/arguments';
import { ChatTemplate } from '../../../trainer/model/tokenizer/chatTemplate';
import { Discovery } from '../../../trainer/tools/sources/typescript/toolFile';

const nano = resolve(__dirname, '../../../trainer/model/nano');
const things = loadThings();
const lexicon = loadLexicon('train');
const r = Random.fromSeed('everyday');
const rows = Array.from({ length: 80 }, (_, i) => grammarDialogues(r.fork(i), lexicon, things));
const all = rows.flat();

describe('everyday things in pre-training', () => {
  it('are tools that a schema can be read of: distinct names, required parameters that exist, up to twelve', () => {
    for (let i = 0; i < 100; i++) {
      const { tools } = makeSet(r.fork(`set ${i}`), things);
      assert.ok(tools.length >= 1 && tools.length <= 12);
      assert.equal(new Set(tools.map(({ schema }) => schema.name)).size, tools.length);
      for (const { schema } of tools) {
        assert.match(schema.name, /^[A-Za-z]\w*$/);
        for (const name of (schema.parameters.required ?? []) as string[])
          assert.ok(name in (schema.parameters.properties as object), `${schema.name} ${name}`);
      }
    }
  });

  it('name nothing that the examples or the benchmark are about', () => {
    const words = readFileSync(resolve(__dirname, '../../bench/anyFile/words.txt'), 'utf8')
      .toLowerCase()
      .split('\n')
      .filter(Boolean);
    const own = new Set(
      all.flatMap(
        (d) =>
          `${JSON.stringify(d.tools)} ${d.messages[0]!.content}`
            .replace(/([a-z])([A-Z])/g, '$1 $2')
            .toLowerCase()
            .match(/[a-z]+/g) ?? [],
      ),
    );
    for (const word of words) assert.ok(!own.has(word), word);
    const { tools } = new Discovery().discover([resolve(__dirname, '../../../examples')]);
    const names = new Set(all.flatMap((d) => d.tools.map((t) => t.name)));
    for (const tool of tools) assert.ok(!names.has(tool.name), tool.name);
    for (const d of all) assert.doesNotMatch(d.messages[0]!.content, KEPT_OUT);
  });

  it('are asked for in one call, by look-ups, without what is needed, and for what no tool does', () => {
    const count = (kind: string): number => all.filter((d) => d.kind === kind).length;
    assert.ok(
      count('grammar') > 100 && count('grammarChain') > 30 && count('grammarNone') > 20 && count('grammarAsk') > 5,
      `${all.length}`,
    );
    for (const d of all.filter(({ kind }) => kind === 'grammarChain')) {
      assert.equal(d.gold.length, 2);
      const found = d.messages.find((m) => m.role === 'tool')!.content;
      assert.ok(
        Object.values(d.gold[1]!.arguments).some((value) => typeof value === 'string' && found.includes(value)),
        d.messages[0]!.content,
      );
    }
    for (const d of all.filter(({ kind }) => kind === 'grammarAsk'))
      assert.match(d.messages[1]!.content, /^Which .+\?$/);
  });

  it('can be said by the sampler, but for a few', () => {
    const stream = new PretrainStream(PieceTokenizer.load(nano), ChatTemplate.load(nano), lexicon, 'x', 2048);
    let refused = 0;
    for (const d of all) {
      try {
        stream.encode(d);
      } catch (error) {
        assert.ok(error instanceof NotSayable, String(error));
        refused++;
      }
    }
    assert.ok(refused <= all.length / 100, `${refused} of ${all.length}`);
  });

  it('are the same for the same seed', () => {
    assert.equal(
      stableJson(grammarDialogues(r.fork(7), lexicon, things).map((d) => [d.tools, d.gold])),
      stableJson(rows[7]!.map((d) => [d.tools, d.gold])),
    );
  });
});
