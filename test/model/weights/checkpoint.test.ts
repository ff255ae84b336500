import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashConfig, loadCheckpoint, saveCheckpoint } from '../../../trainer/model/weights/checkpoint';
import { RunConfig } from '../../../trainer/protocol/runConfig';
import { UserError } from '../../../trainer/protocol/result';
import { Random } from '../../../trainer/base/random';
import { parseSettings } from '../../../trainer/app/settings';
import { settingFromText } from '../../../trainer/app/settingText';
import { tempFolder } from '../../store/runs/sample';

describe('checkpoint', function () {
  this.timeout(60_000);
  let dir: string;
  const temps: (() => void)[] = [];
  beforeEach(() => {
    const t = tempFolder();
    dir = t.dir;
    temps.push(t.remove);
  });
  after(() => temps.forEach((remove) => remove()));

  const state = (step: number) => ({
    step,
    seed: 1,
    configHash: 'abc',
    random: Random.fromSeed(step).state(),
    adam: { count: step },
  });
  const tensors = (value: number) =>
    new Map([
      ['lora', { shape: [2], data: Float32Array.of(value, 1 / 3) }],
      ['optimiser/m/lora', { shape: [], data: Float32Array.of(1e-38) }],
    ]);
  const save = (step: number, more: { isBest?: boolean } = {}) =>
    saveCheckpoint(dir, { tensors: tensors(step), state: state(step), ...more });
  const steps = () =>
    readdirSync(join(dir, 'checkpoints'))
      .filter((n) => n.startsWith('step-'))
      .map((n) => Number(n.slice(5)));
  const damage = (step: number, file: string) => {
    const path = join(dir, 'checkpoints', `step-0000${step}`, file);
    const bytes = readFileSync(path);
    bytes[bytes.length - 3]! ^= 1;
    writeFileSync(path, bytes);
  };

  it('loads the newest, bit for bit, state included', () => {
    assert.deepEqual(loadCheckpoint(dir), { checkpoint: null, skipped: [] });
    save(1);
    assert.equal(save(2), 'checkpoints/step-00002');
    const { checkpoint, skipped } = loadCheckpoint(dir, { configHash: 'abc' });
    assert.deepEqual(skipped, []);
    assert.deepEqual(checkpoint!.state, state(2));
    assert.deepEqual([...checkpoint!.tensors.get('lora')!.data], [2, Math.fround(1 / 3)]);
    assert.deepEqual(checkpoint!.tensors.get('optimiser/m/lora')!.data, Float32Array.of(1e-38));
  });

  it('keeps the last three and the best', () => {
    for (const step of [1, 2, 3, 4, 5, 6]) save(step, { isBest: step === 2 });
    assert.deepEqual(steps(), [2, 4, 5, 6]);
    assert.equal(loadCheckpoint(dir, { which: 'best' }).checkpoint!.step, 2);
    assert.equal(loadCheckpoint(dir, { which: 5 }).checkpoint!.step, 5);
    assert.equal(loadCheckpoint(dir, { which: 9 }).checkpoint, null);
    save(7, { isBest: true });
    assert.deepEqual(steps(), [5, 6, 7]);
  });

  it('skips a damaged one for the one before, and says which and why', () => {
    for (const step of [1, 2, 3]) save(step);
    damage(3, 'tensors.safetensors');
    damage(2, 'state.json');
    const { checkpoint, skipped } = loadCheckpoint(dir);
    assert.equal(checkpoint!.step, 1);
    assert.equal(skipped.length, 2);
    assert.match(
      skipped[0]!,
      /step-00003: is damaged and was skipped: tensors\.safetensors \(\d+ bytes\) is not what its checksum says/,
    );
    truncateSync(join(dir, 'checkpoints/step-00001/checksums.json'), 4);
    assert.equal(loadCheckpoint(dir).checkpoint, null);
    rmSync(join(dir, 'checkpoints/step-00003/tensors.safetensors'));
    assert.match(loadCheckpoint(dir).skipped[0]!, /ENOENT/);
  });

  it('replaces the checkpoint of a repeated step; what a killed save left is swept, never loaded', () => {
    save(1);
    saveCheckpoint(dir, { tensors: tensors(99), state: state(1) });
    assert.equal(loadCheckpoint(dir).checkpoint!.tensors.get('lora')!.data[0], 99);
    const left = join(dir, 'checkpoints/.step-00002.1.tmp');
    mkdirSync(left);
    writeFileSync(join(left, 'tensors.safetensors'), 'half');
    assert.equal(loadCheckpoint(dir).checkpoint!.step, 1);
    save(3);
    assert.ok(!existsSync(left));
  });

  it('refuses other settings and newer formats, rather than an older checkpoint in silence', () => {
    save(1);
    save(2);
    assert.throws(
      () => loadCheckpoint(dir, { configHash: 'xyz' }),
      (e) => e instanceof UserError && /made with other settings \(hash abc, this run has xyz\)/.test(e.message),
    );
    const path = join(dir, 'checkpoints/step-00002/checksums.json');
    writeFileSync(path, JSON.stringify({ ...(JSON.parse(readFileSync(path, 'utf8')) as object), format: 2 }));
    assert.throws(
      () => loadCheckpoint(dir),
      (e) => e instanceof UserError && /format must be at most 1, got 2/.test(e.message) && /Update/.test(e.hint!),
    );
  });

  it('the hash of a config ignores the order of its keys, not their values', () => {
    const a = RunConfig.parse({ toolFile: 'x', seed: 1, steps: 2 });
    const b = RunConfig.parse(Object.fromEntries(Object.entries(a).reverse()));
    assert.equal(hashConfig(a), hashConfig(b));
    assert.notEqual(hashConfig(a), hashConfig({ ...a, seed: 2 }));
  });

  it('a run from before there were guards has the hash that it had: a guard that nobody set is no setting', () => {
    const old = RunConfig.parse({ toolFile: 'x' });
    assert.deepEqual(
      Object.keys(old).filter((name) => name.startsWith('guard')),
      [],
    );
    assert.equal(hashConfig({ ...old, guardValues: undefined }), hashConfig(old));
    const set = parseSettings({ toolFile: 'x', guardValues: settingFromText('guardValues', 'true') });
    assert.equal(set.guardValues, true);
    assert.notEqual(hashConfig(set), hashConfig(old));
    assert.throws(
      () => parseSettings({ toolFile: 'x', guardAnswers: settingFromText('guardAnswers', 'yes') }),
      /guardAnswers must be true or false, got "yes"/,
    );
  });
});
