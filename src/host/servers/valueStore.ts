import type * as vscode from 'vscode';

const NAMES_KEY = 'faultline.secretNames';
const PREFIX = 'faultline.';

/** What servers are started with beside their definitions: secrets in the secret storage, other answers in memory. */
export class ValueStore {
  private readonly secrets: vscode.SecretStorage;
  /** The names only; the storage cannot list what it keeps. */
  private readonly names: vscode.Memento;
  private readonly answers = new Map<string, string>();

  constructor(context: Pick<vscode.ExtensionContext, 'secrets' | 'globalState'>) {
    this.secrets = context.secrets;
    this.names = context.globalState;
  }

  /** Names under which a secret is kept, in alphabetical order. */
  kept(): readonly string[] {
    return this.names.get<readonly string[]>(NAMES_KEY, []);
  }

  secret(name: string): Thenable<string | undefined> {
    return this.secrets.get(PREFIX + name);
  }

  /** Keeps a secret, or deletes it with `undefined`. */
  async setSecret(name: string, value: string | undefined): Promise<void> {
    const others = this.kept().filter((kept) => kept !== name);
    if (value === undefined) {
      await this.secrets.delete(PREFIX + name);
      await this.names.update(NAMES_KEY, others);
    } else {
      await this.secrets.store(PREFIX + name, value);
      await this.names.update(NAMES_KEY, [...others, name].sort());
    }
  }

  /** What a person answered in this window. */
  answer(key: string): string | undefined {
    return this.answers.get(key);
  }

  setAnswer(key: string, value: string): void {
    this.answers.set(key, value);
  }
}
