/**
 * mail.ts -> mail.tasks.jsonl, which lies beside it; of a folder it is tools.tasks.jsonl in it; of the MCP servers
 * `FOLDER/mcp:one,two` it is one+two.tasks.jsonl in that folder.
 */
export function tasksFileName(toolFile: string): string {
  const [, servers] = /(?:^|[\\/])mcp:(.+)$/s.exec(toolFile) ?? [];
  if (servers !== undefined) return `${servers.replace(/,(mcp:)?/g, '+').replace(/[^\w.+-]+/g, '-')}.tasks.jsonl`;
  const name =
    toolFile
      .replace(/[\\/]+$/, '')
      .split(/[\\/]/)
      .pop() ?? '';
  return /\.[cm]?[jt]sx?$/.test(name) ? name.replace(/\.[cm]?[jt]sx?$/, '.tasks.jsonl') : 'tools.tasks.jsonl';
}
