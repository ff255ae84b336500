/** Tokens that a run adds to a model's vocabulary, and how they are trained. */
import * as tf from '@tensorflow/tfjs';
import type { AddedRows } from './addedRows';
import { headName, type CausalLM } from './causalLM';
import { EMBEDDING, rowsOf } from './projections';
import { trainable, type Trainable } from './trainable';

/**
 * A model with more tokens, each of which starts as the mean of others (ToolGen: of the tokens of its name); an untied
 * head gets the mean of its own rows.
 * @param of ids of the vocabulary, for each of them
 * @returns the model, and the rows, which are the caller's to dispose
 */
export function withAddedTokens(model: CausalLM, of: readonly (readonly number[])[]): CausalLM {
  const names = [...new Set([EMBEDDING, headName(model.config)])];
  const mean = (name: string, ids: readonly number[]): tf.Tensor =>
    tf.mean(rowsOf(model, name, tf.tensor1d([...ids], 'int32')), 0);
  const added: AddedRows = new Map(
    names.map((name) => [name, tf.keep(tf.tidy(() => tf.stack(of.map((ids) => mean(name, ids)))))]),
  );
  return { ...model, added, config: { ...model.config, vocabSize: model.config.vocabSize + of.length } };
}

/** The rows of a weight, as a variable of this name: its module in PEFT's words. */
const variableName = (weight: string): string =>
  `${weight.replace(/^model\./, '').replace(/\.weight$/, '')}.trainable_tokens_delta`;

/** The rows as variables that start as they are. */
export function createAddedRows(added: AddedRows): Trainable {
  const named = [...added].map(
    ([weight, rows]) => [weight, variableName(weight), tf.tidy(() => tf.variable(tf.clone(rows), true))] as const,
  );
  const rows: AddedRows = new Map(named.map(([weight, , variable]) => [weight, variable]));
  const otherName = (name: string): string =>
    `base_model.model.${named.find(([, own]) => own === name)![0].replace(/\.weight$/, '')}.token_adapter.trainable_tokens_delta`;
  return {
    ...trainable(Object.fromEntries(named.map(([, name, variable]) => [name, variable])), 'tool tokens', otherName),
    on: (model) => ({ ...model, added: rows }),
  };
}

/** Two that are trained together. */
export const together = (a: Trainable, b: Trainable): Trainable => ({
  variables: { ...a.variables, ...b.variables },
  on: (model) => b.on(a.on(model)),
  load(tensors) {
    a.load(tensors);
    b.load(tensors);
  },
  read: async () => new Map([...(await a.read()), ...(await b.read())]),
  dispose() {
    a.dispose();
    b.dispose();
  },
});
