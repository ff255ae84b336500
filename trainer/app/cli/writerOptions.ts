/** Which language model writes requests, on the command line. */
import { resolve } from 'node:path';
import { EDITOR_MODELS } from '../../protocol/runConfig';
import { valueOf, type Arguments } from './command';

export const WRITER_OPTIONS = {
  writer: {
    value: 'URL|DIR|GGUF',
    help:
      'a language model writes requests: an OpenAI-compatible server, with /v1, a model folder, or ' +
      'a .gguf file (default COACH_WRITER_URL, else none; a key is COACH_WRITER_KEY)',
  },
  'writer-model': {
    value: 'NAME',
    help: "the server's model (default COACH_WRITER_MODEL); a model folder or file needs none",
  },
};

/** As settings; a path is made absolute. */
export function writerOf(args: Arguments, cwd: string): { writerUrl?: string; writerModel?: string } {
  const [url, model] = [valueOf(args, 'writer'), valueOf(args, 'writer-model')];
  const isAddress = url !== undefined && (/^[a-z][a-z\d+.-]+:\/\//i.test(url) || url === EDITOR_MODELS);
  return {
    ...(url === undefined ? {} : { writerUrl: isAddress ? url : resolve(cwd, url) }),
    ...(model === undefined ? {} : { writerModel: model }),
  };
}

/** The key is meant for an address that was just typed, too. */
export function keyOfWriter<E extends Readonly<Record<string, string | undefined>>>(
  args: Arguments,
  environment: E,
): E {
  const url = valueOf(args, 'writer');
  return url === undefined || !URL.canParse(url) ? environment : { ...environment, COACH_WRITER_URL: url };
}
