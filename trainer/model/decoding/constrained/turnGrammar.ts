import type { Trace } from '../../../protocol/trace';
import type { ChatTemplate, PromptTool } from '../../tokenizer/chatTemplate';
import type { Tokenizer } from '../../tokenizer/tokenizer';
import { CallGrammar } from './callGrammar';
import type { Grammar } from './grammar';
import { JsonCallGrammar } from './jsonCalls';

/**
 * What a turn may say under a constraint, in the form of calls that the model's template has. @param endIds what ends
 * it
 */
export function turnGrammar(
  { tokenizer, template }: { tokenizer: Tokenizer; template: ChatTemplate },
  tools: readonly PromptTool[],
  constraint: Exclude<Trace['constraint'], 'none'>,
  endIds: ReadonlySet<number>,
): Grammar {
  const { calls } = template.format;
  return calls === 'nano'
    ? new CallGrammar(tokenizer, tools, constraint !== 'schema', constraint === 'schema+spans+words')
    : new JsonCallGrammar(tokenizer, tools, calls, endIds);
}
