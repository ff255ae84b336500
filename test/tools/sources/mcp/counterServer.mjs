// An MCP server over stdio whose state a test can see: a counter of this process.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

let counter = 0;
const text = (value) => ({ content: [{ type: 'text', text: JSON.stringify(value) }] });
const readOnly = { annotations: { readOnlyHint: true } };
const server = new McpServer({ name: 'counter', version: '1.0.0' });
const unit = z.enum(['litre', 'gallon', 'barrel']).describe('Unit of measure');

server.registerTool(
  'add_to_counter',
  {
    description: 'Adds an amount to the counter and returns the counter.',
    inputSchema: { amount: z.number().int() },
    ...readOnly,
  },
  async ({ amount }) => text((counter += amount)),
);
server.registerTool(
  'convert_volume',
  { description: 'Converts a volume from one unit to another.', inputSchema: { unit, into: unit }, ...readOnly },
  async ({ unit, into }) => text({ unit, into, factor: unit === into ? 1 : 2 }),
);
server.registerTool('reset_counter', { description: 'Sets the counter to zero.', inputSchema: {} }, async () =>
  text((counter = 0)),
);
server.registerTool(
  'misbehave',
  {
    description: 'Misbehaves in the given manner.',
    inputSchema: { manner: z.enum(['die', 'hang', 'flood', 'fail', 'picture', 'secret']) },
    ...readOnly,
  },
  async ({ manner }) => {
    if (manner === 'die') process.exit(3);
    if (manner === 'hang') return new Promise(() => undefined);
    if (manner === 'flood') return text('x'.repeat(5_000_000));
    if (manner === 'picture') return { content: [{ type: 'image', mimeType: 'image/png', data: 'aGVsbG8=' }] };
    if (manner === 'secret') return text(process.env.COUNTER_TOKEN ?? null);
    throw new Error('it fails');
  },
);
await server.connect(new StdioServerTransport());
