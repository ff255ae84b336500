import assert from 'node:assert/strict';
import { ts } from 'ts-morph';
import { DECORATOR_SOURCE } from '../../trainer/tools/sources/typescript/decorator';
import { changesWorld } from '../../trainer/tools/sources/typescript/discovery/changesWorld';
import { parseJsDoc } from '../../trainer/tools/sources/typescript/discovery/jsDoc';

const USER = `
export class Service {
  private base = 10;
  @tool bare(x: number): number { return this.base + x; }
  @tool() called(x: number): number { return this.base + 2 * x; }
  @tool({ name: 'other', description: 'Other.' }) described(x: number): number { return this.base + 3 * x; }
  @tool static fixed(x: number): number { return x; }
  @tool() static async later(x: number): Promise<number> { return x; }
}
`;

/** Transpiles the decorator with a user's class beside it, and runs both. */
async function run(experimentalDecorators: boolean, target: ts.ScriptTarget): Promise<number[]> {
  const { outputText } = ts.transpileModule(DECORATOR_SOURCE + USER, {
    compilerOptions: { experimentalDecorators, target, module: ts.ModuleKind.CommonJS },
  });
  const exports: { Service?: new () => Record<string, (x: number) => number> } = {};
  new Function('exports', outputText)(exports);
  const service = new exports.Service!();
  const statics = exports.Service as unknown as Record<string, (x: number) => number>;
  return [service.bare!(1), service.called!(1), service.described!(1), statics.fixed!(4), await statics.later!(5)];
}

/** Type errors of the decorator and a class that uses it, under strict. */
function typeErrors(experimentalDecorators: boolean): string[] {
  const { Project } = require('ts-morph') as typeof import('ts-morph');
  const project = new Project({
    useInMemoryFileSystem: true,
    compilerOptions: {
      strict: true,
      experimentalDecorators,
      target: ts.ScriptTarget.ES2022,
      lib: ['lib.es2022.d.ts', 'lib.decorators.d.ts'],
    },
  });
  const file = project.createSourceFile('a.ts', DECORATOR_SOURCE + USER);
  return file
    .getPreEmitDiagnostics()
    .map((each) => ts.flattenDiagnosticMessageText(each.compilerObject.messageText, ' '));
}

describe('discovery: the decorator that users paste', () => {
  for (const experimental of [false, true]) {
    it(`runs and leaves methods as they are, ${experimental ? 'experimentalDecorators' : 'standard'}`, async () => {
      assert.deepEqual(await run(experimental, ts.ScriptTarget.ES2022), [11, 12, 13, 4, 5]);
    });
    it(`type-checks under strict, ${experimental ? 'experimentalDecorators' : 'standard'}`, () => {
      assert.deepEqual(typeErrors(experimental), []);
    });
  }
});

describe('discovery: what changes the world', () => {
  const rows: [name: string, description: string, tags: string, expected: boolean][] = [
    ['send_email', '', '', true],
    ['sendEmail', '', '', true],
    ['delete_file', '', '', true],
    ['payInvoice', '', '', true],
    ['writeFile', '', '', true],
    ['post_message', '', '', true],
    ['book_table', '', '', true],
    ['cancelOrder', '', '', true],
    ['transfer', '', '', true],
    ['create_user', '', '', true],
    ['runQuery', '', '', true],
    ['user_delete', '', '', true],
    ['addToCart', '', '', true],
    ['get_post', '', '', false],
    ['list_orders', '', '', false],
    ['search', '', '', false],
    ['readMessage', '', '', false],
    ['weather', 'Tells the weather.', '', false],
    ['add', 'Adds two numbers.', '', false],
    ['add_numbers', '', '', false],
    ['addDays', '', '', false],
    ['checkout', '', '', true],
    ['compose', 'Sends a mail to somebody.', '', true],
    ['greet', 'Looks up a friend and sends him a card.', '', true],
    ['stamp', 'Reads the clock.', '@sideEffect', true],
    ['stamp', 'Reads the clock.', '@sideEffects writes a log', true],
    ['send', 'Sends.', '@readonly', false],
    ['send', 'Sends.', '@pure', false],
    ['trackOrder', '', '', false],
    ['order_status', '', '', false],
    ['update_status', '', '', true],
    ['latestPost', '', '', false],
    ['orderPizza', '', '', true],
    ['calendar_create_event', '', '', true],
    ['postcode', 'Finds the code of a place.', '', false],
    ['settings', 'Shows what is set.', '', false],
    ['logWorkout', 'Log a workout for a member', '', true],
    ['accessLog', 'Lines of the log', '', false],
    ['sellShares', '', '', true],
    ['todo_add', 'Adds a to-do item', '', true],
    ['price_total', 'Totals the prices', '', false],
    ['returnDate', 'When is a car coming back?', '', false],
    ['returnCar', 'Takes a car back.', '', true],
    ['requestLeave', 'Hand in a leave request.', '', true],
    ['openRequests', 'Requests that wait for an answer', '', true],
    ['openSlots', 'Open slots of a day.', '', false],
    ['openIssues', 'Lists the open issues', '', false],
    ['openTabs', 'Tabs that are still open.', '', false],
    ['openSlots', 'Opens slots of a day.', '', true],
    ['openGate', 'Open gates of a lock', '', true],
    ['clearCaches', '', '', true],
    ['pendingRequests', 'Requests that wait for an answer', '', false],
    ['reportDamage', '', '', true],
    ['salesReport', 'Report of a month', '', false],
    ['process_refund', 'Issue a refund for an order.', '', true],
    ['initiateCheckout', '', '', true],
    ['list_processes', 'Lists what runs.', '', false],
    ['scale', 'Scale a deployment up or down.', '', true],
  ];
  for (const [name, description, tags, expected] of rows) {
    it(`${name} ${description} ${tags} -> ${expected}`, () => {
      assert.equal(changesWorld(name, description, parseJsDoc(`/** ${description}\n * ${tags}\n */`)), expected);
    });
  }
});
