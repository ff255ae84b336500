/** What a model, a tool or a file wrote is read in the terminal and in the panel; it steers neither. */
import assert from 'node:assert/strict';
import { visible, visibleJson } from '../../trainer/protocol/visible';
import { h } from '../../webview/components/dom';
import { HtmlWriter, m } from '../../webview/shared/markup';
import { coach, makeWorkspace, type Ran } from '../app/cli/coach';
import { newRun, sampleManifest, sampleTrace, tempFolder } from '../store/runs/sample';

/** A title, the clipboard, colours, a line that is written over, C1's CSI, a text turned round. */
const EVIL = {
  osc0: '\x1b]0;owned\x07',
  osc52: '\x1b]52;c;cm0gLXJmIH4=\x07',
  csi: '\x1b[2J\x1b[31m',
  overwrite: 'all is well\rrm -rf /',
  backspace: 'good\b\b\b\bevil',
  c1: '\u009b31m\u009d0;owned\u009c',
  del: '\x7f',
  bidi: '\u202egnp.exe\u202c\u2066x\u2069',
};
const ALL = Object.values(EVIL).join(' ');
const RAW = /[\0-\x08\v\f\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]|\r(?!\n)/;

describe('attacks: control characters', () => {
  const { dir, remove } = tempFolder('coach-attack-terminal-');
  let run: string;
  before(() => {
    makeWorkspace(dir);
    const evilTool = `search ${ALL}`;
    const writer = newRun(dir, { manifest: { ...sampleManifest, toolNames: [evilTool] } });
    run = writer.id;
    const call = { id: 'c1', name: evilTool, arguments: { query: ALL } };
    const trace = sampleTrace('t-1', {
      messages: [
        { role: 'user', content: `ask ${ALL}` },
        {
          role: 'assistant',
          content: ALL,
          tool_calls: [{ id: 'c1', type: 'function', function: { name: evilTool, arguments: { query: ALL } } }],
        },
        { role: 'tool', content: ALL, tool_call_id: 'c1', name: evilTool },
      ],
      turns: [{ start: 3, end: 5, text: ALL, calls: [{ ...call, result: null }], sampleMs: 1, parseError: ALL }],
      rewards: [{ name: 'correctness', score: null, weight: 1, error: ALL }],
      ungrounded: [ALL],
    });
    writer.append({ type: 'traceRecorded', trace: writer.recordTrace(trace) });
    writer.append({ type: 'noted', level: 'warning', code: 'toolLeftOut', message: ALL });
    writer.close();
  });
  after(remove);

  const quiet = ({ stdout, stderr }: Ran): string => {
    assert.doesNotMatch(stdout + stderr, RAW);
    return stdout + stderr;
  };

  it('of a trace are shown in the terminal, and not sent to it', async () => {
    const said = quiet(await coach(dir, ['trace', run, 't-1']));
    for (const seen of ['\\x1b]0;owned\\x07', '\\x1b]52;c;', '\\x9b31m', '\\u202egnp.exe', 'well\\rrm -rf'])
      assert.ok(said.includes(seen), `${seen} in ${said}`);
  });

  it('as JSON is exact, and as harmless', async () => {
    const ran = await coach(dir, ['trace', run, 't-1', '--json']);
    quiet(ran);
    assert.equal(ran.json.messages[0].content, `ask ${ALL}`);
  });

  it('of names, of messages and of what was typed are shown', async () => {
    for (const args of [
      ['runs'],
      [`evil${ALL}`],
      ['trace', run, `t${ALL}`],
      ['runs', `--evil${EVIL.osc52}`],
      ['train', `nothing${EVIL.osc0}.ts`],
      ['train', 'tools.ts', '--set', `steps=${EVIL.csi}`],
      ['train', 'tools.ts', '--preset', EVIL.c1],
    ])
      quiet(await coach(dir, args));
  });

  it('of tools reach neither the lines of a run nor its bar', async () => {
    const evil = {
      discover: async (paths: readonly string[]) => ({
        tools: [],
        rewards: [],
        diagnostics: [{ file: paths[0]!, line: 1, severity: 'error' as const, message: ALL }],
        files: [...paths],
      }),
    };
    for (const isTty of [false, true]) {
      const { stdout, stderr } = await coach(dir, ['train', 'tools.ts'], { dependencies: evil, isTty });
      assert.match(stderr, /owned/);
      assert.doesNotMatch((stdout + stderr).replace(/\r\x1b\[K|\r(?=\[)/g, ''), RAW);
    }
  });

  it('leave line ends, tabs, letters and signs as they are', () => {
    const plain = 'Grüße 🙂\tשלום\r\n日本 \u200d';
    assert.equal(visible(plain), plain);
    assert.equal(visible('\x1b\u202e\x00'), '\\x1b\\u202e\\x00');
    assert.deepEqual(JSON.parse(visibleJson(JSON.stringify({ [ALL]: ALL }))), { [ALL]: ALL });
  });

  it("are shown in the panel's first screen, its texts and its labels", () => {
    const html = new HtmlWriter().html(m('p', { title: ALL, 'data-key': EVIL.bidi }, ALL));
    assert.doesNotMatch(html.replace(/data-key="[^"]*"/, ''), RAW);
    const made = fakePage(() => h('p', { title: ALL, 'aria-label': ALL, value: EVIL.bidi }, ALL, 7, null));
    assert.deepEqual(made, {
      texts: [visible(ALL), '7'],
      attributes: { title: visible(ALL), 'aria-label': visible(ALL), value: EVIL.bidi },
    });
  });
});

/** What is made of one element, without a browser. */
function fakePage(make: () => unknown): { texts: unknown[]; attributes: Record<string, string> } {
  const [texts, attributes]: [unknown[], Record<string, string>] = [[], {}];
  const element = {
    append: (...children: unknown[]) => void texts.push(...children),
    getAttribute: (name: string) => attributes[name] ?? null,
    setAttribute: (name: string, value: string) => void (attributes[name] = value),
  };
  const page = globalThis as { document?: unknown };
  page.document = { createElement: () => element };
  try {
    make();
  } finally {
    delete page.document;
  }
  return { texts, attributes };
}
