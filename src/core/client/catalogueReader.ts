import type { RawEnd } from '../../protocol/call.ts';
import type { JsonObject } from '../../protocol/jsonrpc.ts';
import { readTools, type ToolCatalogue } from './tools.ts';

export interface CatalogueReaderOptions {
  /** Sends one `tools/list`. */
  ask(params: JsonObject): Promise<RawEnd>;
  onDidRead(catalogue: ToolCatalogue): void;
  /** False once nobody wants the answer any more. */
  isWanted(): boolean;
}

/** Keeps the catalogue of one launch fresh: a change during a reading leads to another one after it, never beside it. */
export class CatalogueReader {
  private readonly options: CatalogueReaderOptions;
  private isStale = false;
  private current: Promise<void> | undefined;

  constructor(options: CatalogueReaderOptions) {
    this.options = options;
  }

  /** Resolves when what is being read has been read; absent while nothing is. */
  get reading(): Promise<void> | undefined {
    return this.current;
  }

  /** Reads, or reads once more. */
  refresh(): void {
    this.isStale = true;
    this.current ??= this.readWhileStale().finally(() => {
      this.current = undefined;
    });
  }

  private async readWhileStale(): Promise<void> {
    while (this.isStale && this.options.isWanted()) {
      this.isStale = false;
      this.options.onDidRead(await readTools((params) => this.options.ask(params)));
    }
  }
}
