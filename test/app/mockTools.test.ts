import assert from 'node:assert/strict';
import type { ToolSchema } from '../../trainer/protocol/task';
import { policyOf, withMockTools } from '../../trainer/app/mockTools';

const tool = (name: string, changesWorld = false): ToolSchema => ({
  name,
  description: '',
  parameters: { type: 'object', properties: {} },
  source: { file: 'tools.ts', line: 1 },
  binding: { exportName: name, positional: 'object' },
  changesWorld,
});

describe('tools that are mocked by name', () => {
  it('are those of the settings, beside those that change the world, unless one policy is for all', () => {
    const policy = policyOf({ mockTools: 'find, list' });
    assert.deepEqual([tool('find'), tool('list'), tool('read'), tool('send', true)].map(policy), [
      'mock',
      'mock',
      'real',
      'mock',
    ]);
    assert.equal(policyOf({ mockTools: 'find', toolPolicy: 'real' })(tool('find')), 'real');
  });

  it('stay when others come, each once; without new ones the settings are the same', () => {
    const config = { mockTools: 'find' };
    assert.deepEqual(withMockTools(config, ['list', 'find']), { mockTools: 'find,list' });
    assert.equal(withMockTools(config, []), config);
    assert.equal(withMockTools(config), config);
  });
});
