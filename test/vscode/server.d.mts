export interface VSCodeServer {
  url(target?: { workspace?: string; extension?: string; tests?: string; payload?: [string, string][] }): string;
  stop(): Promise<void>;
}
export function startVSCode(options?: { settings?: object; machineSettings?: object; vsix?: string[]; env?: Record<string, string>; trust?: boolean; port?: number }): Promise<VSCodeServer>;
