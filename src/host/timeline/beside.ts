import { lightFormat } from 'date-fns/lightFormat';
import * as vscode from 'vscode';
import type { Anomaly, AnomalySeverity } from '../../protocol/anomaly.ts';
import type { Behaviour } from '../../protocol/behaviour.ts';
import type { DetailsView } from '../../protocol/details.ts';
import type { Exchange } from '../../protocol/exchange.ts';
import { say } from '../say.ts';

const { t } = vscode.l10n;

const severityTexts: Readonly<Record<AnomalySeverity, string>> = {
  chat: t('for information'),
  note: t('unusual'),
  warn: t('warning'),
  error: t('breaks the protocol'),
};

/** What was unusual about an exchange, in sentences with their remedies. */
export function anomalyViews(anomalies: readonly Anomaly[] | undefined): NonNullable<DetailsView['anomalies']> {
  return (anomalies ?? []).map(({ code, severity, args, pointer, seq }) => ({
    severity,
    severityText: severityTexts[severity],
    text: say(`anomaly.${code}`, args),
    remedy: say(`anomaly.${code}.remedy`, args),
    ...(pointer === undefined ? {} : { pointer }),
    seq,
  }));
}

/** What the caller did around an exchange, one entry for each other exchange that it leads to. */
export function behaviourViews(
  key: number,
  behaviours: readonly Behaviour[],
  exchange: (key: number) => Exchange | undefined,
): DetailsView['related'] {
  const at = (other: number) => timeText(exchange(other)?.startUs);
  return behaviours.flatMap((behaviour) => {
    const { exchanges, kind } = behaviour;
    const place = exchanges.indexOf(key);
    const other = exchanges[place > 0 ? place - 1 : 1];
    return other === undefined || (kind === 'loop' && exchanges.at(-1) !== key)
      ? []
      : [{ seq: Math.floor(other), key: other, text: behaviourText(behaviour, place > 0, at(other)) }];
  });
}

function behaviourText({ kind, count, changed }: Behaviour, isLater: boolean, time: string): string {
  const names = changed.join(', ');
  switch (kind) {
    case 'blind_retry':
      return isLater
        ? t('Blind retry: the same arguments as at {0}, which failed', time)
        : t('Sent again at {0} with the same arguments, although it failed', time);
    case 'loop':
      return t('Loop: {0} calls in a row with the same arguments; the one before at {1}', count, time);
    case 'possible_duplicate':
      return isLater
        ? t('May have been done twice: the call at {0} may have been executed', time)
        : t('May have been done twice: sent again at {0}', time);
    case 'recovery':
      return isLater
        ? t('Recovery: worked with other arguments than at {0} ({1})', time, names)
        : t('Recovered at {0} with other arguments ({1})', time, names);
  }
}

/** Local time of day to the millisecond, as the rows show it. */
export function timeText(us: number | undefined): string {
  return us === undefined ? '?' : lightFormat(new Date(us / 1000), 'HH:mm:ss.SSS');
}

/** What to do about an error with a known number, on a line of its own; none for other outcomes. */
export function adviceLines({ verdict }: Exchange): readonly string[] {
  const signal = verdict?.signals[0];
  const code = signal?.code === 'signal.error.code' ? `code.${signal.args['code']}.advice` : undefined;
  const advice = code === undefined ? '' : say(code);
  return code === undefined || advice === code ? [] : [advice];
}
