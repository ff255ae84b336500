/** Tools in OpenAI's strict form: each parameter is required, and may be null where it may be left out. */
import assert from 'node:assert/strict';
import { generateTasks } from '../../trainer/tasks/generate/generateTasks';
import { withNulls, withoutNulls } from '../../trainer/tasks/generate/nullable';
import { ok, STRING, tool } from './fixtures';

const VISITS = ['Ann Lund', 'Bo Weber', 'Cleo Marsh'].map((patient, i) => ({
  id: `V-10${i}`,
  patient,
  dentist: 'Mbeki',
}));
const DENTIST = { anyOf: [{ type: 'string', enum: ['Mbeki', 'Harcourt'] }, { type: 'null' }] };
const find = tool('findVisits', 'Find visits.', {
  patient: { type: ['string', 'null'] },
  dentist: DENTIST,
});
const cancel = tool(
  'cancelVisit',
  'Cancel a visit.',
  {
    visitId: STRING,
    reason: { type: ['string', 'null'], description: 'why' },
    notify: { type: 'object', properties: { by: { enum: ['sms', null], type: ['string', 'null'] } }, required: ['by'] },
  },
  { changesWorld: true },
);

describe('tools whose parameters may be null', () => {
  it('are seen without them, as what may be left out', () => {
    const { parameters } = withoutNulls(find);
    assert.deepEqual(parameters.required, []);
    assert.deepEqual(parameters.properties, { patient: { type: 'string' }, dentist: DENTIST.anyOf[0] });
    const { properties, required } = withoutNulls(cancel).parameters as {
      properties: Record<string, unknown>;
      required: string[];
    };
    assert.deepEqual(required, ['visitId', 'notify']);
    assert.deepEqual(properties.notify, {
      type: 'object',
      properties: { by: { enum: ['sms'], type: 'string' } },
      required: [],
    });
    const plain = tool('plain', 'Plain.', { id: STRING });
    assert.equal(withoutNulls(plain), plain, 'nothing is copied');
  });

  it('get null back for what a call does not say', () => {
    assert.deepEqual(withNulls({ patient: 'Ann' }, find), { patient: 'Ann', dentist: null });
    assert.equal(
      JSON.stringify(withNulls({ dentist: 'Mbeki' }, find)),
      '{"patient":null,"dentist":"Mbeki"}',
      'in order',
    );
    assert.deepEqual(withNulls({ visitId: 'V-1', notify: {} }, cancel), {
      visitId: 'V-1',
      reason: null,
      notify: { by: null },
    });
  });

  it('are asked for with some of them, and called with all', async () => {
    const seen: unknown[] = [];
    const tasks = await generateTasks([find, cancel], {
      count: 120,
      seed: 2,
      call: async (_, args) => {
        seen.push(args);
        return ok(VISITS.filter(({ patient }) => args.patient === null || patient.includes(String(args.patient))));
      },
    });
    const calls = tasks.flatMap((task) => task.calls!);
    for (const { name, arguments: args } of calls)
      assert.deepEqual(
        Object.keys(args).sort(),
        name === 'findVisits' ? ['dentist', 'patient'] : ['notify', 'reason', 'visitId'],
      );
    for (const name of ['patient', 'dentist', 'reason']) {
      const values = calls.flatMap(({ arguments: args }) => (name in args ? [args[name]] : []));
      assert.ok(values.some((value) => value === null) && values.some((value) => value !== null), name);
    }
    assert.ok(seen.every((args) => 'patient' in (args as object) && 'dentist' in (args as object)));
    assert.ok(!tasks.some(({ prompt }) => /\bnull\b/.test(prompt)));
  });
});
