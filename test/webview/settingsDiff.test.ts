import assert from 'node:assert/strict';
import { settingsDiff } from '../../webview/derive/settingsDiff';
import { recordedRun } from './fixture';

const { manifest } = recordedRun({ steps: 1, heldOut: 2 });

describe('webview: settings that differ', () => {
  it('are none between a run and itself', () =>
    assert.deepEqual(settingsDiff(manifest, structuredClone(manifest)), []));

  it('names each, settings first, with what is missing as missing', () => {
    const { warmupSteps: _, ...config } = { ...manifest.config, learningRate: 1e-4, rewards: 'judge' };
    const other = {
      ...manifest,
      toolNames: ['readEmail'],
      config: config as typeof manifest.config,
      engine: { ...manifest.engine, name: 'wasm' },
      versions: { ...manifest.versions, extra: '1' },
    };
    assert.deepEqual(
      settingsDiff(manifest, other),
      [
        { name: 'rewards', here: manifest.config.rewards, there: 'judge' },
        { name: 'learningRate', here: '0.003', there: '0.0001' },
        { name: 'warmupSteps', here: '3', there: null },
        { name: 'tools', here: manifest.toolNames.join(', '), there: 'readEmail' },
        { name: 'engine', here: 'onnx', there: 'wasm' },
        { name: 'extra', here: null, there: '1' },
      ].sort((a, b) => order(a.name) - order(b.name)),
    );
  });
});

/** The order of the config, then what follows it. */
const order = (name: string): number => {
  const names = [...Object.keys(manifest.config), 'tools', 'engine', 'extra'];
  return names.indexOf(name);
};
