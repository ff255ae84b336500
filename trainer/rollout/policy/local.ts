import { byteVocabulary } from '../../model/decoding/constrained/byteVocabulary';
import type { Grammar } from '../../model/decoding/constrained/grammar';
import { JsonReply } from '../../model/decoding/constrained/jsonReply';
import { turnGrammar } from '../../model/decoding/constrained/turnGrammar';
import { Decoder } from '../../model/decoding/decoder';
import { DecoderGraphs } from '../../model/decoding/decoderGraphs';
import type { Engine } from '../../model/engine/engine';
import type { PromptTool } from '../../model/tokenizer/chatTemplate';
import { endIds } from '../../model/tokenizer/endIds';
import { loadBaseModel, type BaseModel } from '../../model/weights/baseModel';
import { UserError } from '../../protocol/result';
import type { RunConfig } from '../../protocol/runConfig';
import type { ToolSchema } from '../../protocol/task';
import type { Message } from '../../protocol/trace';
import type { ShownTools } from '../../tools/retrieval/shownTools';
import { parserOf, withoutTokens } from '../parser';
import { TokenKinds } from './tokenKinds';
import { LanePolicy, type LaneModel } from './lanes';
import { constraintOf } from './sampling';

/** A policy whose weights are here: it can be trained. */
export interface LocalPolicy extends LanePolicy {
  /** on its own tools; null: anything may be said */
  readonly grammar: Grammar | null;
  /** for the person who started the run: how the model is spoken to, where that is not what one may expect */
  readonly notes: readonly string[];
}

/**
 * A policy in this process.
 * @param graphs of the base's model, with or without an adapter; shared by policies over several tool files
 * @param tools that it is mostly asked with: what their prompts begin with is read once
 * @param sets where it is asked with several sets of tools: some whose prompts begin as all do; default: tools alone
 * @throws UserError where the constraint does not fit the model
 */
export function localPolicy(
  base: BaseModel,
  graphs: DecoderGraphs,
  tools: readonly PromptTool[],
  setting: RunConfig['constraint'],
  name: string,
  { startTokens, sets = [tools] }: Pick<LaneModel, 'startTokens'> & { sets?: readonly (readonly PromptTool[])[] } = {},
): LocalPolicy {
  const { format } = base.template;
  const isNano = format.calls === 'nano';
  const constraint = constraintOf(setting, isNano);
  if (constraint.startsWith('schema+') && !isNano)
    throw new UserError(
      'config',
      `constraint ${constraint}: the model in ${base.folder} is not the embedded one, which alone copies by spans`,
      'set constraint to schema or none for this model',
    );
  const { config } = graphs.model;
  const ends = endIds(base.folder, base.tokenizer, config.eosIds, format.end);
  const grammars = new WeakMap<readonly PromptTool[], Grammar>();
  const grammarOn = (those: readonly PromptTool[]): Grammar | null => {
    if (constraint === 'none') return null;
    const grammar = grammars.get(those) ?? turnGrammar(base, those, constraint, ends.ids);
    grammars.set(those, grammar);
    return grammar;
  };
  const { tokenizer } = base;
  const parser = base.toolTokens ? withoutTokens(parserOf(format.calls), base.toolTokens) : parserOf(format.calls);
  const template: LaneModel['template'] = {
    render: (messages, ...rest) => base.template.render(sayable(messages, format.hasSystem), ...rest),
    continuation: (messages, ...rest) => base.template.continuation(messages, ...rest),
    encodeDialogue: (of, messages, ...rest) =>
      base.template.encodeDialogue(of, sayable(messages, format.hasSystem), ...rest),
  };
  const policy = new LanePolicy(name, constraint, {
    tokenizer,
    template,
    parser,
    kinds: new TokenKinds({ tokenizer, template, parser, endIds: ends.ids }),
    vocabSize: config.vocabSize,
    endIds: ends.ids,
    grammarOn,
    replyOf: ({ schema, exactSchema = schema }) =>
      new JsonReply(base.tokenizer, exactSchema, base.tokenizer.idOf(format.end)),
    startTokens,
    prefix: sharedPrefix(base, sets),
    openLanes: (prefix) => new Decoder(graphs, prefix),
  });
  return Object.assign(policy, { grammar: grammarOn(tools), notes: [...format.notes, ...ends.notes] });
}

/** A policy on a model of this disk, with weights and graphs of its own. */
export interface OwnPolicy extends LocalPolicy {
  /** frees them; twice is harmless */
  close(): void;
}

/**
 * Opens a model that answers anything, without tools to know: a judge, a writer.
 * @param model a folder or a GGUF file @param positions the longest dialogue, tokens
 * @throws UserError where it can't be loaded or its tokenizer can't be held to a schema
 */
export function openOwnPolicy(model: string, engine: Engine, name: string, positions: number): OwnPolicy {
  const base = loadBaseModel(model, positions);
  const graphs = new DecoderGraphs(engine, base.model);
  let isOpen = true;
  const close = (): void => {
    if (!isOpen) return;
    isOpen = false;
    graphs.forget();
    base.dispose();
  };
  try {
    byteVocabulary(base.tokenizer);
    return Object.assign(localPolicy(base, graphs, [], 'none', name, { startTokens: START_TOKENS }), { close });
  } catch (error) {
    close();
    throw error;
  }
}

/** Of a prompt that may be long: bounds the memory of its attention. */
const START_TOKENS = 512;

/** A template that writes no system message gets its words in the user's first turn. */
function sayable(messages: readonly Message[], hasSystem: boolean): readonly Message[] {
  const [first, second, ...rest] = messages;
  if (hasSystem || first?.role !== 'system' || second?.role !== 'user') return messages;
  return [{ ...second, content: `${first.content}\n\n${second.content}` }, ...rest];
}

/** In steps of this many tokens, so that few graphs are compiled. */
const PREFIX_STEP = 16;

/** What every prompt on these sets of tools begins with. */
function sharedPrefix(base: BaseModel, sets: readonly (readonly PromptTool[])[]): number[] {
  const [first, ...others] = sets.flatMap((tools) =>
    ['a', '0'].map((content) => base.tokenizer.encode(base.template.render([{ role: 'user', content }], tools, true))),
  );
  const same = first!.findIndex((id, i) => others.some((ids) => ids[i] !== id));
  return first!.slice(0, Math.floor(same / PREFIX_STEP) * PREFIX_STEP);
}

/** What a run's policy is asked with: its tools, or the few of them that each request is shown. */
export interface AskedWith {
  tools: readonly ToolSchema[];
  shown?: ShownTools | null | undefined;
  config: Pick<RunConfig, 'constraint' | 'model'>;
}

/** The policy of a run. */
export const runPolicy = (base: BaseModel, graphs: DecoderGraphs, { tools, shown, config }: AskedWith): LocalPolicy =>
  shown
    ? localPolicy(base, graphs, [], config.constraint, config.model, { sets: [shown.shortest, shown.longest] })
    : localPolicy(base, graphs, tools, config.constraint, config.model);

/** How long the prompt of these tools is, in tokens, and how long an episode may be. */
function roomOf(base: BaseModel, tools: readonly PromptTool[]): { length: number; limit: number } {
  return {
    length: base.tokenizer.encode(base.template.render([{ role: 'user', content: 'x' }], tools, true)).length,
    limit: base.model.rotary.cos.shape[0],
  };
}

/** A dozen tools can be a longer prompt than a whole episode may be, and then every episode would end unspoken. */
export function hasRoom(base: BaseModel, tools: readonly PromptTool[]): boolean {
  const { length, limit } = roomOf(base, tools);
  return length < limit;
}

/** @throws UserError where the tools leave no room to write */
export function checkRoom(base: BaseModel, tools: readonly PromptTool[]): void {
  if (hasRoom(base, tools)) return;
  const { length, limit } = roomOf(base, tools);
  throw new UserError(
    'config',
    `${tools.length} tools are a prompt of ${length} tokens for this model, maxTokens is ${limit}`,
    `set maxTokens to ${Math.ceil((length + 256) / 128) * 128} or more, or coach on fewer tools`,
  );
}
