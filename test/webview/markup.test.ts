import assert from 'node:assert/strict';
import { firstScreen } from '../../webview/shared/firstScreen';
import { HtmlWriter, m, type MarkupProps } from '../../webview/shared/markup';
import { pageHtml } from '../../webview/shared/pageHtml';

describe('markup as HTML', () => {
  const html = (...parts: Parameters<typeof m>): string => new HtmlWriter().html(m(...parts));

  it('escapes texts and attributes, leaves out what is not set', () => {
    assert.equal(
      html(
        'p',
        { title: `"a" & 'b'`, hidden: false, 'aria-busy': true, class: undefined },
        '<b>&amp;</b>',
        m('i', null),
      ),
      '<p title="&quot;a&quot; &amp; &#39;b&#39;" aria-busy>&lt;b&gt;&amp;amp;&lt;/b&gt;<i></i></p>',
    );
  });

  it('refuses what the CSP would not let through, and what is no custom property', () => {
    for (const props of [
      { style: 'color: red' },
      { onclick: 'x()' },
      { 'a b': 'c' },
      { vars: { color: 'red' } },
      { vars: { '--share': '1}*{color:red' } },
    ] as MarkupProps[])
      assert.throws(() => html('p', props), /markup: /);
  });

  it('equal custom properties share a rule', () => {
    const writer = new HtmlWriter();
    const text = [0.25, 1, 0.25].map((share) => writer.html(m('i', { vars: { '--share': String(share) } }))).join('');
    assert.equal(text, '<i data-vars="0"></i><i data-vars="1"></i><i data-vars="0"></i>');
    assert.equal(writer.css, '[data-vars="0"]{--share:0.25}\n[data-vars="1"]{--share:1}');
  });

  it('a run without traces has no first screen; a document without one is empty', () => {
    assert.equal(firstScreen([], { page: 'traces' }, false), null);
    const text = pageHtml({
      lang: 'en',
      nonce: 'n',
      cspSource: 'c',
      asset: (name) => `/${name}`,
      css: 'p{}',
      first: null,
    });
    assert.match(text, /<div id="app"><\/div>/);
    assert.ok(!text.includes('is-first'));
  });
});
