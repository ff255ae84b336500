// Starts the real VS Code server (extension host included). All that it writes lies in one throw-away folder.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, createWriteStream, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { node24, serverMain } from './places.mjs';

/** User settings: no dialogs, no AI, no network, no moving parts in screenshots. */
const quietSettings = {
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.enableExperiments': false,
  'window.autoDetectColorScheme': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.reduceMotion': 'on',
  'chat.disableAIFeatures': true,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'git.openRepositoryInParentFolders': 'never',
  'editor.minimap.enabled': false,
  'editor.cursorBlinking': 'solid',
};

/**
 * @param {object} [options]
 * @param {object} [options.settings] more user settings
 * @param {object} [options.machineSettings] settings of scope machine: VS Code reads them from the server's own file
 * @param {string[]} [options.vsix] packed extensions to install first
 * @param {object} [options.env] variables for the server, so also for the extension host
 * @param {boolean} [options.trust] false: Restricted Mode is possible, folders start untrusted
 * @param {number} [options.port] 0: a free one
 */
export async function startVSCode(options = {}) {
  const root = mkdtempSync(path.join(tmpdir(), 'vscode-'));
  const dirs = Object.fromEntries(['user', 'server', 'extensions', 'tmp'].map((name) => [name, path.join(root, name)]));
  for (const dir of [path.join(dirs.user, 'User'), dirs.server, dirs.extensions, dirs.tmp])
    mkdirSync(dir, { recursive: true });
  const isTrusting = options.trust ?? true;
  const settings = {
    ...quietSettings,
    'security.workspace.trust.enabled': !isTrusting,
    'security.workspace.trust.startupPrompt': 'never',
    ...options.settings,
  };
  writeFileSync(path.join(dirs.user, 'User', 'settings.json'), JSON.stringify(settings, null, 2));
  mkdirSync(path.join(dirs.user, 'Machine'));
  writeFileSync(
    path.join(dirs.user, 'Machine', 'settings.json'),
    JSON.stringify(options.machineSettings ?? {}, null, 2),
  );

  // TMPDIR: its sockets and the TypeScript server's files go away with the rest.
  // EXTENSIONS_GALLERY: code-server's own switch; empty means no marketplace.
  const inherited = Object.entries(process.env).filter(([name]) => !/^(VSCODE_|CODE_SERVER_|ELECTRON_)/.test(name));
  const env = { ...Object.fromEntries(inherited), TMPDIR: dirs.tmp, EXTENSIONS_GALLERY: '{}', ...options.env };
  const dirArgs = ['--user-data-dir', dirs.user, '--server-data-dir', dirs.server, '--extensions-dir', dirs.extensions];
  for (const vsix of options.vsix ?? []) await install(vsix, dirArgs, env);

  const child = spawn(
    node24(),
    [
      serverMain(),
      '--host',
      '127.0.0.1',
      '--port',
      String(options.port ?? 0),
      '--without-connection-token',
      '--accept-server-license-terms',
      '--telemetry-level',
      'off',
      ...(isTrusting ? ['--disable-workspace-trust'] : []),
      // without it a built workbench ignores extensionDevelopmentPath and extensionTestsPath
      '--enable-smoke-test-driver',
      ...dirArgs,
    ],
    { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true },
  ); // detached: its own process group, all children in it
  const exited = once(child, 'exit');
  const signalGroup = (signal) => {
    try {
      process.kill(-child.pid, signal);
    } catch {
      /* the group is gone */
    }
  };

  // Ends the server's group, and removes its folder, even when this process is killed: the guard's stdin closes then.
  const guard = spawn(
    process.execPath,
    [
      '-e',
      `process.stdin.resume().on('end', () => {
    try { process.kill(-${child.pid}, 'SIGKILL') } catch {}
    setTimeout(() => require('fs').rmSync(process.argv[1], { recursive: true, force: true }), 500);
  })`,
      root,
    ],
    { stdio: ['pipe', 'ignore', 'ignore'], detached: true },
  );
  guard.stdin.on('error', () => {});

  const logFile = path.join(root, 'server.log');
  const logStream = createWriteStream(logFile);
  async function stop() {
    signalGroup('SIGTERM');
    const killer = setTimeout(() => signalGroup('SIGKILL'), 5_000);
    await exited;
    clearTimeout(killer);
    signalGroup('SIGKILL'); // whatever outlived the server
    guard.kill('SIGKILL');
    await new Promise((resolve) => logStream.end(resolve));
    rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }

  let port;
  try {
    port = await listening(child, exited, logStream);
  } catch (error) {
    await stop();
    throw error;
  }

  const authority = `127.0.0.1:${port}`;
  const remoteUri = (file) => `vscode-remote://${authority}${pathToFileURL(path.resolve(file)).pathname}`;
  return {
    authority,
    dirs,
    exited,
    stop,
    /** The address of a workbench window. The payload stands for the desktop's command line. */
    url({ workspace, extension, tests, payload = [] } = {}) {
      const url = new URL(`http://${authority}/`);
      if (!workspace) url.searchParams.set('ew', 'true');
      else
        url.searchParams.set(workspace.endsWith('.code-workspace') ? 'workspace' : 'folder', path.resolve(workspace));
      const all = [['skipWelcome', 'true'], ...payload];
      if (extension) all.push(['extensionDevelopmentPath', remoteUri(extension)]);
      if (tests) all.push(['extensionTestsPath', remoteUri(tests)]);
      url.searchParams.set('payload', JSON.stringify(all));
      return url.href;
    },
    /** Copies the logs (server, extension host, output channels) out before stop(). */
    saveLogs(target) {
      mkdirSync(target, { recursive: true });
      cpSync(logFile, path.join(target, 'server.log'));
      if (existsSync(path.join(dirs.user, 'logs')))
        cpSync(path.join(dirs.user, 'logs'), path.join(target, 'vscode'), { recursive: true });
    },
  };
}

async function install(vsix, dirArgs, env) {
  const child = spawn(node24(), [serverMain(), ...dirArgs, '--force', '--install-extension', path.resolve(vsix)], {
    env,
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data) => {
      text += data;
    });
  const [status] = await once(child, 'close');
  if (status !== 0 || !text.includes('successfully installed'))
    throw new Error(`installing ${vsix} failed (${status}):\n${text}`);
}

function listening(child, exited, logStream) {
  return new Promise((resolve, reject) => {
    let text = '';
    const timer = setTimeout(() => reject(new Error(`the VS Code server did not start in 60 s:\n${text}`)), 60_000);
    const read = (data) => {
      logStream.write(data);
      text += data;
      const found = /Extension host agent listening on (\d+)/.exec(text);
      if (found) {
        clearTimeout(timer);
        resolve(Number(found[1]));
      }
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    exited.then(([status]) => {
      clearTimeout(timer);
      reject(new Error(`the VS Code server ended with ${status}:\n${text}`));
    });
  });
}
