import assert from 'node:assert/strict';
import { Random } from '../../../trainer/base/random';
import { sayActNoToolDoes, wordsOfTools } from '../../../trainer/tasks/generate/grammar/actNoToolDoes';
import { toolTalk } from '../../../trainer/tasks/generate/grammar/toolTalk';
import { tool } from './saying';

const text = { type: 'string' };
const find = toolTalk(tool('getBooking', 'Shows a booking.', { bookingId: text }, false));
const cancel = toolTalk(tool('cancelBooking', 'Cancels a booking.', { bookingId: text }));
const staff = toolTalk(tool('findMember', 'Finds a member.', { memberName: text }, false));

function said(talks: (typeof find)[], talk: typeof find, value: string): string[] {
  const known = wordsOfTools(talks);
  return Array.from({ length: 200 }, (_, i) => {
    const random = Random.fromSeed(`act ${i}`);
    return sayActNoToolDoes(talk, talk.parameters[0]!, value, known, random)?.text ?? '';
  });
}

describe('acts that no tool does', () => {
  it('are asked for on things that are there', () => {
    const texts = said([find], find, 'BK-17');
    assert.ok(texts.every((one) => one.includes('BK-17')));
    assert.ok(texts.some((one) => /\bprint|on paper/i.test(one)) && texts.some((one) => /cancel|delete/i.test(one)));
  });

  it('are none that a tool does, by whatever word', () => {
    const texts = said([find, cancel], find, 'BK-17');
    assert.ok(!texts.some((one) => /\b(cancel|delete|get rid)\b/i.test(one)));
  });

  it('are done to somebody where it is a person', () => {
    const texts = said([staff], staff, 'Jonas Weber');
    assert.ok(texts.some((one) => /lunch|flowers|phone/i.test(one)));
    assert.ok(!texts.some((one) => /print|PDF|repair/i.test(one)));
  });
});
