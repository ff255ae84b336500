/** The part of Playwright that benches use; the package lives in the rig, not in the repository's own modules. */
export interface Context {
  exposeFunction(name: string, run: (told: string) => void): Promise<void>;
  addInitScript(script: { content: string }): Promise<void>;
  newPage(): Promise<{ exposeFunction(name: string, run: (...args: never[]) => void): Promise<void>; goto(url: string): Promise<unknown> }>;
}
export interface Browser {
  newContext(options: object): Promise<Context>;
  close(): Promise<void>;
}
export function launchChromium(options?: object): Promise<Browser>;
