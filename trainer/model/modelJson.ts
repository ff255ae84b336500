/** JSON files of a model folder, which somebody else wrote. */
import { parseJson } from '../base/json';
import { readTextFile } from '../base/storage';
import { UserError } from '../protocol/result';

/** @throws UserError where the file can't be read, or holds something else than an object */
export function readModelJson(file: string): Record<string, unknown> {
  const refuse = (why: string) =>
    new UserError('config', `${file}: ${why}`, 'Fetch the file again; it comes with the model.');
  let text: string;
  try {
    text = readTextFile(file);
  } catch (error) {
    throw error instanceof UserError ? error : refuse(`can't be read: ${(error as Error).message}`);
  }
  let json: unknown;
  try {
    json = parseJson(text);
  } catch (error) {
    throw refuse(`not JSON (${(error as Error).message})`);
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw refuse(`must hold a JSON object, got ${Array.isArray(json) ? 'a list' : JSON.stringify(json)?.slice(0, 40)}`);
  return json as Record<string, unknown>;
}
