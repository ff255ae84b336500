// An MCP server whose state a test can see: a counter of its own. `misbehave` does what servers should not.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';

const text = (value) => ({ content: [{ type: 'text', text: JSON.stringify(value) }] });
const readOnly = { annotations: { readOnlyHint: true } };
const unit = z.enum(['litre', 'gallon', 'barrel']).describe('Unit of measure');
const MANNERS = ['die', 'hang', 'flood', 'fail', 'picture', 'resource', 'secret', 'chatter', 'grow', 'endless', 'path'];

/** A counter that is kept in a file, as many servers keep their world. */
export const counterIn = (file) => ({
  get counter() {
    return existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
  },
  set counter(value) {
    writeFileSync(file, `${value}`);
  },
});

/** @param die what 'die' does; @param state { counter }, where several servers are to share one */
export function counterServer({ die = () => process.exit(3), state = { counter: 0 } } = {}) {
  const server = new McpServer({ name: 'counter', version: '1.0.0' });
  server.registerTool(
    'add_to_counter',
    {
      description: 'Adds an amount to the counter and returns the counter.',
      inputSchema: { amount: z.number().int() },
      ...readOnly,
    },
    async ({ amount }) => text((state.counter += amount)),
  );
  server.registerTool(
    'convert_volume',
    { description: 'Converts a volume from one unit to another.', inputSchema: { unit, into: unit }, ...readOnly },
    async ({ unit, into }) => text({ unit, into, factor: unit === into ? 1 : 2 }),
  );
  server.registerTool('reset_counter', { description: 'Sets the counter to zero.', inputSchema: {} }, async () =>
    text((state.counter = 0)),
  );
  server.registerTool(
    'misbehave',
    { description: 'Misbehaves in the given manner.', inputSchema: { manner: z.enum(MANNERS) }, ...readOnly },
    async ({ manner }, { sendNotification }) => {
      const notify = (progress) =>
        sendNotification({ method: 'notifications/progress', params: { progressToken: 'none', progress } });
      switch (manner) {
        case 'die':
          return die();
        case 'hang':
          return new Promise(() => undefined);
        case 'flood':
          return text('x'.repeat(5_000_000));
        case 'endless':
          return text('x'.repeat(17 << 20));
        case 'picture':
          return { content: [{ type: 'image', mimeType: 'image/png', data: 'aGVsbG8=' }] };
        case 'resource':
          return {
            content: [
              { type: 'text', text: 'two files' },
              { type: 'resource_link', uri: 'file:///a.txt', name: 'a' },
              { type: 'resource', resource: { uri: 'file:///b.bin', blob: 'aGVsbG8=' } },
            ],
          };
        case 'secret':
          return text(process.env.COUNTER_TOKEN ?? null);
        case 'chatter':
          await Promise.all(Array.from({ length: 12_000 }, (_, i) => notify(i)));
          return text('said');
        case 'path':
          return text(join(resolve('.'), 'a file'));
        case 'grow':
          server.registerTool('grown', { description: 'Was not there before.', ...readOnly }, async () =>
            text('grown'),
          );
          return text('has grown');
        default:
          throw new Error('it fails');
      }
    },
  );
  return server;
}

/** For what is kept outside of a process: what reads it, and what changes it. */
export function withReadAndSet(server, state) {
  server.registerTool('read_counter', { description: 'Returns the counter.', inputSchema: {}, ...readOnly }, async () =>
    text(state.counter),
  );
  server.registerTool('set_counter', { description: 'Sets the counter to five.', inputSchema: {} }, async () =>
    text((state.counter = 5)),
  );
  return server;
}
