import * as vscode from 'vscode';
import type { CopyFormatName, DetailsStrings } from '../../protocol/details.ts';

const { t } = vscode.l10n;

/** The forms in which an exchange is copied, as menus name them. */
export const formatNames: Readonly<Record<CopyFormatName, string>> = {
  json: t('JSON'),
  raw: t('Raw Messages'),
  curl: t('curl Command'),
  call: t('faultline call Command'),
  vitest: t('vitest Test'),
  pytest: t('pytest Test'),
};

/** Every sentence of the details pane that is not about one exchange. */
export const detailsStrings: DetailsStrings = {
  http: t('HTTP'),
  compare: t('Changes'),
  noResponse: t('There is no answer.'),
  tree: t('Tree'),
  raw: t('Raw'),
  view: t('How the message is shown'),
  showAll: t('Show all'),
  decoded: t('JSON in a text'),
  more: t('{count} more'),
  copyValue: t('Copy value'),
  copyPointer: t('Copy JSON pointer'),
  showPlace: t('Show in the message'),
  showImage: t('Show image'),
  hideImage: t('Hide image'),
  copyAs: t('Copy as'),
  moreActions: t('More actions'),
  editReplay: t('Edit and Replay…'),
  selectForCompare: t('Select for Compare'),
  compareWithSelected: t('Compare with Selected'),
  openRequest: t('Open Request as Document'),
  openResponse: t('Open Response as Document'),
  openTextDiff: t('Open as Text Diff'),
  ignoreVolatile: t('Ignore times, ids and durations ({count})'),
  comparedWith: t('Compared with'),
  requestHeaders: t('Request headers'),
  responseHeaders: t('Response headers'),
  body: t('Body'),
  waited: t('after {delay}'),
  formats: formatNames,
};
