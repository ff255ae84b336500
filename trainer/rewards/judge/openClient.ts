import type { JudgeClient } from '../../model/question';
import type { ClientOptions } from './client';
import { PolicyClient } from './policyClient';

/**
 * A judge that can be asked: a model of this disk where the settings name one, else an OpenAI-compatible server.
 * @throws UserError where the model can't be loaded
 */
export async function openClient(options: ClientOptions): Promise<JudgeClient> {
  return new PolicyClient(
    options.settings.modelPath === null
      ? await (await import('./serverAnswerer')).openServerAnswerer(options)
      : (await import('./localAnswerer')).openLocalAnswerer(options),
    options,
  );
}
