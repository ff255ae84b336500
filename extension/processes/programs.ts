/** Where the programs of dist/ lie, and which Node runs them. Free of `vscode`. */
import path from 'node:path';
import { isSecretName } from '../../trainer/protocol/secretNames';

export interface Programs {
  service: string;
  trainer: string;
  cli: string;
  /** the embedded model's folder */
  nano: string;
}

export function programsIn(extensionDir: string): Programs {
  const trainer = path.join(extensionDir, 'dist', 'trainer');
  return {
    service: path.join(trainer, 'service.js'),
    trainer: path.join(trainer, 'main.js'),
    cli: path.join(trainer, 'cli.js'),
    nano: path.join(extensionDir, 'dist', 'nano'),
  };
}

/** The trainer alone gets it, when it is started (runActions.ts); the service and an export have no use for it. */
export const JUDGE_KEY = 'COACH_JUDGE_KEY';

/** Likewise, for who writes requests; from VS Code's own environment, with COACH_WRITER_URL, which says whose it is. */
export const WRITER_KEY = 'COACH_WRITER_KEY';

/** `coach distill` alone gets it, for the server that it was entered for (teacherKey.ts). */
export const TEACHER_KEY = 'COACH_TEACHER_KEY';

/** Likewise `coach maketool`. */
export const MAKER_KEY = 'COACH_MAKER_KEY';

export interface NodeCommand {
  command: string;
  /** without keys and tokens */
  env: NodeJS.ProcessEnv;
  /** those that this program needs: through a pipe (trainer/app/secrets.ts) */
  secrets?: Readonly<Record<string, string>>;
}

/**
 * agentCoach.nodePath when it is set, else VS Code's own executable: it is Electron on a desktop and becomes plain Node
 * by
 * ELECTRON_RUN_AS_NODE; on a server it is Node already and ignores the variable. Nothing that is secret by its name is
 * in the environment.
 */
export function nodeCommand(nodePath: string, execPath = process.execPath, env = process.env): NodeCommand {
  const inherited = Object.fromEntries(
    Object.entries(env).filter(
      ([name]) => !/^(VSCODE_|ELECTRON_)/.test(name) && name !== 'NODE_OPTIONS' && !isSecretName(name),
    ),
  );
  if (nodePath.trim() !== '') return { command: nodePath.trim(), env: inherited };
  return { command: execPath, env: { ...inherited, ELECTRON_RUN_AS_NODE: '1' } };
}

/** The folder that holds a model's tokenizer. */
export const modelFolder = (model: string, nanoDir: string): string => (model === 'nano' ? nanoDir : model);
