import assert from 'node:assert/strict';
import { markAt } from '../../extension/tools/markTools';

/** The text with what the action on that line does, and what it is called by; null: it offers none. */
function marked(text: string, line: number): { of: string; text: string } | null {
  const mark = markAt(text, line);
  if (!mark) return null;
  const edits = [...mark.edits].sort((a, b) => b.at - a.at);
  return { of: mark.of, text: edits.reduce((out, { at, insert }) => out.slice(0, at) + insert + out.slice(at), text) };
}

describe('what may become a tool', () => {
  it('is an exported function or constant; its JSDoc stays', () => {
    assert.deepEqual(marked('export async function find(name: string) {}\n', 1), {
      of: 'find',
      text: '/** @tool */\nexport async function find(name: string) {}\n',
    });
    assert.deepEqual(marked('/**\n * Finds it.\n */\nexport const find = (name: string) => name;\n', 4), {
      of: 'find',
      text: '/**\n * Finds it.\n * @tool\n */\nexport const find = (name: string) => name;\n',
    });
    for (const none of [
      'function find() {}',
      'export const LIMIT = 3;',
      'export const sum = compute(3);',
      'export interface Find {}',
      'find();',
      '',
    ])
      assert.equal(marked(`${none}\n`, 1), null, none);
    assert.equal(marked('/** Finds it. @tool */\nexport function find() {}\n', 2), null, 'it is one');
    assert.equal(marked('export function find() {}\n', 9), null, 'no such line');
  });

  it('is a method of an exported class, or all of them', () => {
    const text = `export class Shop {
  private items: string[] = [];

  constructor(readonly name: string) {
    this.fill(name);
  }

  /** What there is. */
  list(): string[] {
    if (this.items.length > 0) {
      return this.items;
    }
    return [];
  }

  async order(args: {
    sku: string;
  }): Promise<void> {
    await send(args.sku);
  }

  private fill(name: string): void {}

  static make(): Shop {
    return new Shop('a');
  }
}

class Hidden {
  list() {}
}
`;
    const lines = text.split('\n');
    const at = (start: string): number => lines.findIndex((line) => line.trimStart().startsWith(start)) + 1;
    assert.equal(
      marked(text, at('list()'))!.text,
      text.replace('What there is. */', 'What there is. \n   * @tool\n   */'),
    );
    assert.equal(marked(text, at('async order('))!.of, 'order');
    for (const none of [
      'constructor',
      'if (',
      'return this',
      'await send',
      'private fill',
      'static make',
      'class Hidden',
      'this.fill',
    ])
      assert.equal(marked(text, at(none)), null, none);
    assert.equal(marked(text, lines.indexOf('  list() {}') + 1), null, 'its class is not exported');
    const all = marked(text, 1)!;
    assert.equal(all.of, 'Shop');
    assert.deepEqual(all.text.match(/@tool/g)?.length, 2);
    assert.equal(marked(all.text, 1), null, 'all are');
  });
});
