import * as vscode from 'vscode';

const { t } = vscode.l10n;

/** What reaches the model of a failure while a finding stands, by rule; for hovers. */
export const wireConsequences: Readonly<Record<string, string>> = {
  FL001: t(
    'On the wire this is a result without `isError`: the model takes the error text for the answer, and no client counts a failure.',
  ),
  FL002: t('On the wire this is an empty success: the model cannot tell “there is none” from “it failed”.'),
  FL003: t(
    'On the wire this is a JSON-RPC error, which most clients keep from the model: it cannot correct its arguments.',
  ),
  FL004: t(
    'On the wire this puts internals (paths, queries, stack frames) into the text that the model reads and may repeat.',
  ),
  FL005: t('On the wire every failure reads the same: the model has nothing to correct and tries again blindly.'),
  FL006: t('On the wire this is a plain success: what failed is missing from the answer, and nothing says so.'),
  FL007: t('The SDK refuses such arguments before the tool runs: this branch never reaches the wire.'),
  FL008: t('Over stdio this text stands between the messages: the client cannot parse it and may drop the connection.'),
  FL009: t('On the wire there is no answer at all until the client gives the call up.'),
  FL010: t(
    'Without annotations no client knows whether the call may be repeated after a timeout or a lost connection.',
  ),
  FL011: t('The error raised above is turned into ordinary text here: on the wire it is a success.'),
  FL012: t('This SDK does not treat it as an error of the tool: the model sees something else than was meant.'),
  FL013: t('On the wire the missing resource reads like one with this content: no client sees code -32002.'),
  FL014: t('The process ends in the middle of the call: the client sees a lost connection and the model no reason.'),
};
