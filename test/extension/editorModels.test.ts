import assert from 'node:assert/strict';
import { LenderError, serveModels, type Lender, type ModelServer } from '../../extension/models/editorModelServer';
import { memoryCache } from '../../trainer/rewards/judge/cache';
import { openJudge, type Judge } from '../../trainer/rewards/judge/judge';
import { judgeSettings } from '../../trainer/rewards/judge/settings';
import { Episode } from '../../trainer/rewards/episode';
import { trace } from '../rewards/fixtures';
import { task } from '../tasks/fixtures';

const RANKING = { mode: 'ranking', scores: 'relative', mayCallTools: false } as const;
const replies = (...texts: string[]) =>
  texts.map((text, i) => new Episode(task('Count them.'), trace([{ text }], { id: `${i}` }), []));

/** A model of the editor that ranks by the digit it reads, as the judge's question asks it to. */
const digits: Lender = {
  models: async () => ['gpt-9'],
  async reply(model, messages) {
    if (model !== 'gpt-9') throw new LenderError(404, `the editor has no model ${model}; it has gpt-9`);
    assert.deepEqual(new Set(messages.map(({ role }) => role)), new Set(['user']), 'the editor knows no system role');
    const attempts = [...messages[1]!.text.matchAll(/<attempt id="(\w+)">\n([^]*?)\n<\/attempt>/g)];
    return {
      text: JSON.stringify({
        attempts: attempts.map(([, id, text]) => ({
          id,
          reason: 'read',
          score: Number(/It is (\d)/.exec(text)?.[1]) / 9,
        })),
      }),
      promptTokens: 40,
      completionTokens: 4,
    };
  },
};

describe("the editor's own models as a judge", () => {
  let server: ModelServer;
  before(async () => (server = await serveModels(digits)));
  after(() => server.close());
  const judgeOf = (model: string, key = server.key): Promise<Judge> =>
    openJudge({
      settings: judgeSettings(
        { baseUrl: 'vscode.lm', model },
        { COACH_EDITOR_MODELS_URL: server.url, COACH_JUDGE_KEY: key },
      ),
      cache: memoryCache(),
      signal: new AbortController().signal,
      sleep: async () => undefined,
      now: () => 0,
    });

  it('judges through the same client as any server, recorded by its name and not by a port', async () => {
    const judge = await judgeOf('gpt-9');
    await judge.check();
    const judged = await judge.judge(replies('It is 9.', 'It is 0.', 'It is 3.'), RANKING);
    assert.deepEqual(
      judged.map(({ score }) => score?.toFixed(3)),
      ['1.000', '0.000', '0.333'],
    );
    assert.equal(judge.identity.baseUrl, 'vscode.lm');
    assert.deepEqual([judge.counts.promptTokens, judge.counts.completionTokens], [80, 8]);
  });

  it('an unknown model, another key and no window are one sentence each', async () => {
    await assert.rejects(
      (await judgeOf('gpt-3')).check(),
      /does not know the model gpt-3 \(status 404\): .*it has gpt-9/,
    );
    await assert.rejects((await judgeOf('gpt-9', 'guessed')).check(), /refused the key/);
    assert.throws(() => judgeSettings({ baseUrl: 'vscode.lm', model: 'gpt-9' }, {}), /no VS Code window lends them/);
  });

  it('answers what is no question with what is wrong', async () => {
    const ask = async (path: string, body: string): Promise<[number, string]> => {
      const response = await fetch(`${server.url}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${server.key}` },
        body,
      });
      return [response.status, ((await response.json()) as { error: { message: string } }).error.message];
    };
    assert.deepEqual(await ask('/chat/completions', '{'), [400, 'the question is no JSON']);
    assert.equal((await ask('/chat/completions', '{"model": "gpt-9", "messages": []}'))[0], 400);
    assert.deepEqual(await ask('/embeddings', '{}'), [404, 'there is no POST /v1/embeddings']);
    assert.equal((await ask('/chat/completions', ' '.repeat(5 * 2 ** 20)))[0], 413);
  });
});
