/** A workspace of given files in a temporary folder, with hosts for its tools and rewards. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { HostOptions } from '../../trainer/tools/hosts/callTool';
import { fixtureTool, openFixtureHosts, type TestHosts } from '../tools/hostsFixture';

export interface ToolWorkspace {
  root: string;
  /** Tools are named `file.ts name`, rewards `file.rewards.ts name`. */
  open(tools: string[], options?: Partial<HostOptions> & { rewardNames?: string[] }): Promise<TestHosts>;
  remove(): void;
}

export function toolWorkspace(files: Record<string, string>): ToolWorkspace {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'coach-attack-tools-')));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return {
    root,
    open(tools, { rewardNames = [], ...options } = {}) {
      const named = (names: string[]) => names.map((name) => name.split(' ') as [string, string]);
      return openFixtureHosts(
        named(tools).map(([file, name]) => ({
          ...fixtureTool(file, name),
          source: { file: join(root, file), line: 1 },
        })),
        {
          workspace: root,
          timeoutMs: 20_000,
          rewards: named(rewardNames).map(([file, name]) => ({
            name,
            file: join(root, file),
            exportName: name,
            isGroup: false,
            line: 1,
          })),
          ...options,
        },
      );
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** Source of a tool that runs code in its host's own realm: `process` and `load`, which gives a built-in, are there. */
export const IN_HOST = `
export async function inHost({ code }: { code: string }) {
  const Host = (Buffer as any).constructor;
  const { process } = Host('return globalThis')();
  return (await Host('process', 'load', code)(process, (name: string) => process.getBuiltinModule(name))) ?? null;
}
export const pid = () => process.pid;
export const truth = () => 'true';
export const slow = () => new Promise((resolve) => setTimeout(() => resolve('true'), 400));
`;
