import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Tells a process from a later one with the same pid. null: unknown here (Windows); 'gone': ended, perhaps not yet
 * reaped.
 */
export function processStart(pid: number): string | null | 'gone' {
  if (process.platform === 'linux') {
    try {
      // Fields after the command's closing parenthesis: state is the first, start time (ticks since boot) the
      // twentieth.
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (fields[0] === 'Z' || fields[0] === 'X') return 'gone';
      return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}:${fields[19]}`;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'gone' : null;
    }
  }
  if (process.platform === 'win32') return null;
  try {
    const [state = '', ...start] = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' })
      .trim()
      .split(/\s+/);
    return state.startsWith('Z') || start.length === 0 ? 'gone' : start.join(' ');
  } catch {
    return 'gone';
  }
}
