/** Proves by asking `process.permission`, not by version, which walls stand around this process. */
import type { PrepareMessage, ReadyMessage } from './hostMessages';

export function proveWalls(probes: PrepareMessage['probes']): ReadyMessage['walls'] {
  const permission = process.permission as typeof process.permission | undefined; // absent unless Node was started with the flag
  if (!permission) return { filesystem: false, childProcesses: false, why: `Node ${process.version} runs without its permission model` };
  const readable = probes.unreadable.filter((path) => permission.has('fs.read', path));
  const writable = probes.unwritable.filter((path) => permission.has('fs.write', path));
  const childProcesses = !permission.has('child') && !permission.has('worker');
  const missing = [
    ...readable.map((path) => `${path} can be read`),
    ...writable.map((path) => `${path} can be written`),
    ...(childProcesses ? [] : ['programs can be started']),
  ];
  return {
    filesystem: readable.length === 0 && writable.length === 0,
    childProcesses,
    why: missing.length === 0 ? `proven by the permission model of Node ${process.version}` : missing.join('; '),
  };
}
