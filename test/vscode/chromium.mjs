// A Chromium: the one named by CHROMIUM, else an installed one, else the one that the npm package @sparticuz/chromium
// carries.
import { accessSync, constants } from 'node:fs';
import path from 'node:path';

function installedChromium() {
  for (const name of ['chromium', 'chromium-browser', 'google-chrome', 'chrome']) {
    for (const folder of (process.env.PATH ?? '').split(path.delimiter)) {
      const file = path.join(folder, name);
      try {
        accessSync(file, constants.X_OK);
        return file;
      } catch {
        /* not here */
      }
    }
  }
  return undefined;
}

async function carriedChromium() {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error('no Chromium found: install one, or set CHROMIUM to its path');
  const { default: chromium } = await import('@sparticuz/chromium');
  return chromium.executablePath(); // unpacked once into the temporary folder
}

const executable = async () => process.env.CHROMIUM ?? installedChromium() ?? (await carriedChromium());

/**
 * Before two processes want the carried one at once: the second would start what the first still writes (ETXTBSY).
 * Where there is none, whoever starts it says so.
 */
export const unpackChromium = () => executable().catch(() => undefined);

export async function launchChromium(options = {}) {
  const { chromium } = await import('playwright-core');
  return chromium.launch({
    executablePath: await executable(),
    headless: true,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
    ...options,
  });
}
