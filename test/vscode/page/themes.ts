import { readFileSync } from 'node:fs';
import path from 'node:path';

export const THEMES = ['dark', 'light', 'hc-dark', 'hc-light'] as const;

export type Theme = (typeof THEMES)[number];

/** The class that VS Code puts on the body, and the field of a contributed colour's defaults. */
const KINDS = {
  dark: { body: 'vscode-dark', field: 'dark' },
  light: { body: 'vscode-light', field: 'light' },
  'hc-dark': { body: 'vscode-high-contrast', field: 'highContrast' },
  'hc-light': { body: 'vscode-high-contrast-light vscode-high-contrast', field: 'highContrastLight' },
} as const;

/** The variables that the page uses, with the values of Dark Modern, Light Modern and the two high contrast themes. */
const VALUES: Readonly<Record<string, readonly [dark: string, light: string, hcDark: string, hcLight: string]>> = {
  'editor-background': ['#1f1f1f', '#ffffff', '#000000', '#ffffff'],
  'sideBar-background': ['#181818', '#f8f8f8', '#000000', '#ffffff'],
  foreground: ['#cccccc', '#3b3b3b', '#ffffff', '#292929'],
  descriptionForeground: ['#9d9d9d', '#3b3b3b', '#ffffff', '#292929'],
  disabledForeground: ['rgba(204,204,204,0.5)', 'rgba(97,97,97,0.5)', '#a5a5a5', '#7f7f7f'],
  errorForeground: ['#f85149', '#f85149', '#f48771', '#b5200d'],
  'editorWarning-foreground': ['#cca700', '#bf8803', '#ffd370', '#895503'],
  'panel-border': ['#2b2b2b', '#e5e5e5', '#6fc3df', '#0f4a85'],
  'sideBarSectionHeader-border': ['#2b2b2b', '#e5e5e5', '', ''],
  contrastBorder: ['', '', '#6fc3df', '#0f4a85'],
  contrastActiveBorder: ['', '', '#f38518', '#006bbd'],
  focusBorder: ['#0078d4', '#005fb8', '#f38518', '#006bbd'],
  'list-hoverBackground': ['#2a2d2e', '#f2f2f2', 'rgba(255,255,255,0.1)', 'rgba(15,74,133,0.1)'],
  'list-activeSelectionBackground': ['#04395e', '#e8e8e8', '', 'rgba(15,74,133,0.1)'],
  'list-activeSelectionForeground': ['#ffffff', '#000000', '', ''],
  'list-inactiveSelectionBackground': ['#37373d', '#e4e6f1', '', 'rgba(15,74,133,0.1)'],
  'list-focusOutline': ['#0078d4', '#005fb8', '#f38518', '#006bbd'],
  'button-background': ['#0078d4', '#005fb8', '#000000', '#0f4a85'],
  'button-foreground': ['#ffffff', '#ffffff', '#ffffff', '#ffffff'],
  'button-hoverBackground': ['#026ec1', '#0258a8', '#000000', '#0f4a85'],
  'button-secondaryBackground': ['#313131', '#e5e5e5', '#000000', '#ffffff'],
  'button-secondaryForeground': ['#cccccc', '#3b3b3b', '#ffffff', '#292929'],
  'button-secondaryHoverBackground': ['#3c3c3c', '#cccccc', '#000000', '#ffffff'],
  'button-border': ['rgba(255,255,255,0.07)', 'rgba(0,0,0,0.1)', '#6fc3df', '#0f4a85'],
  'input-background': ['#313131', '#ffffff', '#000000', '#ffffff'],
  'input-foreground': ['#cccccc', '#3b3b3b', '#ffffff', '#292929'],
  'input-border': ['#3c3c3c', '#cecece', '#6fc3df', '#0f4a85'],
  'input-placeholderForeground': ['#989898', '#767676', 'rgba(255,255,255,0.7)', '#292929'],
  'inputOption-activeBackground': ['#2489db82', '#bed6ed', 'rgba(0,0,0,0)', 'rgba(0,0,0,0)'],
  'inputOption-activeBorder': ['#2488db', '#005fb8', '#6fc3df', '#0f4a85'],
  'inputOption-activeForeground': ['#ffffff', '#000000', '#ffffff', '#292929'],
  'inputValidation-errorBorder': ['#be1100', '#be1100', '#6fc3df', '#0f4a85'],
  'toolbar-hoverBackground': ['rgba(90,93,94,0.31)', 'rgba(184,184,184,0.31)', '', ''],
  'textLink-foreground': ['#4daafc', '#005fb8', '#21a6ff', '#0f4a85'],
  'textLink-activeForeground': ['#4daafc', '#005fb8', '#21a6ff', '#0f4a85'],
  'textCodeBlock-background': ['#2b2b2b', '#f8f8f8', '#000000', '#f2f2f2'],
  'panelTitle-activeForeground': ['#cccccc', '#3b3b3b', '#ffffff', '#292929'],
  'panelTitle-inactiveForeground': ['#9d9d9d', '#3b3b3b', '#ffffff', '#292929'],
  'panelTitle-activeBorder': ['#0078d4', '#005fb8', '#6fc3df', '#b5200d'],
  'sash-hoverBorder': ['#0078d4', '#005fb8', '#f38518', '#006bbd'],
};

const COMMON = {
  'font-family': 'system-ui, "Segoe UI", "Liberation Sans", "DejaVu Sans", sans-serif',
  'font-size': '13px',
  'editor-font-family': '"Droid Sans Mono", "DejaVu Sans Mono", monospace',
};

interface ContributedColor {
  readonly id: string;
  readonly defaults: Readonly<Record<string, string>>;
}

function contributedColors(): readonly ContributedColor[] {
  const file = path.resolve(import.meta.dirname, '../../../package.json');
  const manifest: { contributes?: { colors?: readonly ContributedColor[] } } = JSON.parse(readFileSync(file, 'utf8'));
  return manifest.contributes?.colors ?? [];
}

/** Class of the body under a theme. */
export function bodyClass(theme: Theme): string {
  return KINDS[theme].body;
}

/** A style sheet with the variables that VS Code would set, the contributed ones from package.json. */
export function themeCss(theme: Theme): string {
  const place = THEMES.indexOf(theme);
  const values = Object.entries(VALUES).map(([name, of]) => [name, of[place] ?? '']);
  const contributed = contributedColors().map(({ id, defaults }) => [
    id.replaceAll('.', '-'),
    defaults[KINDS[theme].field] ?? '',
  ]);
  const lines = [...Object.entries(COMMON), ...values, ...contributed]
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `--vscode-${name}: ${value};`);
  return `:root { ${lines.join(' ')} color-scheme: ${theme.endsWith('light') ? 'light' : 'dark'}; }`;
}
