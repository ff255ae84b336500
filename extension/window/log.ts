import * as vscode from 'vscode';

/** What the process side writes to; vscode.LogOutputChannel fits it. */
export interface Log {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

/** The channel *Coach* in the Output panel. It is never shown unasked. */
export function createLog(): vscode.LogOutputChannel {
  return vscode.window.createOutputChannel('Coach', { log: true });
}
