import assert from 'node:assert/strict';
import { Random } from '../../trainer/base/random';
import { samplePattern } from '../../trainer/tools/schema/pattern';
import { splitWords } from '../../trainer/base/words';
import { nameWordsOf, singular, toolWords } from '../../trainer/tools/schema/words';
import { tool } from '../tasks/fixtures';

describe('samplePattern', () => {
  const random = Random.fromSeed(1);
  for (const pattern of [
    '^[A-Z]{3}-\\d{4}$',
    '^(red|green|blue)$',
    '^\\w+@\\w+\\.(com|org)$',
    '^#[0-9a-f]{6}$',
    '^v\\d+(\\.\\d+){1,2}$',
    '^(?:ab|cd)?x*$',
    '[a-c-]+',
  ]) {
    it(`matches ${pattern}`, () => {
      for (let i = 0; i < 20; i++) assert.match(samplePattern(pattern, random)!, new RegExp(pattern));
    });
  }
  it('gives null for what it can not do', () => {
    for (const pattern of ['^(?=a)b', '[^a]', '\\p{L}', '(a)\\1', '['])
      assert.equal(samplePattern(pattern, random), null);
  });
});

describe('toolWords', () => {
  const cases: [string, string, string, string | null][] = [
    ['searchEmails', 'Search the inbox. Newest first.', 'search the inbox', null],
    ['search_emails', 'Searches the inbox', 'search the inbox', null],
    ['orderStatus', 'Status of an order.', 'get the status of an order', 'the status of an order'],
    ['orderStatus', 'Order status, in words', 'get the order status', 'the order status'],
    ['weather', 'The weather in a city.', 'get the weather in a city', 'the weather in a city'],
    ['getWeather', 'Returns the weather (in Celsius) for a city.', 'get the weather', 'the weather'],
    ['frobnicate', 'Frobnicates the widget', 'frobnicate the widget', null],
    ['calculate', 'Calculates/evaluates the given expression.', 'calculate the given expression', null],
    ['sumOf', '', 'get the sum of', 'the sum of'],
    ['requestLeave', 'Hand in a leave request.', 'hand in a leave request', null],
    ['whoIs', 'Look up an employee by (part of) the name.', 'look up an employee by the name', null],
    ['accessLog', 'Log of a server', 'get the log of a server', 'the log of a server'],
    ['copyFile', '', 'copy file', null],
    ['menu_fetch_tool', 'Use this tool to fetch the menu.', 'fetch the menu', 'the menu'],
    ['findStore', 'Tool to find the nearest store.', 'find the nearest store', null],
    ['signUp', 'A tool definition for signing up a user.', 'sign up a user', null],
    ['findUser', 'This tool allows you to look up a user.', 'look up a user', null],
    ['searchWeb', 'Useful for searching the web.', 'search the web', null],
    ['lendTool', 'Lends a tool to a member.', 'lend a tool to a member', null],
    ['order_calculator', 'Calculates total price of dishes.', 'calculate total price of dishes', null],
    [
      'dayCount',
      'How many days there are between two dates.',
      'tell me how many days there are between two dates',
      null,
    ],
    ['muteBranch', 'Silences alerts of a branch.', 'silence alerts of a branch', null],
    ['starCity', 'Remembers a city as starred.', 'remember a city as starred', null],
    ['dimLights', 'Dims lights in a room.', 'dim lights in a room', null],
    ['snooze', 'Snooze the alarm.', 'snooze the alarm', null],
    [
      'listOrders',
      'Orders placed by a customer.',
      'get the orders placed by a customer',
      'the orders placed by a customer',
    ],
    ['openSlots', 'Open slots of a day.', 'get the open slots of a day', 'the open slots of a day'],
    ['searchCities', 'Cities that were starred', 'get the cities that were starred', 'the cities that were starred'],
    ['salesReport', 'Sales figures for a month', 'get the sales figures for a month', 'the sales figures for a month'],
    ['bookTable', 'Tables for two', 'get the tables for two', 'the tables for two'],
    ['everything', 'All the devices', 'get all the devices', 'all the devices'],
    ['add_comment', 'Comment on an issue.', 'comment on an issue', null],
    ['getComment', 'Comment on an issue.', 'get the comment on an issue', 'the comment on an issue'],
    ['refundOrders', 'Cancels orders and gives the money back.', 'cancel orders and give the money back', null],
    [
      'moistureHistory',
      'Average moisture of the last days',
      'get the average moisture of the last days',
      'the average moisture of the last days',
    ],
    ['average', 'Average some numbers', 'average some numbers', null],
    ['urlOf', 'URL of a page', 'get the URL of a page', 'the URL of a page'],
    ['listOrders', 'List all orders with optional filters', 'list all orders', null],
    ['listOrders', 'List orders by various search criteria.', 'list orders', null],
    ['update-visit', 'Atualizar uma consulta existente com validações de conflito', 'update visit', null],
  ];
  for (const [name, description, request, thing] of cases) {
    it(`${name} "${description}" -> "${request}"`, () => {
      const words = toolWords(tool(name, description));
      assert.equal(words.request, request);
      assert.equal(words.thing, thing);
    });
  }
  it('leaves out of a name what only says that it is a tool', () => {
    const words = (name: string, description: string) => nameWordsOf(tool(name, description)).join(' ');
    assert.equal(words('menu_fetch_tool', 'A tool that fetches the menu.'), 'menu fetch');
    assert.equal(words('lendTool', 'Lends a tool to a member.'), 'lend tool');
    assert.equal(words('tool', 'Does.'), 'tool');
  });
  it('splits names and makes singulars', () => {
    assert.deepEqual(splitWords('getHTTPStatus2_of-page'), ['get', 'http', 'status', '2', 'of', 'page']);
    assert.deepEqual(['emails', 'cities', 'addresses', 'status', 'bus', 'boxes', 'gas'].map(singular), [
      'email',
      'city',
      'address',
      'status',
      'bus',
      'box',
      'gas',
    ]);
  });
});
