/** VS Code's configuration as a run reads it. What a value may be is checked where it is used: RunConfig parses in the trainer. */
import * as vscode from 'vscode';
import type { DeviceChoice, EngineChoice, Method, RunConfigInput, ToolPolicy } from '../trainer/protocol/runConfig';
import { CONFIGURATION, type SettingKey } from './contributions';

export interface Settings {
  method: Method;
  model: string;
  steps: number;
  toolPolicy: ToolPolicy | 'auto';
  rewards: string;
  taskCount: number;
  seed: number;
  engine: EngineChoice;
  device: DeviceChoice;
  threads: number;
  nodePath: string;
  codeLens: boolean;
  diagnostics: boolean;
  blindPairs: boolean;
  redact: boolean;
  redactPatterns: string[];
}

export function readSettings(resource?: vscode.Uri): Settings {
  const configuration = vscode.workspace.getConfiguration(CONFIGURATION, resource);
  const read = <K extends SettingKey & keyof Settings>(key: K): Settings[K] => configuration.get(key) as Settings[K]; // each has a default in package.json
  return {
    method: read('method'), model: read('model'), steps: read('steps'), toolPolicy: read('toolPolicy'), rewards: read('rewards'), taskCount: read('taskCount'),
    seed: read('seed'), engine: read('engine'), device: read('device'), threads: read('threads'), nodePath: read('nodePath'), codeLens: read('codeLens'), diagnostics: read('diagnostics'), blindPairs: read('blindPairs'), redact: read('redact'), redactPatterns: read('redactPatterns'),
  };
}

/** What a run of these settings is started with. */
export function toRunConfig(toolFile: string, settings: Settings): RunConfigInput {
  const { method, model, steps, rewards, taskCount, seed, engine, device, threads, toolPolicy, redact, redactPatterns } = settings;
  return { toolFile, method, model, steps, rewards, taskCount, seed, engine, device, threads, ...(toolPolicy === 'auto' ? {} : { toolPolicy }), ...(redact ? {} : { redact }), ...(redactPatterns.length === 0 ? {} : { redactPatterns }) };
}

export function onDidChangeSettings(listener: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(CONFIGURATION)) listener();
  });
}
