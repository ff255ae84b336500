import type { BaseModel } from '../checkpoint/baseModel';
import { Decoder, type DecoderGraphs } from '../model/decoder';
import type { RunConfig } from '../protocol/runConfig';
import { UserError } from '../protocol/result';
import type { PromptTool } from '../tokenizer/chatTemplate';
import { CallGrammar } from './callGrammar';
import type { Policy } from './policy';
import { hermesParser, nanoParser } from './toolCallParser';

/** A policy in this process. @param graphs of the base's model, with or without an adapter; shared by policies over several tool files */
export function localPolicy(base: BaseModel, graphs: DecoderGraphs, tools: readonly PromptTool[], constraint: RunConfig['constraint'], name: string): Policy {
  const isOurs = base.template.source.includes('<|call|>');
  if (constraint !== 'none' && !isOurs) {
    throw new UserError('config', `constraint ${constraint}: the model in ${base.folder} writes calls in a form of its own`, 'set constraint to none for this model');
  }
  const { config } = graphs.model;
  const endIds = new Set(isOurs ? [base.tokenizer.idOf('<|end|>')] : config.eosIds);
  return {
    name, version: 'base', constraint, parser: isOurs ? nanoParser : hermesParser, vocabSize: config.vocabSize, endIds,
    grammar: constraint === 'none' ? null : new CallGrammar(base.tokenizer, tools, constraint === 'schema+spans'),
    openLanes: () => new Decoder(graphs),
  };
}
