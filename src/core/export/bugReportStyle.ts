/** The style of a bug report. The page's policy names its hash, so that no other style applies. */
export const bugReportStyle = `
:root { color-scheme: light dark; }
body { font: 14px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; }
h1 { font-size: 1.4rem; }
h2 { font-size: 1.1rem; margin-top: 2rem; }
h3 { font-size: 0.9rem; margin: 0.5rem 0 0.2rem; }
details { border: 1px solid #8886; border-radius: 4px; margin: 0.4rem 0; padding: 0.4rem 0.8rem; }
summary { cursor: pointer; overflow-wrap: anywhere; }
pre { background: #8881; margin: 0; max-height: 30rem; overflow: auto; padding: 0.6rem; white-space: pre-wrap; overflow-wrap: anywhere; }
b { border: 1px solid currentColor; border-radius: 3px; padding: 0 0.4em; }
.success { color: light-dark(#1e6b1e, #89d185); }
.partial, .tool_error, .timeout { color: light-dark(#7a4b00, #e5c07b); }
.silent_error { color: light-dark(#7a1f7a, #d9a0d6); }
.protocol_error, .transport_error, .invalid_response { color: light-dark(#a1260d, #ff8a80); }
.plain { font-weight: normal; }
`;
