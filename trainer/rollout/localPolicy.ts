import type { BaseModel } from '../checkpoint/baseModel';
import type { Engine } from '../engine/engine';
import type { CausalLM } from '../model/causalLM';
import { Decoder, DecoderGraphs } from '../model/decoder';
import type { RunConfig } from '../protocol/runConfig';
import { UserError } from '../protocol/result';
import type { PromptTool } from '../tokenizer/chatTemplate';
import { CallGrammar } from './callGrammar';
import type { Policy } from './policy';
import { hermesParser, nanoParser } from './toolCallParser';

/** The policy that is trained: a model in this process. @param model the base's, with or without an adapter */
export function localPolicy(base: BaseModel, model: CausalLM, engine: Engine, tools: readonly PromptTool[], constraint: RunConfig['constraint'], name: string): Policy {
  const isOurs = base.template.source.includes('<|call|>');
  if (constraint !== 'none' && !isOurs) {
    throw new UserError('config', `constraint ${constraint}: the model in ${base.folder} writes calls in a form of its own`, 'set constraint to none for this model');
  }
  const graphs = new DecoderGraphs(engine, model);
  const endIds = new Set(isOurs ? [base.tokenizer.idOf('<|end|>')] : model.config.eosIds);
  return {
    name, version: 'base', constraint, parser: isOurs ? nanoParser : hermesParser, vocabSize: model.config.vocabSize, endIds,
    grammar: constraint === 'none' ? null : new CallGrammar(base.tokenizer, tools, constraint === 'schema+spans'),
    openLanes: () => new Decoder(graphs),
  };
}
