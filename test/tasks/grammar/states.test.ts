import assert from 'node:assert/strict';
import { Random } from '../../../trainer/base/random';
import { sayCall } from '../../../trainer/tasks/generate/grammar/say';
import { inState, stated, stateOf } from '../../../trainer/tasks/generate/grammar/states';
import { toolTalk } from '../../../trainer/tasks/generate/grammar/toolTalk';
import { STRING, tool } from '../fixtures';

describe('switches that have a word for each side', () => {
  it('are said by it', () => {
    assert.deepEqual(
      ['on', 'off', 'is enabled', 'locked', 'breakfast'].map((words) => [stateOf(words, true), stateOf(words, false)]),
      [
        ['on', 'off'],
        ['off', 'on'],
        ['on', 'off'],
        ['locked', 'unlocked'],
        [null, null],
      ],
    );
  });

  it('a description that speaks of both sides speaks of the one that is meant', () => {
    assert.equal(inState('switch a light on or off', 'on', 'off'), 'switch a light off');
    assert.equal(inState('turn the heating on/off', 'on', 'on'), 'turn the heating on');
    assert.equal(inState('lock or unlock a door', 'locked', 'unlocked'), 'unlock a door');
    assert.equal(inState('open or close the gate', 'open', 'open'), 'open the gate');
    assert.equal(inState('set the lamp', 'on', 'off'), null);
    assert.equal(inState('lock or unlock a door', 'quiet', 'unlocked'), null);
    assert.deepEqual(stated({ request: 'switch a light on or off' }, { id: 'a', on: false }), {
      words: { request: 'switch a light off' },
      args: { id: 'a' },
    });
  });

  it('a request says the side, and never both', () => {
    const talk = toolTalk(
      tool(
        'switchLight',
        'Switch a light on or off.',
        { lightId: STRING, on: { type: 'boolean' } },
        { changesWorld: true },
      ),
    );
    for (const on of [true, false])
      for (let seed = 0; seed < 200; seed++) {
        const said = sayCall(talk, { lightId: 'dv-12', on }, { random: Random.fromSeed(`${on} ${seed}`) });
        if (said === null) continue;
        assert.ok(new RegExp(`\\b${on ? 'on' : 'off'}\\b`).test(said.text), said.text);
        if (on) assert.doesNotMatch(said.text, /\boff\b|without/);
        else assert.doesNotMatch(said.text, /without|on or off/);
      }
  });
});
