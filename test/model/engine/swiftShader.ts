import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';

/** What a process needs to find the device; `remove` when no such process runs any more. */
export interface SoftwareVulkan {
  env: Record<string, string>;
  remove(): void;
}

/**
 * A Vulkan device in software, out of the npm package that the UI tests take their Chromium from: it proves results,
 * not speed.
 * COACH_VULKAN names a folder that holds one already. Null where there is none.
 */
export function openSwiftShader(): SoftwareVulkan | null {
  const given = process.env['COACH_VULKAN'];
  const folder = given ?? unpack();
  if (folder === null) return null;
  return {
    env: { LD_LIBRARY_PATH: folder, VK_ICD_FILENAMES: join(folder, 'vk_swiftshader_icd.json') },
    remove: () => given ?? rmSync(folder, { recursive: true, force: true }),
  };
}

export const NO_SWIFTSHADER =
  'no SwiftShader: it comes with the packages of test/vscode, for Linux x64 (npm run test:vscode installs them)';

function unpack(): string | null {
  const archive = join(__dirname, '../../vscode/node_modules/@sparticuz/chromium/bin/swiftshader.tar.br');
  if (process.platform !== 'linux' || process.arch !== 'x64' || !existsSync(archive)) return null;
  const folder = mkdtempSync(join(tmpdir(), 'coach-vulkan-'));
  writeFileSync(join(folder, 'all.tar'), brotliDecompressSync(readFileSync(archive)));
  const { status } = spawnSync('tar', ['-xf', 'all.tar'], { cwd: folder });
  return status === 0 && existsSync(join(folder, 'libvulkan.so.1')) ? folder : null;
}
