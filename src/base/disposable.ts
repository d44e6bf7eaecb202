/** Anything that must be let go of. The shape is `vscode.Disposable`'s, so that either can stand for the other. */
export interface Disposable {
  dispose(): void;
}

/**
 * Owns disposables and lets go of them in reverse order of arrival. Whatever is added after `dispose` is disposed at
 * once, so that a late asynchronous result never leaks.
 */
export class DisposableStore implements Disposable {
  private items: Disposable[] | undefined = [];

  get isDisposed(): boolean {
    return this.items === undefined;
  }

  /** Takes ownership of `item` and returns it. */
  add<T extends Disposable>(item: T): T {
    if (this.items === undefined) {
      item.dispose();
    } else {
      this.items.push(item);
    }
    return item;
  }

  /** Takes ownership of a clean-up function. */
  defer(cleanUp: () => void): void {
    this.add({ dispose: cleanUp });
  }

  dispose(): void {
    const items = this.items;
    this.items = undefined;
    for (const item of items?.reverse() ?? []) {
      item.dispose();
    }
  }
}
