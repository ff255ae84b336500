/** mail.ts -> mail.tasks.jsonl, which lies beside it; of a folder it is tools.tasks.jsonl in it. */
export function tasksFileName(toolFile: string): string {
  const name =
    toolFile
      .replace(/[\\/]+$/, '')
      .split(/[\\/]/)
      .pop() ?? '';
  return /\.[cm]?[jt]sx?$/.test(name) ? name.replace(/\.[cm]?[jt]sx?$/, '.tasks.jsonl') : 'tools.tasks.jsonl';
}
