#!/usr/bin/env node
/** The `coach` program. */
import { cli } from './entry';

void cli(process.argv.slice(2));
