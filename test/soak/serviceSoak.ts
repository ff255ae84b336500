/** The editor's service killed at random moments while a person marks: each mark that it confirmed is on disk, once. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-jsonrpc/node';
import type { Random } from '../../trainer/base/random';
import { readLines } from '../../trainer/base/jsonLines';

/** @returns how many marks were confirmed */
export async function soakService(script: string, folder: string, random: Random, kills: number): Promise<number> {
  const workspace = join(folder, 'marked');
  mkdirSync(join(workspace, '.git'), { recursive: true });
  const file = join(workspace, '.coach/preferences.jsonl');
  const confirmed: string[] = [];
  for (let kill = 0; kill < kills; kill++) {
    const child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'ignore'] });
    const closed = once(child, 'close');
    child.stdin.on('error', () => undefined); // it is killed under our hands
    const connection = createMessageConnection(
      new StreamMessageReader(child.stdout),
      new StreamMessageWriter(child.stdin),
    );
    connection.onError(() => undefined);
    connection.listen();
    const mark = async (n: number): Promise<void> => {
      const text = `${kill}-${n} ${'x'.repeat(random.int(20_000))}`;
      const body = { type: 'note', runId: 'r', traceId: 't', turn: null, text };
      const { lines } = await connection.sendRequest<{ lines: { id: string }[] }>('recordPreferences', {
        workspace,
        bodies: [body],
      });
      confirmed.push(lines[0]!.id);
    };
    const marking = (async () => {
      for (let n = 0; ; n++) await mark(n);
    })().catch(() => undefined); // it is gone
    const before = confirmed.length;
    while (confirmed.length === before) await Promise.race([sleep(5), closed]);
    await sleep(random.int(60));
    child.kill('SIGKILL');
    await closed;
    connection.dispose();
    await Promise.race([marking, sleep(100)]);
    checkMarks(file, confirmed);
  }
  return confirmed.length;
}

function checkMarks(file: string, confirmed: readonly string[]): void {
  assert.ok(existsSync(file));
  const seen = new Map<string, number>();
  for (const line of readLines(file).lines) {
    let id = '';
    try {
      id = (JSON.parse(line) as { id: string }).id;
    } catch {
      continue; // torn by a kill, with the next one behind it: told to the reader, and no confirmed one
    }
    seen.set(id, (seen.get(id) ?? 0) + 1);
  }
  for (const id of confirmed) assert.equal(seen.get(id), 1, `mark ${id} was confirmed`);
}
