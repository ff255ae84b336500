// The counter over stdio: its state is this process's, or that of the file COUNTER_FILE.
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { counterIn, counterServer } from './counter.mjs';

const file = process.env.COUNTER_FILE;
await counterServer(file ? { state: counterIn(file) } : {}).connect(new StdioServerTransport());
