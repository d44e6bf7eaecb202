import * as vscode from 'vscode';
import { POLICY_PRESETS, type PolicyPreset, presetPolicy } from '../../core/replay/replayPolicy.ts';
import type { ReplayPolicy } from '../../core/resilience/policy.ts';
import { retrySettings } from '../servers/serverService.ts';
import { editPolicy } from './policyEditor.ts';
import { keepHabit, policyOf, type ReplayHabit, readHabit } from './policyMemory.ts';
import { outcomesText, presetNames, previewText } from './policyWords.ts';

const { t } = vscode.l10n;

/** How calls are to be replayed. */
export interface ReplayPlan {
  readonly policy: ReplayPolicy;
  /** Over a connection of its own to a server that is started for it. */
  readonly isFresh: boolean;
}

interface PolicyQuestion {
  /** What is replayed. */
  readonly title: string;
  /** False where there is no running instance to leave alone. */
  readonly canBeFresh: boolean;
  readonly memory: vscode.Memento;
}

type Item = vscode.QuickPickItem & {
  readonly does?:
    | { readonly kind: 'replay'; readonly choice: PolicyPreset | 'own' }
    | { readonly kind: 'edit' }
    | { readonly kind: 'fresh' };
};

/**
 * Asks for the policy of a replay, each with the waits that it leads to. What was chosen last comes first, so that Enter
 * alone repeats it. `undefined` when the person thought better of it.
 */
export async function pickPolicy({ title, canBeFresh, memory }: PolicyQuestion): Promise<ReplayPlan | undefined> {
  let habit = readHabit(memory);
  for (;;) {
    const chosen = await askOnce(title, habit, canBeFresh, (isFresh) => {
      habit = { ...habit, isFresh };
    });
    if (chosen === undefined) {
      return undefined;
    }
    if (chosen === 'edit') {
      const edited = await editPolicy(title, policyOf(habit, retrySettings()));
      if (edited === 'cancelled') {
        return undefined;
      }
      if (edited === 'back') {
        continue;
      }
      habit = { ...habit, choice: 'own', own: edited };
    } else {
      habit = { ...habit, choice: chosen };
    }
    await keepHabit(memory, habit);
    return { policy: policyOf(habit, retrySettings()), isFresh: habit.isFresh && canBeFresh };
  }
}

function askOnce(
  title: string,
  habit: ReplayHabit,
  canBeFresh: boolean,
  onFresh: (isFresh: boolean) => void,
): Promise<PolicyPreset | 'own' | 'edit' | undefined> {
  const pick = vscode.window.createQuickPick<Item>();
  let { isFresh } = habit;
  pick.title = title;
  pick.placeholder = t('With which policy? Enter takes what was used last');
  pick.matchOnDescription = true;
  pick.ignoreFocusOut = true;
  // The first of them is what was used last, and Enter takes what is active.
  const fill = (active: NonNullable<Item['does']>['kind']) => {
    pick.items = itemsOf(habit, canBeFresh ? isFresh : undefined);
    pick.activeItems = pick.items.filter(({ does }) => does?.kind === active).slice(0, 1);
  };
  fill('replay');
  return new Promise((resolve) => {
    pick.onDidAccept(() => {
      const does = pick.activeItems[0]?.does;
      if (does?.kind === 'fresh') {
        isFresh = !isFresh;
        onFresh(isFresh);
        fill('fresh');
      } else if (does !== undefined) {
        resolve(does.kind === 'edit' ? 'edit' : does.choice);
        pick.hide();
      }
    });
    pick.onDidHide(() => {
      pick.dispose();
      resolve(undefined);
    });
    pick.show();
  });
}

function itemsOf({ choice, own }: ReplayHabit, isFresh: boolean | undefined): readonly Item[] {
  const settings = retrySettings();
  const item = (each: PolicyPreset | 'own', policy: ReplayPolicy): Item => ({
    label: each === 'own' ? t('Own Policy') : presetNames[each],
    description: [
      ...(each === choice ? [t('last used')] : []),
      policy.maxAttempts > 1 ? t('repeats {0}', outcomesText(policy.retryOn)) : '',
    ]
      .filter((text) => text !== '')
      .join(' · '),
    detail: previewText(policy),
    does: { kind: 'replay', choice: each },
  });
  const policies = [
    ...(own === undefined ? [] : [item('own', own)]),
    ...POLICY_PRESETS.map((preset) => item(preset, presetPolicy(preset, settings))),
  ];
  const isLast = ({ does }: Item) => does?.kind === 'replay' && does.choice === choice;
  return [
    ...policies.filter(isLast),
    ...policies.filter((each) => !isLast(each)),
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    {
      label: `$(edit) ${t('Edit Policy…')}`,
      detail: t('Attempts, waits, jitter, Retry-After, timeout, and the outcomes that are repeated'),
      does: { kind: 'edit' },
    },
    ...(isFresh === undefined
      ? []
      : [
          {
            label: `$(${isFresh ? 'check' : 'circle-large-outline'}) ${t('In a Fresh Instance')}`,
            description: isFresh ? t('on') : t('off'),
            detail: isFresh
              ? t('A server is started for this replay and stopped after it. Others are left alone.')
              : t('The server that is running is used, or started where it is not.'),
            does: { kind: 'fresh' as const },
          },
        ]),
  ];
}
