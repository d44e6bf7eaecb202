import * as vscode from 'vscode';
import type { Disposable } from '../base/disposable.ts';
import type { EventLog, LogSettings } from '../core/log/eventLog.ts';
import { readSetting } from './manifest.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const MEGABYTE = 1024 * 1024;

/** Keeps the log to what the settings say of limits and secrets, also when they change. Tells of patterns that are no use. */
export function followLogSettings(log: EventLog): Disposable {
  const apply = () => {
    log.configure(logSettings());
    void warnOfPatterns(log);
  };
  apply();
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration('faultline.log') || event.affectsConfiguration('faultline.redact')) {
      apply();
    }
  });
}

function logSettings(): LogSettings {
  return {
    limits: {
      maxBytes: Math.max(1, readSetting('log.maxSizeMb')) * MEGABYTE,
      maxAgeMs: Math.max(1, readSetting('log.maxAgeDays')) * DAY_MS,
    },
    redaction: {
      hiddenNames: strings(readSetting('redact.names')),
      shownNames: strings(readSetting('redact.exceptNames')),
      patterns: strings(readSetting('redact.patterns')),
    },
  };
}

/** Settings are whatever a person has typed. */
function strings(values: readonly unknown[]): readonly string[] {
  return values.filter((value) => typeof value === 'string');
}

/** Tells of patterns in the settings that are no use. There are none before the log is open. */
export async function warnOfPatterns({ refusedPatterns }: EventLog): Promise<void> {
  if (refusedPatterns.length > 0) {
    const { say } = await import('./say.ts');
    const sentences = refusedPatterns.map(({ source, reason }) => say(`log.redact.${reason}`, { source }));
    void vscode.window.showWarningMessage(sentences.join(' '));
  }
}
