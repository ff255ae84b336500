import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Tokenizer as HfTokenizer } from '@huggingface/tokenizers';
import { UserError } from '../protocol/result';

/** Text <-> ids, by a Hugging Face folder's tokenizer.json. */
export class Tokenizer {
  private readonly texts = new Map<number, string>();
  private readonly byteOf: Map<string, number>;

  constructor(private readonly hf: HfTokenizer, readonly vocabSize: number) {
    this.byteOf = byteLevelInverse();
  }

  static load<T extends Tokenizer>(this: new (hf: HfTokenizer, vocabSize: number) => T, folder: string): T {
    const file = join(folder, 'tokenizer.json');
    if (!existsSync(file)) throw new UserError('config', `${folder}: no tokenizer.json`, 'choose a Hugging Face model folder (config.json, tokenizer.json, *.safetensors)');
    let json: { model?: { vocab?: object }; added_tokens?: { id: number }[] };
    try {
      json = JSON.parse(readFileSync(file, 'utf8')) as typeof json;
    } catch (error) {
      throw new UserError('config', `${file}: not JSON (${(error as Error).message})`, 'fetch the file again');
    }
    const configFile = join(folder, 'tokenizer_config.json');
    const config = existsSync(configFile) ? (JSON.parse(readFileSync(configFile, 'utf8')) as object) : {};
    const top = Math.max(Object.keys(json.model?.vocab ?? {}).length - 1, ...(json.added_tokens ?? []).map((t) => t.id));
    return new this(new HfTokenizer(json, config), top + 1);
  }

  /** Special tokens that stand in the text become their ids: escape text that is not ours first (chatTemplate does). */
  encode(text: string): number[] {
    return text === '' ? [] : [...this.hf.encode(text, { add_special_tokens: false }).ids];
  }

  /** Special tokens are left out unless asked for. */
  decode(ids: readonly number[], keepSpecial = false): string {
    return ids.length === 0 ? '' : this.hf.decode([...ids], { skip_special_tokens: !keepSpecial, clean_up_tokenization_spaces: false });
  }

  /** Text of one id, for views: a token that is part of a character shows its bytes as \xNN. */
  tokenText(id: number): string {
    let text = this.texts.get(id);
    if (text === undefined) {
      const raw = this.hf.id_to_token(id) ?? `<${id}>`;
      const bytes = [...raw].map((c) => this.byteOf.get(c));
      text = raw.startsWith('<|') || bytes.includes(undefined) ? raw : readable(Uint8Array.from(bytes as number[]));
      this.texts.set(id, text);
    }
    return text;
  }

  /** @throws UserError when the tokenizer has no such token */
  idOf(token: string): number {
    const id = this.hf.token_to_id(token);
    if (id === undefined) throw new UserError('config', `tokenizer: no token ${token}`, 'take the tokenizer.json that belongs to the model');
    return id;
  }
}

function readable(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return [...bytes].map((b) => (b < 128 ? String.fromCharCode(b) : `\\x${b.toString(16).padStart(2, '0')}`)).join('');
  }
}

/** GPT-2's printable stand-in -> byte. */
function byteLevelInverse(): Map<string, number> {
  const map = new Map<string, number>();
  let extra = 0;
  for (let b = 0; b < 256; b++) {
    const printable = (b >= 33 && b <= 126) || (b >= 161 && b <= 172) || b >= 174;
    map.set(String.fromCodePoint(printable ? b : 256 + extra++), b);
  }
  return map;
}
