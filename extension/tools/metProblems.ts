/**
 * What the last start of a run met when it loaded and called the user's tools, kept until a file changes or the next
 * start meets something else. Free of `vscode`.
 */
import type { Diagnostic } from '../../trainer/protocol/task';

export class MetProblems {
  private met: readonly Diagnostic[] = [];
  private metAt = 0;

  get all(): readonly Diagnostic[] {
    return this.met;
  }

  /** Takes the place of what the start before had met. */
  replace(diagnostics: readonly Diagnostic[], now: number): void {
    this.met = diagnostics;
    this.metAt = now;
  }

  /**
   * @param changedAt when its text changed; news of a save from before the start may come late, and changes nothing
   * @returns whether there was something to forget
   */
  forget(file: string, changedAt: number): boolean {
    if (changedAt <= this.metAt || !this.met.some((diagnostic) => diagnostic.file === file)) return false;
    this.met = this.met.filter((diagnostic) => diagnostic.file !== file);
    return true;
  }
}
