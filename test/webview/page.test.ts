/** What the page's source must not contain, and its words. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { csv } from '../../webview/components/csv';
import english from '../../webview/shared/strings.json';
import { setStrings, t } from '../../webview/shared/strings';

const root = path.resolve(import.meta.dirname ?? __dirname, '../../webview');
const files = (readdirSync(root, { recursive: true }) as string[]).filter((f) => f.endsWith('.ts'));
const source = new Map(files.map((file) => [file, readFileSync(path.join(root, file), 'utf8')]));
const styles = (readdirSync(root, { recursive: true }) as string[])
  .filter((f) => f.endsWith('.css'))
  .map((f) => readFileSync(path.join(root, f), 'utf8'))
  .join('\n');

describe('webview: page', () => {
  it('never parses text as HTML', () => {
    for (const [file, text] of source)
      assert.ok(
        !/innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|createContextualFragment/.test(text),
        file,
      );
  });

  it('knows the toolkit in one file only', () => {
    assert.deepEqual(
      files.filter((file) => /webview-ui-toolkit|@microsoft\/fast/.test(source.get(file)!)),
      ['components/controls.ts'],
    );
  });

  it('has no colour of its own', () => {
    assert.deepEqual(styles.match(/#[0-9a-f]{3,8}\b(?![^{]*\{)|\brgba?\(/gi) ?? [], []);
  });

  it('uses every word it has; keys made of parts count by their beginning', () => {
    const code = Array.from(source.values()).join('\n');
    const starts = Array.from(code.matchAll(/`([a-zA-Z.]+\.)\$\{/g), (match) => match[1]!);
    const unused = Object.keys(english).filter(
      (key) => !code.includes(`'${key}'`) && !starts.some((start) => key.startsWith(start)),
    );
    assert.deepEqual(unused, []);
  });

  it('takes translations, and falls back to English', () => {
    setStrings({ 'page.run': 'Lauf {x}' });
    try {
      assert.deepEqual(
        [t('page.run', { x: 1 }), t('page.traces'), t('list.more')],
        ['Lauf 1', 'Traces', 'Show {count} more'],
      );
    } finally {
      setStrings({});
    }
  });

  it('counts one as one', () => {
    assert.deepEqual(
      ['1', 1, 2, '1,000'].map((count) => t('try.count', { count })),
      ['1 answer', '1 answer', '2 answers', '1,000 answers'],
    );
    assert.equal(t('try.count'), '{count} {count|answer|answers}', 'what is not given stays visible');
  });

  it('has no word in the plural behind a number that may be one', () => {
    const plural = /\{(?:n|count|total|steps|pairs|traces|all|of)\} (?:[a-z]+ )?[a-z]+s\b/;
    assert.deepEqual(
      Object.entries(english).filter(([, text]) => plural.test(text)),
      [],
    );
  });

  it('writes CSV that a spreadsheet does not run', () => {
    assert.equal(
      csv(
        ['a', 'b,"c"'],
        [
          [1, null],
          ['=1+1', 'x\ny'],
        ],
      ),
      'a,"b,""c"""\r\n1,\r\n\'=1+1,"x\ny"\r\n',
    );
  });
});
