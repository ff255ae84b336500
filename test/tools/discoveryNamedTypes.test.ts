import assert from 'node:assert/strict';
import { discover, parametersOf, schemaOf, tool } from './discoverySupport';

const PORT =
  '/** A TCP port. @minimum 1\n * @maximum 65535\n * @asType integer\n * @default 8080\n * @example 443 */\ntype Port = number;';
const port = {
  type: 'integer',
  minimum: 1,
  maximum: 65535,
  default: 8080,
  examples: [443],
  description: 'A TCP port.',
};
const ID = '/** @pattern ^[A-Z]\\d{3}$\n * @minLength 4 */\ntype Id = string;';
const id = { type: 'string', pattern: '^[A-Z]\\d{3}$', minLength: 4 };

describe('discovery: JSDoc on what a type names', () => {
  const cases = (title: string, rows: [type: string, schema: unknown, declarations?: string][]) =>
    it(title, () => {
      for (const [type, schema, declarations] of rows)
        assert.deepEqual(schemaOf(type, declarations), schema, `${type} ${declarations ?? ''}`);
    });

  cases('counts at parameters, in lists, unions, tuples, tables, optional and nested members', [
    ['Port', port, PORT],
    ['(Port)', port, PORT],
    ['Port[]', { type: 'array', items: port }, PORT],
    ['readonly Port[]', { type: 'array', items: port }, PORT],
    ['Array<Port>', { type: 'array', items: port }, PORT],
    ['Ports', { type: 'array', items: port }, `${PORT}\ntype Ports = Port[];`],
    ['Id | null', { ...id, type: ['string', 'null'] }, ID],
    ['Id | undefined', id, ID],
    ["Port | 'auto'", { anyOf: [{ type: 'string', enum: ['auto'] }, port] }, PORT],
    ['Port | Id', { anyOf: [port, id] }, `${PORT}\n${ID}`],
    ['Either', { anyOf: [port, id] }, `${PORT}\n${ID}\ntype Either = Port | Id;`],
    [
      '[Port, name?: Id]',
      { type: 'array', prefixItems: [port, id], minItems: 1, items: false, maxItems: 2 },
      `${PORT}\n${ID}`,
    ],
    ['Record<string, Port>', { type: 'object', additionalProperties: port }, PORT],
    ['{ [name: string]: Port }', { type: 'object', additionalProperties: port }, PORT],
    ['Map<string, Port>', { type: 'object', additionalProperties: port }, PORT],
    ['Set<Id>', { type: 'array', items: id, uniqueItems: true }, ID],
    [
      '{ port?: Port; deep: { id: Id } }',
      {
        type: 'object',
        properties: { port, deep: { type: 'object', properties: { id }, required: ['id'] } },
        required: ['deep'],
      },
      `${PORT}\n${ID}`,
    ],
    ['Partial<Config>', { type: 'object', properties: { port } }, `${PORT}\ninterface Config { port: Port }`],
    [
      "Config['port']",
      port,
      'interface Config { /** A TCP port. @minimum 1\n * @maximum 65535\n * @asType integer\n * @default 8080\n * @example 443 */ port: number }',
    ],
  ]);

  cases('on interfaces, unions of literals, enums and recursive types', [
    [
      'Place',
      { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], description: 'Where.' },
      '/** Where. @example place({ city: "x" }) */\ninterface Place { city: string }',
    ],
    [
      'Place | null',
      {
        anyOf: [
          { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], description: 'Where.' },
          { type: 'null' },
        ],
      },
      '/** Where. */\ninterface Place { city: string }',
    ],
    [
      'Mode',
      { type: 'string', enum: ['slow', 'fast'], description: 'How.', default: 'slow' },
      "/** How.\n * @default slow */\ntype Mode = 'slow' | 'fast';",
    ],
    [
      'Mode | null',
      { type: ['string', 'null'], enum: ['slow', 'fast', null], description: 'How.' },
      "/** How. */\ntype Mode = 'slow' | 'fast';",
    ],
    ['Level', { type: 'number', enum: [0, 1], description: 'How far.' }, '/** How far. */\nenum Level { Low, High }'],
    ['string & { __brand: 1 }', { type: 'string' }],
    [
      'UserId',
      { type: 'string', pattern: '^U', description: 'A user.' },
      "/** A user. @pattern ^U */\ntype UserId = string & { __brand: 'UserId' };",
    ],
  ]);

  it('gives a recursive type its text once, at the definition', () => {
    const { parameters } = tool(
      '/** A node. */\ninterface Node { next?: Node }\n/** Does. @tool */\nexport function f(x: Node, other: string): void {}',
    );
    assert.deepEqual(parameters.$defs, {
      Node: { type: 'object', properties: { next: { $ref: '#/$defs/Node' } }, description: 'A node.' },
    });
  });

  cases('merges aliases of aliases, the outer one wins', [
    [
      'Admin',
      { ...port, maximum: 1023, description: 'A port for admins.', examples: [22] },
      `${PORT}\n/** A port for admins. @maximum 1023\n * @example 22 */\ntype Admin = Port;`,
    ],
    ['Same', port, `${PORT}\ntype Same = Port;`],
  ]);

  it('lets what is written at the parameter or property win', () => {
    const { properties } = parametersOf(
      '(a: Port, b: string)',
      PORT,
      'Does. @tool\n * @param a - Where it listens\n * @minimum 1024\n',
    ) as { properties: Record<string, unknown> };
    assert.deepEqual(properties.a, { ...port, minimum: 1024, description: 'Where it listens' });
    assert.deepEqual(schemaOf('{ /** Mine. @example 80 */ p: Port }', PORT), {
      type: 'object',
      properties: { p: { ...port, description: 'Mine.', examples: [80] } },
      required: ['p'],
    });
  });

  it('follows imports, renamed and re-exported, and JSDoc types of JavaScript', () => {
    const files = {
      'ports.ts': `export ${PORT.replace('*/\n', '*/\nexport ').replace(/^export (?=\/)/, '')}`.replace(
        /^export \/\*\*/,
        '/**',
      ),
      'index.ts': "export type { Port as Socket } from './ports';",
      'tools.ts':
        "import type { Socket as S } from './index';\n/** Does. @tool */\nexport function f(a: S, b: import('./ports').Port): void {}",
    };
    assert.deepEqual((tool(files).parameters as { properties: unknown }).properties, { a: port, b: port });
    const script = {
      'tools.mjs': `/**
 * A TCP port.
 * @typedef {number} Port
 * @minimum 1
 */
/** @typedef {string} Name - What it is called */
/**
 * Does.
 * @tool
 * @param {Port} port
 * @param {Name[]} names
 */
export function f(port, names) {}`,
    };
    assert.deepEqual((tool(script).parameters as { properties: unknown }).properties, {
      port: { type: 'number', minimum: 1, description: 'A TCP port.' },
      names: { type: 'array', items: { type: 'string', description: 'What it is called' } },
    });
  });

  it('sees a change of the text at the name in another file', () => {
    const texts = (minimum: number) => ({
      'ports.ts': `/** A port. @minimum ${minimum} */\nexport type Port = number;`,
      'tools.ts':
        "import type { Port } from './ports';\n/** Does. @tool */\nexport function f(a: Port, b: string): void {}",
    });
    const minimumOf = (minimum: number) =>
      (discover(texts(minimum)).tools[0]!.parameters.properties as Record<string, { minimum: number }>).a!.minimum;
    assert.deepEqual([minimumOf(1), minimumOf(5)], [1, 5]);
  });

  it("leaves the texts of the language's own types alone", () => {
    assert.deepEqual(schemaOf('Date'), { type: 'string', format: 'date-time' });
    assert.deepEqual(schemaOf('Partial<{ a: string }>'), { type: 'object', properties: { a: { type: 'string' } } });
  });
});

describe('discovery: a lone table of any keys', () => {
  it('keeps its name, and is passed as the parameter', () => {
    for (const type of ['Record<string, number>', '{ [item: string]: number }', 'Amounts']) {
      const found = tool(
        `type Amounts = Record<string, number>;\n/** Does. @tool\n * @param amounts - How many of each */\nexport function f(amounts: ${type}): void {}`,
      );
      assert.deepEqual(
        found.parameters,
        {
          type: 'object',
          properties: {
            amounts: { type: 'object', additionalProperties: { type: 'number' }, description: 'How many of each' },
          },
          required: ['amounts'],
        },
        type,
      );
      assert.deepEqual(found.binding.positional, [{ name: 'amounts' }]);
    }
  });

  it('is flattened as ever where it has members, too', () => {
    const found = tool(
      '/** Does. @tool */\nexport function f(args: { city: string; [more: string]: string }): void {}',
    );
    assert.deepEqual(Object.keys(found.parameters.properties as object), ['city']);
    assert.equal(found.binding.positional, 'object');
  });
});
