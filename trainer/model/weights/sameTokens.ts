/** Whether two models have one tokenizer, so that the logits of one say something to the other. */
import { UserError } from '../../protocol/result';
import type { Tokenizer } from '../tokenizer/tokenizer';
import { modelConfig, modelTokenizer } from './describeModel';

/** Splits words, numbers and marks in the ways that tokenizers differ in. */
const PROBE = ' Über 1234 items, {"id": "A-17"}: don\'t\n\tgo on… <x>';

/** Where two tokenizers part, in words; null: the same ids mean the same in both, and texts become the same ids. */
function tokensDiffer(a: Tokenizer, b: Tokenizer): string | null {
  if (a.vocabSize !== b.vocabSize) return `${a.vocabSize} tokens and ${b.vocabSize}`;
  for (let id = 0; id < a.vocabSize; id++)
    if (a.tokenText(id) !== b.tokenText(id))
      return `token ${id} is ${JSON.stringify(a.tokenText(id))} and ${JSON.stringify(b.tokenText(id))}`;
  return a.encode(PROBE).join() === b.encode(PROBE).join() ? null : 'they cut texts in different ways';
}

/**
 * @param teacher a model, a folder or a GGUF file, as `student`
 * @throws UserError where the two have not the same tokens
 */
export function checkSameTokens(teacher: string, student: string): void {
  const hint = 'Logits are learnt from a model with the same tokens alone; of any other its texts are (--loss text).';
  const differ = tokensDiffer(modelTokenizer(teacher), modelTokenizer(student));
  if (differ !== null)
    throw new UserError('config', `the teacher ${teacher} and the student have other tokens: ${differ}`, hint);
  const [theirs, ours] = [modelConfig(teacher).vocabSize, modelConfig(student).vocabSize];
  if (theirs !== ours)
    throw new UserError('config', `the teacher ${teacher} has ${theirs} logits, the student ${ours}`, hint);
}
