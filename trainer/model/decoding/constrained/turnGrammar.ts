import type { Trace } from '../../../protocol/trace';
import type { PromptTool } from '../../tokenizer/chatTemplate';
import type { Speech } from '../../tokenizer/toolTokens';
import { CallGrammar } from './callGrammar';
import type { Grammar } from './grammar';
import { JsonCallGrammar } from './jsonCalls';

/**
 * What a turn may say under a constraint, in the form of calls that the model's template has. @param endIds what ends
 * it
 */
export function turnGrammar(
  { tokenizer, template, toolTokens }: Speech,
  tools: readonly PromptTool[],
  constraint: Exclude<Trace['constraint'], 'none'>,
  endIds: ReadonlySet<number>,
): Grammar {
  const { calls } = template.format;
  return calls === 'nano'
    ? new CallGrammar(tokenizer, tools, constraint !== 'schema', constraint === 'schema+spans+words', toolTokens)
    : new JsonCallGrammar(tokenizer, tools, calls, endIds, toolTokens);
}
