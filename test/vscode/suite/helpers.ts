import * as vscode from 'vscode';

/** A file of the opened workspace. */
export function fixture(name: string): vscode.Uri {
  return vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0]!.uri, name);
}

/** Asks until the answer is neither false nor null nor a throw. */
export async function eventually<T>(ask: () => T | Promise<T>, timeoutMs = 120_000): Promise<NonNullable<T>> {
  const deadline = Date.now() + timeoutMs;
  let last: unknown = null;
  for (;;) {
    try {
      const answer = await ask();
      if (answer !== false && answer !== null && answer !== undefined) return answer as NonNullable<T>;
      last = answer;
    } catch (error) {
      last = error;
    }
    if (Date.now() > deadline)
      throw last instanceof Error ? last : new Error(`still ${String(last)} after ${timeoutMs} ms: ${ask.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
