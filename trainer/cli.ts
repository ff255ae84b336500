#!/usr/bin/env node
/** The `coach` program. */
import { runProgram } from './app/cli/program';
import { realDependencies } from './app/dependencies';

void runProgram(process.argv.slice(2), realDependencies);
