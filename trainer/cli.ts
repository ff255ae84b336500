#!/usr/bin/env node
/** The `coach` program. */
import { runProgram } from './cli/program';
import { realRooms } from './rooms';

void runProgram(process.argv.slice(2), realRooms);
