/** How the policy of a run speaks, without its weights: what the service asks before anything is trained. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { turnGrammar } from '../model/decoding/constrained/turnGrammar';
import { endIds } from '../model/tokenizer/endIds';
import { modelFolder } from '../model/weights/modelFolder';
import { modelConfig, modelSpeech } from '../model/weights/describeModel';
import type { Speech } from '../recipes/steps/pairTokens';
import { constraintOf } from '../rollout/policy/sampling';
import { readTools, requireManifest } from '../store/runs/readRun';
import { workspaceAt } from '../store/runs/workspace';

/** Of the run that was asked about last: a tokenizer takes up to a second to be read. */
let last: { key: string; speech: Speech } | null = null;

/** @throws UserError where the run or its model can't be read */
export function runSpeech(dir: string): Speech {
  const { config } = requireManifest(dir, { readOnly: true });
  const key = `${dir} ${statSync(join(dir, 'tools.json')).mtimeMs}`;
  if (last?.key === key) return last.speech;
  const folder = modelFolder(config.model, workspaceAt(dir));
  const tools = readTools(dir);
  const own = modelSpeech(folder, config.toolTokens ? tools : []);
  const { tokenizer, template, toolTokens } = own;
  const { vocabSize, eosIds } = modelConfig(folder);
  const { format } = template;
  const constraint = constraintOf(config.constraint, format.calls === 'nano');
  const ends = endIds(folder, tokenizer, eosIds, format.end);
  const grammar = constraint === 'none' ? null : turnGrammar(own, tools, constraint, ends.ids);
  const all = vocabSize + (toolTokens?.all.length ?? 0);
  const speech = { tokenizer, template, vocabSize: all, tools, constraint, grammar };
  last = { key, speech };
  return speech;
}
