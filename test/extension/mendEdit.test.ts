import assert from 'node:assert/strict';
import { mendEdit } from '../../extension/tools/mendEdit';
import { discover } from '../tools/discoverySupport';

const analyse = (text: string, file: string) => discover({ [file]: text }).diagnostics;

/** Discovers, mends the one problem that can be mended, discovers again. */
function mended(text: string, words?: string, file = 'a.ts'): string {
  const problem = analyse(text, file).find(({ mend }) => mend);
  assert.ok(problem?.mend, 'a problem that can be mended');
  const edit = mendEdit(text, problem, problem.mend, words)!;
  const out = text.slice(0, edit.at) + edit.insert + text.slice(edit.at + (edit.removes ?? 0));
  assert.ok(!analyse(out, file).some(({ message }) => message === problem.message), out);
  return out;
}

describe('quick fixes for what discovery says', () => {
  it('a tool is exported: where it is declared, or by a line at the end', () => {
    assert.match(mended('/** Adds. @tool */\nasync function add() { return 1; }\n'), /\nexport async function add/);
    assert.match(mended('/** Adds. @tool */\nconst add = () => 1;\n'), /\nexport const add/);
    assert.match(
      mended('const one = 1;\n{ }\n/** Adds.\n * @tool */ function add() { return 1; }\n'),
      /export \{ add \};\n$/,
    );
  });

  it('a tool and its values are described, in the words of the person', () => {
    assert.match(
      mended('/** @tool */\nexport function add() { return 1; }\n', 'Adds two.'),
      /^\/\*\* Adds two\.\n \* @tool \*\//,
    );
    assert.match(
      mended('/** Adds. @tool */\nexport function add(a: number) { return a; }\n', 'the */ first'),
      /add\(\/\*\* the \* \/ first \*\/ a: number\)/,
    );
    assert.match(
      mended('/** Adds. @tool */\nexport function add(o: { a: number }) { return o; }\n', 'the first'),
      /\{ \/\*\* the first \*\/ a: number \}/,
    );
  });

  it('an untyped parameter gets the type that was chosen', () => {
    const text = '/** Adds.\n * @tool\n * @param a the first */\nexport function add(a) { return a; }\n';
    assert.match(mended(text, 'number'), /add\(a: number\)/);
  });

  it('the empty line after a comment at the top goes', () => {
    assert.equal(
      mended('/** Adds. @tool */\n\nexport function add() { return 1; }\n'),
      '/** Adds. @tool */\nexport function add() { return 1; }\n',
    );
  });

  it('a syntax error is marked, so that the editor tells it once', () => {
    const found = analyse('/** Adds. @tool */\nexport function add( { return 1; }\n', 'a.ts');
    assert.ok(found.length > 0 && found.some(({ isSyntax }) => isSyntax));
  });
});
