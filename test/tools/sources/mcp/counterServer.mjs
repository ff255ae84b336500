// The counter over stdio: its state is this process's, or that of the file COUNTER_FILE.
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { counterIn, counterServer, withReadAndSet } from './counter.mjs';

const file = process.env.COUNTER_FILE;
const state = file ? counterIn(file) : { counter: 0 };
const server = counterServer({ state });
await (file ? withReadAndSet(server, state) : server).connect(new StdioServerTransport());
