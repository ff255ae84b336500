import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { foundModels } from '../../../trainer/model/weights/foundModels';
import { makeTinyModel } from '../../fixtures/tinyModel';

describe('models that other programs keep on this disk', () => {
  let home: string;
  beforeEach(() => void (home = mkdtempSync(join(tmpdir(), 'coach-home-'))));
  afterEach(() => rmSync(home, { recursive: true, force: true }));
  const write = (name: string, content: string): string => {
    const file = join(home, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    return file;
  };
  const digest = `sha256:${'ab'.repeat(32)}`;
  const manifest = (layer: object): string =>
    JSON.stringify({
      schemaVersion: 2,
      layers: [{ mediaType: 'application/vnd.ollama.image.license', digest: 'sha256:00' }, layer],
    });
  const ofModel = { mediaType: 'application/vnd.ollama.image.model', digest };

  it('finds none where there are none', () =>
    assert.deepEqual(
      foundModels({}, home).filter(({ path }) => path.startsWith(home)),
      [],
    ));

  it("finds Ollama's by their manifests, and says why one can not be trained", () => {
    const blob = write(`.ollama/models/blobs/sha256-${'ab'.repeat(32)}`, 'no GGUF');
    write('.ollama/models/manifests/registry.ollama.ai/library/smollm2/135m', manifest(ofModel));
    write(
      '.ollama/models/manifests/registry.ollama.ai/someone/other/latest',
      manifest({ ...ofModel, digest: 'sha256:cd' }),
    ); // its blob is gone
    write('.ollama/models/manifests/registry.ollama.ai/library/broken/latest', '{');
    const found = foundModels({}, home).filter(({ path }) => path.startsWith(home));
    assert.deepEqual(
      found.map(({ name, path, from }) => ({ name, path, from })),
      [{ name: 'smollm2:135m', path: blob, from: 'Ollama' }],
    );
    assert.match(found[0].problem!, /does not begin as GGUF does/);
  });

  it('looks where OLLAMA_MODELS says', () => {
    const blob = write(`elsewhere/blobs/sha256-${'ab'.repeat(32)}`, 'no GGUF');
    write('elsewhere/manifests/example.com/someone/tiny/v1', manifest(ofModel));
    assert.deepEqual(
      foundModels({ OLLAMA_MODELS: join(home, 'elsewhere') }, home).map(({ name, path }) => ({ name, path })),
      [{ name: 'example.com/someone/tiny:v1', path: blob }],
    );
  });

  it("finds LM Studio's files, but no vision parts and no pieces", () => {
    const file = write('.lmstudio/models/maker/Tiny-GGUF/Tiny-Q8_0.gguf', 'GGUF');
    write('.lmstudio/models/maker/Tiny-GGUF/mmproj-Tiny.gguf', 'GGUF');
    write('.lmstudio/models/maker/Big-GGUF/Big-00001-of-00003.gguf', 'GGUF');
    const found = foundModels({}, home).filter(({ path }) => path.startsWith(home));
    assert.deepEqual(
      found.map(({ name, path, from }) => ({ name, path, from })),
      [{ name: 'Tiny-Q8_0', path: file, from: 'LM Studio' }],
    );
  });

  it("finds what the hub's cache holds, with its size, the revision that main names", () => {
    const snapshots = join(home, 'hub', 'models--maker--tiny', 'snapshots');
    mkdirSync(snapshots, { recursive: true });
    cpSync(makeTinyModel(), join(snapshots, 'f00'), { recursive: true });
    mkdirSync(join(snapshots, 'old'));
    write('hub/models--maker--tiny/refs/main', 'f00');
    write('hub/datasets--maker--rows/refs/main', 'f00');
    const found = foundModels({ HF_HOME: home, OLLAMA_MODELS: join(home, 'none') }, home);
    assert.deepEqual(
      found.map(({ bytes, ...rest }) => rest),
      [{ name: 'maker/tiny', path: join(snapshots, 'f00'), from: 'Hugging Face', problem: null }],
    );
    assert.ok(found[0].bytes! > 1000);
  });
});
