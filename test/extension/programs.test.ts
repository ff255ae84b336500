import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { nodeCommand } from '../../extension/processes/programs';
import { tokenTexts } from '../../extension/traces/tokenTexts';

describe('the Node that runs the trainer', () => {
  it("is VS Code itself as plain Node, unless the setting names one; VS Code's own variables stay behind", () => {
    const env = { PATH: '/bin', VSCODE_IPC_HOOK: 'x', ELECTRON_NO_ASAR: '1', NODE_OPTIONS: '--inspect' };
    assert.deepEqual(nodeCommand('', '/opt/code', env), {
      command: '/opt/code',
      env: { PATH: '/bin', ELECTRON_RUN_AS_NODE: '1' },
    });
    assert.deepEqual(nodeCommand(' /usr/bin/node ', '/opt/code', env), {
      command: '/usr/bin/node',
      env: { PATH: '/bin' },
    });
  });
});

describe('texts of tokens', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'coach-tokens-'));
  after(() => rmSync(folder, { recursive: true }));

  it('decodes bytes to text, a character that two tokens share with its last one', async () => {
    // "é" is the bytes C3 A9, which GPT-2's table writes as Ã and ©; Ġ is the space
    writeFileSync(
      path.join(folder, 'tokenizer.json'),
      JSON.stringify({
        model: { vocab: { hi: 0, Ġthere: 1, Ã: 2, '©': 3 } },
        added_tokens: [{ id: 4, content: '<|end|>' }],
        decoder: { type: 'ByteLevel' },
      }),
    );
    assert.deepEqual(await tokenTexts(folder, [0, 1, 2, 3, 4, 99]), ['hi', ' there', '', 'é', '<|end|>', '<99>']);
  });

  it('agrees with the nano tokenizer: the texts of a sentence give the sentence', async () => {
    const nano = path.resolve(__dirname, '../../trainer/model/nano');
    if (!existsSync(path.join(nano, 'tokenizer.json'))) return;
    const { Tokenizer } = await import('@huggingface/tokenizers');
    const read = (name: string) => JSON.parse(readFileSync(path.join(nano, name), 'utf8'));
    const tokenizer = new Tokenizer(read('tokenizer.json'), read('tokenizer_config.json'));
    const sentence = 'Grüße: searchEmails(query="invoices", limit=5) 🙂';
    const { ids } = tokenizer.encode(sentence, { add_special_tokens: false });
    assert.equal((await tokenTexts(nano, ids)).join(''), sentence);
  });
});
