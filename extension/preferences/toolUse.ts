/** What a run's traces say of each tool. Pure, free of `vscode`. */
import type { QueuedPair } from '../../trainer/protocol/preferenceState';
import type { TraceSummary } from '../../trainer/protocol/trace';

export interface ToolUse {
  calls: number;
  /** calls that ended well */
  ok: number;
  openPairs: number;
}

/** From the path of each trace ("search → read✗ → answer"), where ✗ marks a call that did not end well. */
export function toolUse(traces: readonly TraceSummary[], open: readonly QueuedPair[]): Map<string, ToolUse> {
  const uses = new Map<string, ToolUse>();
  const use = (name: string): ToolUse => {
    const known = uses.get(name) ?? { calls: 0, ok: 0, openPairs: 0 };
    uses.set(name, known);
    return known;
  };
  for (const { path, superseded } of traces) {
    if (superseded) continue;
    for (const step of path.split(' → ').slice(0, -1)) {
      // the last one says how it ended
      if (step === '?') continue;
      const known = use(step.replace(/✗$/, ''));
      known.calls++;
      if (!step.endsWith('✗')) known.ok++;
    }
  }
  for (const { tools } of open) for (const name of tools) use(name).openPairs++;
  return uses;
}

/** "128 calls · 94 % ok · 3 pairs to mark" */
export function toolUseText({ calls, ok, openPairs }: ToolUse): string {
  const rate = calls === 0 ? '' : `${Math.round((100 * ok) / calls)} % ok`;
  return [
    `${calls} ${calls === 1 ? 'call' : 'calls'}`,
    rate,
    openPairs > 0 ? `${openPairs} ${openPairs === 1 ? 'pair' : 'pairs'} to mark` : '',
  ]
    .filter(Boolean)
    .join(' · ');
}
