/** Colours of a page that stands by itself, light or dark as the reader's system is. */
const PAGE_COLOURS = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#ffffff, #17191d);
  --raised: light-dark(#f6f7f9, #1f2228);
  --line: light-dark(#dfe2e7, #333841);
  --text: light-dark(#1f2328, #e2e4e9);
  --faint: light-dark(#5b626d, #9aa2ae);
  --link: light-dark(#0b61a4, #6cb6ff);
  --accent: light-dark(#0b61a4, #6cb6ff);
  --success: light-dark(#388a34, #6a9955);
  --partial: light-dark(#8a6100, #e5c07b);
  --tool-error: light-dark(#a85a00, #e8912d);
  --silent-error: light-dark(#8b3a8b, #c586c0);
  --protocol-error: light-dark(#c72e2e, #f14c4c);
  --transport-error: light-dark(#b3434f, #e06c75);
  --timeout: light-dark(#006ab1, #4fc1ff);
  --cancelled: light-dark(#6e7781, #8b949e);
  --input-required: light-dark(#1a5fb4, #3794ff);
  --invalid-response: light-dark(#a31515, #d16969);
  --font: system-ui, -apple-system, "Segoe UI", sans-serif;
  --mono: ui-monospace, "SF Mono", Menlo, Consolas, monospace;
  --size: 14px;
  --border: transparent;
}
`;

/** The same in an editor, by its theme: high contrast among them. */
const EDITOR_COLOURS = `
:root {
  --ground: var(--vscode-editor-background);
  --raised: var(--vscode-textCodeBlock-background, var(--vscode-editorWidget-background));
  --line: var(--vscode-contrastBorder, var(--vscode-panel-border, var(--vscode-editorWidget-border)));
  --text: var(--vscode-foreground);
  --faint: var(--vscode-descriptionForeground);
  --link: var(--vscode-textLink-foreground);
  --accent: var(--vscode-focusBorder);
  --success: var(--vscode-faultline-success);
  --partial: var(--vscode-faultline-partial);
  --tool-error: var(--vscode-faultline-toolError);
  --silent-error: var(--vscode-faultline-silentError);
  --protocol-error: var(--vscode-faultline-protocolError);
  --transport-error: var(--vscode-faultline-transportError);
  --timeout: var(--vscode-faultline-timeout);
  --cancelled: var(--vscode-faultline-cancelled);
  --input-required: var(--vscode-faultline-inputRequired);
  --invalid-response: var(--vscode-faultline-invalidResponse);
  --font: var(--vscode-font-family);
  --mono: var(--vscode-editor-font-family);
  --size: var(--vscode-font-size, 13px);
  --border: var(--vscode-contrastBorder, transparent);
}
`;

const LAYOUT = `
* { box-sizing: border-box; }
body { background: var(--ground); color: var(--text); font: var(--size)/1.5 var(--font); margin: 0 auto; max-width: 72rem; padding: 1.5rem 1.25rem 3rem; }
h1 { font-size: 1.6em; line-height: 1.25; margin: 0 0 .35rem; }
h2 { border-bottom: 1px solid var(--line); font-size: 1.2em; margin: 2.2rem 0 .8rem; padding-bottom: .3rem; }
h3 { font-size: 1em; margin: 0; }
h3 .faint { font-weight: normal; }
p { margin: .3rem 0; }
a { color: var(--link); text-decoration: none; }
a:hover { text-decoration: underline; }
a:focus-visible, summary:focus-visible { outline: 1px solid var(--accent); outline-offset: 2px; }
code { background: var(--raised); border: 1px solid var(--border); border-radius: 3px; font: .92em var(--mono); overflow-wrap: anywhere; padding: .05em .3em; white-space: pre-wrap; }
.faint { color: var(--faint); }
.small { font-size: .9em; }
.actions { display: flex; flex-wrap: wrap; gap: .5rem; margin: .8rem 0 0; }
.actions a { background: var(--vscode-button-secondaryBackground, var(--raised)); border: 1px solid var(--line); border-radius: 3px; color: var(--vscode-button-secondaryForeground, var(--text)); padding: .2rem .7rem; }
.tiles { display: grid; gap: .6rem; grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr)); margin: 1.2rem 0; }
.tile { background: var(--raised); border: 1px solid var(--line); border-radius: 6px; padding: .6rem .8rem; }
.tile b { display: block; font-size: 1.55em; font-weight: 600; line-height: 1.2; }
.time { display: block; height: 64px; width: 100%; }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1rem; list-style: none; margin: .4rem 0 0; padding: 0; }
.legend svg { vertical-align: baseline; }
.whole .bar { height: 14px; width: 100%; }
ol.fixes { counter-reset: fix; list-style: none; margin: 0; padding: 0; }
.fixes > li { border: 1px solid var(--line); border-radius: 6px; counter-increment: fix; display: grid; gap: 0 .9rem; grid-template-columns: 2rem 1fr; margin: .5rem 0; padding: .65rem .9rem .65rem .6rem; }
.fixes > li::before { color: var(--faint); content: counter(fix); font-size: 1.25em; font-weight: 600; grid-row: 1 / span 9; text-align: right; }
.fixes > li > * { grid-column: 2; min-width: 0; }
.meter { height: 4px; margin: .35rem 0 .25rem; max-width: 24rem; width: 100%; }
.meter .track { fill: var(--line); }
.meter .value { fill: var(--accent); }
.agents { display: grid; gap: .6rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 21rem), 1fr)); }
.card { border: 1px solid var(--line); border-radius: 6px; min-width: 0; padding: .7rem .9rem; }
.grade { border: 1px solid currentColor; border-radius: 1em; display: inline-block; font-size: .85em; padding: 0 .6em; }
.grade-struggles { color: var(--protocol-error); }
.grade-mixed { color: var(--partial); }
.grade-recovers, .grade-nothing-failed, .better { color: var(--success); }
.grade-too-few, .same, .too-few { color: var(--faint); }
.worse { color: var(--protocol-error); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid var(--line); padding: .3rem .8rem .3rem 0; text-align: left; vertical-align: top; }
th { color: var(--faint); font-size: .9em; font-weight: 600; white-space: nowrap; }
td.n, th.n { font-variant-numeric: tabular-nums; text-align: right; white-space: nowrap; }
td svg { vertical-align: middle; }
td.text { min-width: 16rem; }
td.name { white-space: nowrap; }
td.name code { white-space: nowrap; }
details { border: 1px solid var(--line); border-radius: 6px; margin: .5rem 0; padding: .5rem .9rem; }
details[open] { padding-bottom: .8rem; }
summary { cursor: pointer; overflow-wrap: anywhere; }
summary h3 { display: inline; }
.examples { margin: .25rem 0 0; padding-left: 1.1rem; }
ul.plain { margin: .3rem 0; padding-left: 1.1rem; }
.rows a, .rows span { font: .85em var(--mono); margin-right: .25em; white-space: nowrap; }
.passed { fill: var(--success); opacity: .55; }
.failed { fill: var(--protocol-error); }
.axis { stroke: var(--line); }
.range { stroke: var(--faint); stroke-width: 2; }
.p50 { fill: var(--text); }
.p95 { fill: var(--ground); stroke: var(--text); }
.o-success { fill: var(--success); }
.o-partial { fill: var(--partial); }
.o-tool_error { fill: var(--tool-error); }
.o-silent_error { fill: var(--silent-error); }
.o-protocol_error { fill: var(--protocol-error); }
.o-transport_error { fill: var(--transport-error); }
.o-timeout { fill: var(--timeout); }
.o-cancelled, .o-pending, .o-task_pending { fill: var(--cancelled); }
.o-input_required { fill: var(--input-required); }
.o-invalid_response { fill: var(--invalid-response); }
footer { border-top: 1px solid var(--line); margin-top: 2.5rem; padding-top: .6rem; }
@media (max-width: 34rem) {
  body { padding: 1rem .8rem 2rem; }
  .fixes > li { gap: 0 .6rem; grid-template-columns: 1.4rem 1fr; }
  .stack thead { display: none; }
  .stack table, .stack tbody, .stack tr, .stack td { display: block; min-width: 0; padding: .1rem 0; text-align: left; white-space: normal; }
  .stack td { border: 0; }
  .stack td:empty { display: none; }
  .stack td.n { font-weight: 600; }
  .stack tr { border-bottom: 1px solid var(--line); padding: .5rem 0; }
}
@media print { details:not([open]) > :not(summary) { display: none; } body { max-width: none; } }
`;

/** The page's only style. `editor`: in a webview, by the theme of the editor. */
export function reportStyle(place: 'page' | 'editor'): string {
  return `${place === 'page' ? PAGE_COLOURS : EDITOR_COLOURS}${LAYOUT}`;
}
