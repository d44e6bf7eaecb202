import * as vscode from 'vscode';
import { rangeText, readNumber } from '../../core/replay/policyText.ts';
import { POLICY_RANGES, type PolicyNumber, REPEATABLE_OUTCOMES } from '../../core/replay/replayPolicy.ts';
import type { ReplayPolicy } from '../../core/resilience/policy.ts';
import { retrySettings } from '../servers/serverService.ts';
import { outcomeNames } from '../timeline/pageStrings.ts';
import { longestText, numberNames, numberText, outcomesText, previewText } from './policyWords.ts';

const { t } = vscode.l10n;

type Item = vscode.QuickPickItem & { readonly does: 'replay' | 'outcomes' | PolicyNumber };

const FIELDS = Object.keys(POLICY_RANGES) as readonly PolicyNumber[];

/** Lets a person change a policy part by part, with what it leads to always in sight; gives it, or how it was left. */
export async function editPolicy(title: string, initial: ReplayPolicy): Promise<ReplayPolicy | 'back' | 'cancelled'> {
  let policy: ReplayPolicy = { retryAfterCapMs: retrySettings().retryAfterCapMs, ...initial };
  let active: Item['does'] = 'replay';
  for (;;) {
    const chosen = await askPart(title, policy, active);
    if (chosen === undefined || chosen === 'back') {
      return chosen ?? 'cancelled';
    }
    if (chosen === 'replay') {
      return policy;
    }
    active = chosen;
    policy =
      (chosen === 'outcomes' ? await askOutcomes(title, policy) : await askNumber(title, policy, chosen)) ?? policy;
  }
}

function askPart(
  title: string,
  policy: ReplayPolicy,
  active: Item['does'],
): Promise<Item['does'] | 'back' | undefined> {
  const pick = vscode.window.createQuickPick<Item>();
  pick.title = title;
  pick.placeholder = t('Choose what to change, or replay');
  pick.ignoreFocusOut = true;
  pick.buttons = [vscode.QuickInputButtons.Back];
  pick.items = [
    {
      label: `$(debug-rerun) ${t('Replay')}`,
      description: longestText(policy),
      detail: previewText(policy, true),
      does: 'replay',
    },
    ...FIELDS.map(
      (name): Item => ({
        label: numberNames[name].name,
        description: numberText(name, policy[name] ?? 0),
        detail: numberNames[name].about,
        does: name,
      }),
    ),
    {
      label: t('Repeated Outcomes'),
      description: outcomesText(policy.retryOn),
      detail: t('Every other outcome ends the replay'),
      does: 'outcomes',
    },
  ];
  pick.activeItems = pick.items.filter(({ does }) => does === active);
  return new Promise((resolve) => {
    pick.onDidTriggerButton(() => {
      resolve('back');
      pick.hide();
    });
    pick.onDidAccept(() => {
      resolve(pick.activeItems[0]?.does);
      pick.hide();
    });
    pick.onDidHide(() => {
      pick.dispose();
      resolve(undefined);
    });
    pick.show();
  });
}

/** Asks for one number; what it would lead to is told while it is typed. */
async function askNumber(title: string, policy: ReplayPolicy, name: PolicyNumber): Promise<ReplayPolicy | undefined> {
  const { name: label, about } = numberNames[name];
  const value = policy[name] ?? 0;
  const given = await vscode.window.showInputBox({
    title: `${title}: ${label}`,
    prompt: `${about} · ${previewText(policy, true)}`,
    value: name.endsWith('Ms') ? `${value} ms` : String(value),
    ignoreFocusOut: true,
    validateInput: (text) => {
      const number = readNumber(name, text);
      return number === undefined
        ? {
            message: t('It must be in the range {0}.', rangeText(name)),
            severity: vscode.InputBoxValidationSeverity.Error,
          }
        : {
            message: previewText({ ...policy, [name]: number }, true),
            severity: vscode.InputBoxValidationSeverity.Info,
          };
    },
  });
  const number = given === undefined ? undefined : readNumber(name, given);
  return number === undefined ? undefined : { ...policy, [name]: number };
}

async function askOutcomes(title: string, policy: ReplayPolicy): Promise<ReplayPolicy | undefined> {
  const chosen = await vscode.window.showQuickPick(
    REPEATABLE_OUTCOMES.map((kind) => ({
      label: outcomeNames[kind],
      picked: policy.retryOn.includes(kind),
      kind: vscode.QuickPickItemKind.Default,
      outcome: kind,
    })),
    {
      title,
      placeHolder: t('After which outcomes is the call sent again? Every other ends the replay.'),
      canPickMany: true,
      ignoreFocusOut: true,
    },
  );
  return chosen === undefined ? undefined : { ...policy, retryOn: chosen.map(({ outcome }) => outcome) };
}
