/**
 * Rewritten answers from the check to DPO's batch, on the embedded model's own tokenizer and grammar: what is refused
 * is refused with the reason at its place, and what is not refused is in the batch.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { checkRewrite, trainingForecast } from '../../trainer/app/preferenceCheck';
import { runSpeech } from '../../trainer/app/runSpeech';
import { makeBatch } from '../../trainer/learning/batch';
import type { AnswerPair, PreferenceBody } from '../../trainer/protocol/preferences';
import { RunConfig } from '../../trainer/protocol/runConfig';
import type { TypeScriptTool } from '../../trainer/protocol/task';
import type { Message } from '../../trainer/protocol/trace';
import { givenPairs } from '../../trainer/recipes/steps/givenPairs';
import type { Session } from '../../trainer/recipes/steps/session';
import { messageOf, type AnswerDraft } from '../../trainer/store/preferences/checkDraft';
import { preferencesFile, recordPreferences } from '../../trainer/store/preferences/store';
import { newRun, sampleManifest, tempFolder } from '../store/runs/sample';

const tool = (name: string, properties: Record<string, unknown>, required: string[], more = {}): TypeScriptTool => ({
  name,
  description: `The tool ${name}.`,
  parameters: { type: 'object', properties, required, ...more },
  source: { file: 'tools.ts', line: 1 },
  binding: { exportName: name, positional: Object.keys(properties).map((one) => ({ name: one })) },
  changesWorld: false,
});
const tools = [
  tool('search', { query: { type: 'string', minLength: 1 }, limit: { type: 'integer', minimum: 1, maximum: 50 } }, [
    'query',
  ]),
  tool('read', { id: { type: 'string', pattern: '^m-[0-9]+$' } }, ['id'], { additionalProperties: false }),
  tool('list', { order: { enum: ['newest', 'oldest'] }, unread: { type: 'boolean' } }, []),
  tool('label', { id: { type: 'string' }, tags: { type: 'array', items: { type: 'string' } } }, ['id', 'tags']),
];
const PROMPT = 'Find the mail m-12 of Ana about the rent, give at most 5, and label it home';
const user: Message = { role: 'user', content: PROMPT };
const said = (draft: AnswerDraft): Message => messageOf(draft);
const call = (name: string, args: Record<string, unknown>): AnswerDraft => ({
  content: '',
  calls: [{ name, arguments: args }],
});
const words = (content: string): AnswerDraft => ({ content, calls: [] });
const original = call('search', { query: 'mail' });

const pairOf = (id: string): AnswerPair => ({
  id,
  runId: 'r',
  taskId: `task-${id}`,
  groupId: 'g',
  toolFile: 'tools.ts',
  model: 'nano',
  checkpoint: 'step 2',
  prompt: [user],
  sides: [
    { traceId: 'a', messages: [said(original)] },
    { traceId: 'b', messages: [said(call('list', {}))] },
  ],
});

/** draft -> the place that is named, and the reason */
const WRONG: [AnswerDraft, call: number | null, field: string | null, reason: RegExp][] = [
  [words(''), null, 'content', /says nothing/],
  [words('   \n '), null, 'content', /says nothing/],
  [call('serch', { query: 'Ana' }), 0, null, /no tool "serch".*search/],
  [call('', {}), 0, null, /no tool ""/],
  [call('search', {}), 0, 'query', /required property 'query'/],
  [call('search', { query: 3 }), 0, 'query', /must be string/],
  [call('search', { query: null }), 0, 'query', /must be string/],
  [call('search', { query: '' }), 0, 'query', /fewer than 1/],
  [call('search', { quer: 'Ana', query: 'Ana' }), 0, 'quer', /no argument "quer".*query/],
  [call('search', { query: 'Ana', limit: '5' }), 0, 'limit', /must be integer/],
  [call('search', { query: 'Ana', limit: 2.5 }), 0, 'limit', /must be integer/],
  [call('search', { query: 'Ana', limit: 0 }), 0, 'limit', />= 1/],
  [call('search', { query: 'Ana', limit: 51 }), 0, 'limit', /<= 50/],
  [call('read', { id: 'Ana' }), 0, 'id', /pattern/],
  [call('read', { id: 'm-12', folder: 'home' }), 0, 'folder', /must not have 'folder'/],
  [call('list', { order: 'best' }), 0, 'order', /must be one of/],
  [call('list', { unread: 'true' }), 0, 'unread', /must be boolean/],
  [call('label', { id: 'm-12', tags: 'home' }), 0, 'tags', /must be array/],
  [call('label', { id: 'm-12', tags: [1] }), 0, 'tags', /must be string/],
  [original, null, null, /says the same as before/],
];
/** What the policy of this run, which copies, can't say: nothing that the schemas forbid. */
const COPIED = /can't say this under constraint schema\+spans/;
const UNSAYABLE: [AnswerDraft, call: number | null, field: string | null, reason: RegExp][] = [
  [call('search', { query: 'a holiday in Lisbon' }), 0, 'query', COPIED],
  [call('label', { id: 'invoice 77', tags: ['home'] }), 0, 'id', COPIED],
  [call('search', { query: 'rent', limit: 43 }), 0, 'limit', COPIED],
  [call('label', { id: 'm-12', tags: ['home', 'Lisbon'] }), 0, 'tags', COPIED],
  [words('Ana wrote about the rent.'), null, 'content', /no words for "wrote"/],
  [{ content: 'I look', ...{ calls: call('search', { query: 'Ana' }).calls } }, null, 'content', /beside a call/],
];
const RIGHT: AnswerDraft[] = [
  call('search', { query: 'Ana' }),
  call('search', { query: 'rent' }),
  call('search', { query: 'the rent' }),
  call('search', { query: 'mail m-12 of Ana' }),
  call('search', { query: 'Ana about the rent' }),
  call('search', { query: 'Ana', limit: 5 }),
  call('search', { query: 'm-12', limit: 5 }),
  call('search', { query: 'home' }),
  call('read', { id: 'm-12' }),
  call('list', {}),
  call('list', { order: 'newest' }),
  call('list', { order: 'oldest' }),
  call('list', { unread: true }),
  call('list', { unread: false, order: 'oldest' }),
  call('label', { id: 'm-12', tags: ['home'] }),
  call('label', { id: 'm-12', tags: ['home', 'rent'] }),
  words('The mail m-12 is of Ana.'),
  words('Ana has the rent.'),
  words('It is m-12.'),
  words('I found the mail of Ana.'),
];

describe('rewritten answers, from the check to the batch', () => {
  const folders = [tempFolder(), tempFolder()];
  after(() => folders.forEach(({ remove }) => remove()));
  const [workspace, other] = folders.map(({ dir: folder }) => folder) as [string, string];
  const toolFile = join(workspace, 'tools.ts');
  const config = RunConfig.parse({ toolFile, model: 'nano', steps: 2 });
  const { dir } = newRun(workspace, { tools, manifest: { ...sampleManifest, config } });

  WRONG.forEach(([draft, at, field, reason], i) => {
    it(`wrong ${i + 1} of ${WRONG.length}: ${JSON.stringify(draft.calls[0] ?? draft.content)} is refused at its place`, () => {
      const { problems } = checkRewrite(dir, pairOf(`w${i}`), 0, draft);
      const found = problems.find((one) => one.call === at && one.field === field);
      assert.ok(found, JSON.stringify(problems));
      assert.match(found.message, reason);
    });
  });

  UNSAYABLE.forEach(([draft, at, field, reason]) => {
    it(`${JSON.stringify(draft)}: what training would drop is refused, too`, () => {
      const [problem] = checkRewrite(dir, pairOf('u'), 0, draft).problems;
      assert.deepEqual([problem?.call, problem?.field], [at, field]);
      assert.match(problem!.message, reason);
    });
  });

  it(`${RIGHT.length} right ones are not refused, and each is in DPO's batch; none is dropped`, () => {
    const bodies = RIGHT.map((draft, i): PreferenceBody => {
      const { message, problems } = checkRewrite(dir, pairOf(`r${i}`), 0, draft);
      assert.deepEqual(problems, [], JSON.stringify(draft));
      return { type: 'rewrite', pair: pairOf(`r${i}`), of: 0, messages: [message] };
    });
    recordPreferences(workspace, bodies, { author: { name: 'Ada' } });
    assert.deepEqual(trainingForecast(workspace, dir), {
      taken: RIGHT.length,
      dropped: [],
      ties: 0,
      bothBad: 0,
      skipped: 0,
    });
    const speech = runSpeech(dir);
    const session = {
      base: { ...speech, model: { config: { vocabSize: speech.vocabSize } } },
      policy: speech,
      context: { config, tools: speech.tools, run: { dir } },
    } as unknown as Session; // what givenPairs reads of it
    const { pairs, notes } = givenPairs(session, preferencesFile(workspace));
    assert.equal(pairs.length, RIGHT.length);
    assert.deepEqual(
      notes.map(({ code }) => code),
      ['pairsTaken'],
    );
    const batch = makeBatch(pairs, speech.vocabSize, 0);
    try {
      assert.ok(batch.tokens > 0);
    } finally {
      batch.dispose();
    }
    for (const [i, [chosen]] of pairs.entries()) {
      const { ids, completionMask } = chosen.trace.tokens;
      const [first] = [completionMask.indexOf(1)];
      assert.ok(first > 0, `right ${i + 1} has something to learn`);
      assert.ok(speech.tokenizer.decode(ids.slice(0, first), false).includes('rent'), 'after the task');
    }
  });

  it('what is marked both bad is settled and trained on by nothing', () => {
    const run = newRun(other, {
      tools,
      manifest: { ...sampleManifest, config: { ...config, toolFile: join(other, 'tools.ts') } },
    });
    const shown = { a: 0 as const, isBlind: true };
    recordPreferences(other, [{ type: 'mark', pair: pairOf('x'), verdict: 'bothBad', shown }], {
      author: { name: 'Ada' },
    });
    assert.deepEqual(trainingForecast(other, run.dir), { taken: 0, dropped: [], ties: 0, bothBad: 1, skipped: 0 });
  });
});
