import assert from 'node:assert/strict';
import { openShownTools } from '../../../trainer/app/retrieval/openShownTools';
import { withShownTools } from '../../../trainer/app/retrieval/shownSettings';
import { parseSettings, settle } from '../../../trainer/app/settings';
import { sampleTool } from '../../store/runs/sample';

const tools = (n: number) => Array.from({ length: n }, (_, i) => ({ ...sampleTool, name: `tool${i}` }));
const given = (settings: object = {}) => parseSettings({ toolFile: '/t.ts', ...settings });
const shown = (settings: object, n: number, options = {}) =>
  withShownTools(given(settings), tools(n), options).shownTools;

describe('settings of the tools that are shown', () => {
  it('up to 64 tools all are, of more 10; a number that is set goes before', () => {
    assert.equal(shown({}, 64), undefined);
    assert.equal(shown({}, 65), 10);
    assert.equal(shown({}, 65, { byDefault: false }), undefined, 'a run of before, whose prompts held all');
    assert.equal(shown({ shownTools: 0 }, 200), undefined);
    assert.equal(shown({ shownTools: 3 }, 4), 3);
    assert.equal(shown({ shownTools: 4 }, 4), undefined, 'all');
    assert.equal(shown({ 'tools.shownTools': 3 }, 65, { byDefault: false }), 3);
    assert.deepEqual(withShownTools(given(), tools(9)), given(), 'nothing is written where all are shown');
  });

  it('one clear message for what is wrong', () => {
    const wrong = (settings: object, message: RegExp) =>
      assert.throws(() => withShownTools(given(settings), tools(9)), message);
    wrong({ shownTools: 3, shownAlways: ['tool1', 'toll2'] }, /shownAlways: there is no tool "toll2"/);
    wrong(
      { shownTools: 2, shownAlways: ['tool1', 'tool2'] },
      /names 2 tools, shownTools is 2: nothing would be looked up/,
    );
    assert.throws(() => given({ shownTools: 1.5 }), /shownTools must be a whole number/);
    assert.throws(
      () => settle({ ...given({ method: 'dpo', pairs: '/p.jsonl' }), shownTools: 3 }, false),
      /shownTools 3 does not go with pairs/,
    );
    assert.equal(shown({ method: 'dpo', pairs: '/p.jsonl' }, 65), undefined, 'nor does the default');
  });

  it('with find_tools half of them are shown, and something must be left to find', () => {
    assert.equal(shown({ findTools: true }, 9), 5);
    assert.equal(shown({ findTools: true }, 65), 10);
    assert.equal(withShownTools(given({ findTools: true, shownTools: 2 }), tools(9)).findTools, true);
    const wrong = (settings: object, of: ReturnType<typeof tools>, message: RegExp) =>
      assert.throws(() => withShownTools(given({ findTools: true, ...settings }), of), message);
    wrong({ shownTools: 9 }, tools(9), /findTools: all 9 tools are shown, so there is none to find/);
    wrong({}, tools(1), /all 1 tools are shown/);
    wrong({}, [...tools(9), { ...sampleTool, name: 'find_tools' }], /adds a tool called find_tools, and .+ has one/);
    const together = (settings: object, message: RegExp) =>
      assert.throws(() => settle({ ...given({ findTools: true, ...settings }), shownTools: 3 }, false), message);
    together({ method: 'dpo' }, /findTools does not go with dpo/);
    together({ stages: 'sft:4,dpo:4' }, /findTools does not go with dpo/);
    together({ renameTools: 0.5 }, /findTools does not go with renameTools/);
    together({ method: 'sft', sftDialogues: '/d.jsonl' }, /findTools does not go with a teacher/);
  });

  it('by words alone, and so again; what the sentence encoder found is not found without it', () => {
    const before = process.env['COACH_DATA'];
    process.env['COACH_DATA'] = '/nowhere';
    try {
      const open = openShownTools({ shownTools: 2 }, tools(5), { train: [] })!;
      assert.equal(open.by, 'words');
      assert.match(open.note.message, /shown 2 of 5 tools, found by words alone/);
      assert.equal(open.shown.of({ prompt: 'tool4, please' }).length, 2);
      const found = openShownTools({ shownTools: 2, findTools: true }, tools(5), { train: [] })!;
      assert.match(found.note.message, /shown 2 of 5 tools and find_tools, for the others, found by words alone/);
      found.close();
      open.close();
      const train = Array.from({ length: 50 }, (_, i) => ({
        id: `${i}`,
        prompt: `Any ${i % 2 === 0 ? 'marathon' : 'wedding'}\nnews?`,
        calls: [{ name: i % 2 === 0 ? 'tool3' : 'tool4', arguments: {} }],
      }));
      const taught = openShownTools({ shownTools: 1 }, tools(5), { train })!;
      const byTraining = taught.shown.of({ prompt: 'the wedding' }).map(({ name }) => name);
      assert.deepEqual(byTraining, ['tool4'], 'by what training requests say');
      taught.close();
      assert.throws(
        () => openShownTools({ shownTools: 2 }, tools(5), { train: [], before: 'both' }),
        /sentence encoder, which is not installed/,
      );
      assert.equal(openShownTools({}, tools(5), { train: [] }), null);
    } finally {
      if (before === undefined) delete process.env['COACH_DATA'];
      else process.env['COACH_DATA'] = before;
    }
  });
});
