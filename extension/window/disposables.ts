/**
 * What opens can close. Free of `vscode`, so that the process side is tested without an editor; VS Code's own
 * Disposable fits it.
 */
export interface Disposable {
  dispose(): void;
}

/** Owns what is pushed to it; what arrives after its disposal is disposed at once. */
export class Owner implements Disposable {
  private owned: Disposable[] | null = [];

  own<T extends Disposable>(thing: T): T {
    if (this.owned) this.owned.push(thing);
    else thing.dispose();
    return thing;
  }

  get isDisposed(): boolean {
    return this.owned === null;
  }

  dispose(): void {
    const owned = this.owned;
    this.owned = null;
    for (const thing of owned?.reverse() ?? []) thing.dispose();
  }
}

/** The shape of vscode.EventEmitter, without `vscode`. */
export class Emitter<T> implements Disposable {
  private listeners = new Set<(value: T) => void>();

  readonly event = (listener: (value: T) => void): Disposable => {
    this.listeners.add(listener);
    return { dispose: () => void this.listeners.delete(listener) };
  };

  fire(value: T): void {
    for (const listener of [...this.listeners]) listener(value);
  }

  dispose(): void {
    this.listeners.clear();
  }
}

/** Calls `work` once, `delayMs` after the last call. */
export class Debounce implements Disposable {
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly delayMs: number,
    private readonly work: () => void,
  ) {}

  schedule(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(this.work, this.delayMs);
  }

  dispose(): void {
    clearTimeout(this.timer);
  }
}
