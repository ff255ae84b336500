import { loadBaseModel, type BaseModel } from '../../model/weights/baseModel';
import type { Engine } from '../../model/engine/engine';
import { Decoder, DecoderGraphs } from '../../model/decoding/decoder';
import { Lanes } from '../../base/lanes';
import type { Message } from '../../protocol/trace';
import { byteVocabulary } from '../../model/decoding/constrained/byteVocabulary';
import { roomOf } from '../../model/decoding/constrained/jsonBytes';
import { JsonConstraint } from '../../model/decoding/constrained/jsonConstraint';
import { writeJson, type Written } from '../../model/decoding/constrained/writeJson';
import { cacheKey, overBudget, recall, type ClientOptions } from './client';
import { JudgeFailure, type JudgeClient, type Question, type Usage, InvalidReply } from '../../model/question';
import { aboutJudge, checkLocalModel, NO_TOOLS } from './localModel';

/** A longer question is refused: keys and values of so many tokens are memory of their own. */
const MOST_POSITIONS = 16_384;
/**
 * Of a reason or a quote, where the setting does not say how long a reply may be; and the least that is worth asking
 * for.
 */
const STRING_TOKENS = 64;
const LEAST_STRING_TOKENS = 4;
/** Scores are read to two digits behind the point. */
const DECIMALS = 2;

/**
 * A model folder or a GGUF file of this disk, computed by the trainer's own engine in its process: greedy, and held to
 * the question's schema while it
 * writes, so that each reply is one. The same process will do, since an engine's call is synchronous from its inputs to
 * its results and no tidy body is
 * async: a reply and a rollout take turns between tokens, each with weights, graphs and cache of its own. One reply at
 * a time; the same question gets the
 * same reply, so nothing is asked twice.
 * @throws UserError where the model is none, does not fit, or can't be read
 */
export async function openLocalClient({ settings, engine, cache, now }: ClientOptions): Promise<JudgeClient> {
  const path = settings.modelPath!;
  let model = engine === null ? null : aboutJudge(() => openModel(path, engine));
  const spent: JudgeClient['spent'] = {
    promptTokens: 0,
    completionTokens: 0,
    usd: 0,
    requests: 0,
    retries: 0,
    cacheHits: 0,
  };
  const lane = new Lanes(1);

  return {
    spent,
    async check() {
      if (model === null) checkLocalModel(path);
    },
    async ask(question, signal) {
      const key = cacheKey(path, question.system, question.user, question.exactSchema, settings.replyTokens);
      const known = recall(cache.get(key), question);
      if (known !== null) {
        spent.cacheHits++;
        return {
          value: known.value,
          text: cache.get(key)!,
          usage: { promptTokens: 0, completionTokens: 0, usd: 0 },
          isCached: true,
        };
      }
      return lane.run(async () => {
        signal.throwIfAborted();
        if (model === null) throw new Error('localClient: asked without an engine, or after it was closed');
        const over = overBudget(spent, settings);
        if (over !== null) throw new JudgeFailure(over, true);
        if (question.tools) throw new JudgeFailure(NO_TOOLS);
        const { written, usage } = await reply(model, question, signal);
        const failure = (message: string): JudgeFailure =>
          Object.assign(new JudgeFailure(`the judge gave no verdict: ${message}`), { usage, reply: written.text });
        if (written.isCut) throw failure('the reply was cut off by its length');
        try {
          const value = question.parse(written.text);
          cache.set(key, written.text);
          return { value, text: written.text, usage, isCached: false };
        } catch (error) {
          throw error instanceof InvalidReply ? failure(error.message) : error;
        }
      });
    },
    close() {
      model?.graphs.forget();
      model?.base.dispose();
      model = null;
    },
  };

  async function reply(
    { base, graphs, positions }: LocalModel,
    question: Question<unknown>,
    signal: AbortSignal,
  ): Promise<{ written: Written; usage: Usage }> {
    const prompt = promptOf(base, question);
    const { stringTokens, mostTokens } = limitsOf(base, question, settings.replyTokens);
    if (prompt.length + mostTokens > positions)
      throw new JudgeFailure(
        `the question is ${prompt.length} tokens and its reply up to ${mostTokens}, this judge reads ${positions}: judgeMode pairwise and smaller groups make it shorter`,
      );
    spent.requests++;
    spent.promptTokens += prompt.length;
    const until = now() + settings.timeoutMs;
    const constraint = new JsonConstraint(base.tokenizer, question.exactSchema, stringTokens, { decimals: DECIMALS });
    let tokens = 0;
    const written = await writeJson({
      decoder: new Decoder(graphs),
      tokenizer: base.tokenizer,
      prompt,
      constraint,
      mostTokens,
      onToken(count) {
        spent.completionTokens += count - tokens;
        tokens = count;
        signal.throwIfAborted();
        if (now() > until)
          throw Object.assign(new JudgeFailure(`the judge gave no verdict: no reply in ${settings.timeoutMs} ms`), {
            usage: { promptTokens: prompt.length, completionTokens: tokens, usd: 0 },
          });
      },
    });
    spent.completionTokens += written.ids.length - tokens;
    return { written, usage: { promptTokens: prompt.length, completionTokens: written.ids.length, usd: 0 } };
  }
}

interface LocalModel {
  base: BaseModel;
  graphs: DecoderGraphs;
  positions: number;
}

function openModel(path: string, engine: Engine): LocalModel {
  const { folder, config } = checkLocalModel(path);
  const positions = Math.min(config.maxPositions, MOST_POSITIONS);
  const base = loadBaseModel(folder, positions);
  try {
    byteVocabulary(base.tokenizer);
  } catch (error) {
    base.dispose();
    throw error;
  }
  return { base, graphs: new DecoderGraphs(engine, base.model), positions };
}

/** A template that writes no system message gets its words in the user's turn. */
function promptOf({ template, tokenizer }: BaseModel, { system, user }: Question<unknown>): number[] {
  const messages: Message[] = template.format.hasSystem
    ? [
        { role: 'system', content: system },
        { role: 'user', content: user },
      ]
    : [{ role: 'user', content: `${system}\n\n${user}` }];
  return tokenizer.encode(template.render(messages, [], true));
}

/**
 * Each free string gets an equal share of what the rest of the reply leaves. @throws JudgeFailure where that is
 * nothing
 */
function limitsOf(
  { tokenizer }: BaseModel,
  { exactSchema }: Question<unknown>,
  replyTokens: number | null,
): { stringTokens: number; mostTokens: number } {
  const { tokens, strings } = roomOf(exactSchema, (text) => tokenizer.encode(text).length, { decimals: DECIMALS });
  const stringTokens =
    replyTokens === null
      ? STRING_TOKENS
      : Math.min(STRING_TOKENS * 2, Math.floor((replyTokens - tokens) / Math.max(1, strings)));
  if (stringTokens < LEAST_STRING_TOKENS)
    throw new JudgeFailure(
      `judgeReplyTokens must be ${tokens + strings * LEAST_STRING_TOKENS} or more for ${strings} verdicts of this judge, got ${replyTokens}`,
    );
  return { stringTokens, mostTokens: replyTokens ?? tokens + strings * stringTokens };
}
