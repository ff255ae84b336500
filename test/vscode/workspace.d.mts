export function makeWorkspace(from?: string): { dir: string; path(...parts: string[]): string; dispose(): void };
