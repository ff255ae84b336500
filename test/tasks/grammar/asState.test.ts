import assert from 'node:assert/strict';
import { saidWith, share, tool } from './saying';

const said = saidWith('s');
const text = { type: 'string' };
const one = (values: string[]) => ({ type: 'string', enum: values });

describe('requests that say how a thing is', () => {
  it('a status that is updated is what the thing is marked as', () => {
    const update = tool('updateStatus', 'Updates the status of an order.', {
      orderId: text,
      status: one(['shipped', 'returned']),
    });
    const texts = said(update, { orderId: 'A-307', status: 'shipped' });
    assert.ok(share(texts, /mark (the |my )?(order )?(number )?A-307 (as )?shipped/i) > 0.02);
    assert.ok(share(texts, /A-307 (is|should be) (now )?shipped/i) > 0.02);
    assert.ok(texts.every((one) => one.includes('A-307') && /shipped/i.test(one)));
  });

  it('a rank is told with its word, and what a reading tool is asked for is made of nothing', () => {
    const rank = { taskId: text, priority: one(['low', 'high']) };
    const texts = said(tool('setPriority', 'Changes the priority of a task.', rank), {
      taskId: 'T-4',
      priority: 'high',
    });
    assert.ok(share(texts, /T-4 (is|should be|has to be|be) high priority/i) > 0.02);
    const listed = said(tool('setOf', 'The tasks of a priority.', rank, false), { taskId: 'T-4', priority: 'high' });
    assert.equal(share(listed, /bump|should be high/), 0);
  });

  it('what is wrong is how it is, where the word says that', () => {
    const problem = { orderId: text, problem: one(['damaged', 'late', 'refund']) };
    const report = tool('reportProblem', 'Reports a problem with an order.', problem);
    assert.ok(share(said(report, { orderId: 'A-307', problem: 'damaged' }), /A-307 (is|was|arrived) damaged/i) > 0.04);
    assert.equal(share(said(report, { orderId: 'A-307', problem: 'refund' }), /A-307 (is|was|arrived) refund/i), 0);
    const cancel = tool('cancelOrder', 'Cancels an order.', { orderId: text, reason: one(['damaged', 'late']) });
    assert.equal(share(said(cancel, { orderId: 'A-307', reason: 'late' }), /A-307 (is|was|arrived) late/i), 0);
  });

  it('a discount is taken off a thing', () => {
    const give = tool('giveDiscount', 'Gives a discount on an order.', { orderId: text, percent: { type: 'number' } });
    const texts = said(give, { orderId: 'A-302', percent: 20 });
    assert.ok(share(texts, /(20|twenty)( percent|%) off/i) > 0.1, `${share(texts, /off/)}`);
    assert.ok(texts.every((one) => one.includes('A-302') && /20|twenty/i.test(one)));
  });
});
