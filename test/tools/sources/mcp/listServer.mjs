// A server over stdio that lists what it is given, JSON, as the only argument: also what the SDK would not let pass.
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';

const tools = JSON.parse(process.argv[2]);
const transport = new StdioServerTransport();
const server = new Server({ name: 'list', version: '1.0.0' }, { capabilities: { tools: {} } });
await server.connect(transport);
const answer = transport.onmessage;
transport.onmessage = (message) => {
  if (message.method === 'tools/list') void transport.send({ jsonrpc: '2.0', id: message.id, result: { tools } });
  else answer(message);
};
