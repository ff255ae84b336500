// The counter over stdio: its state is this process's.
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { counterServer } from './counter.mjs';

await counterServer().connect(new StdioServerTransport());
