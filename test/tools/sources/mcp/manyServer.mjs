// An MCP server of many tools, by the arguments: how many.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

const DOES = ['count', 'weigh', 'price', 'locate', 'inspect', 'rate', 'describe', 'compare', 'measure', 'grade'];
const THINGS = (
  'apples barrels candles drums engines feathers gloves hammers inkwells jackets kettles lanterns mirrors needles ' +
  'organs pillows quilts ribbons saddles trumpets umbrellas violins wagons yarns zippers anchors buttons carpets ' +
  'dresses easels fiddles gongs harps irons jugs knives ladders mugs nails oars pans quivers ropes spoons tables ' +
  'urns vases whistles yokes zithers'
).split(' ');
const server = new McpServer({ name: 'many', version: '1.0.0' });
const where = z.enum(['north', 'south', 'harbour']).describe('Which store');
for (let i = 0; i < Number(process.argv[2]); i++) {
  const [verb, thing] = [DOES[Math.floor(i / THINGS.length) % DOES.length], THINGS[i % THINGS.length]];
  server.registerTool(
    `${verb}_${thing}`,
    {
      description: `${verb[0].toUpperCase()}${verb.slice(1)} the ${thing} of a store.`,
      inputSchema: { where },
      annotations: { readOnlyHint: true },
    },
    async (args) => ({ content: [{ type: 'text', text: JSON.stringify({ [thing]: args.where.length + i }) }] }),
  );
}
await server.connect(new StdioServerTransport());
