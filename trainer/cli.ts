#!/usr/bin/env node
/** The `coach` program. */
import { runProgram } from './app/cli/program';
import { realRooms } from './app/rooms';

void runProgram(process.argv.slice(2), realRooms);
