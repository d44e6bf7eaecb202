// What `package.json` contributes, typed once. Free of `vscode`, so that a plain test can compare it with the manifest.

/** Every command of the manifest with its arguments; a test compares them with `package.json`. */
export interface CommandArguments {
  'faultline.runDemo': [];
  'faultline.connectServer': [target?: unknown];
  'faultline.connectAll': [];
  'faultline.disconnectServer': [target?: unknown];
  'faultline.restartServer': [target?: unknown];
  'faultline.setSecret': [];
  'faultline.signOut': [target?: unknown];
  'faultline.callTool': [target?: unknown];
  'faultline.readResource': [target?: unknown];
  'faultline.getPrompt': [target?: unknown];
  'faultline.replayWithBackoff': [target?: unknown];
  'faultline.editReplay': [target?: unknown];
  'faultline.replayFailed': [];
  'faultline.cancelReplay': [];
  'faultline.openTimeline': [target?: unknown];
  'faultline.openTimelineInEditor': [];
  'faultline.openTimelineAsText': [];
  'faultline.refreshText': [];
  'faultline.showFailures': [];
  'faultline.showInTimeline': [target?: unknown];
  'faultline.nextError': [];
  'faultline.previousError': [];
  'faultline.toggleLanes': [];
  'faultline.toggleCharts': [];
  'faultline.filterByTool': [target?: unknown];
  'faultline.filterByServer': [target?: unknown];
  'faultline.filterByOutcome': [target?: unknown];
  'faultline.filterTimeline': [];
  'faultline.copyExchange': [target?: unknown];
  'faultline.copyAs': [target?: unknown];
  'faultline.copyRaw': [target?: unknown];
  'faultline.copyAsCurl': [target?: unknown];
  'faultline.copyAsCall': [target?: unknown];
  'faultline.copyAsVitest': [target?: unknown];
  'faultline.copyAsPytest': [target?: unknown];
  'faultline.selectForCompare': [target?: unknown];
  'faultline.compareWithSelected': [target?: unknown];
  'faultline.compareWithReplay': [target?: unknown];
  'faultline.compareAsText': [target?: unknown];
  'faultline.openRequestDocument': [target?: unknown];
  'faultline.openResponseDocument': [target?: unknown];
  'faultline.clearTimeline': [];
  'faultline.showReport': [];
  'faultline.compareReport': [];
  'faultline.exportReport': [];
  'faultline.exportSession': [];
  'faultline.exportBugReport': [];
  'faultline.exportOtlp': [];
  'faultline.openSession': [];
  'faultline.deleteSessions': [];
  'faultline.saveAsSuite': [target?: unknown];
  'faultline.recordAgain': [item?: unknown];
  'faultline.serveMock': [plan?: unknown];
  'faultline.stopMock': [];
  'faultline.goToToolSource': [target?: unknown];
  'faultline.tapServer': [];
  'faultline.removeTap': [];
  'faultline.removeAllTaps': [];
  'faultline.offerTapped': [];
  'faultline.injectFaults': [request?: unknown];
  'faultline.stopFaults': [];
  'faultline.lintWorkspace': [];
  'faultline.fixAllSafe': [];
  'faultline.reportDebugInformation': [];
}

export type CommandId = keyof CommandArguments;

/** The commands at run time; leaving one out does not compile. */
export const COMMAND_IDS: { readonly [C in CommandId]: true } = {
  'faultline.runDemo': true,
  'faultline.connectServer': true,
  'faultline.connectAll': true,
  'faultline.disconnectServer': true,
  'faultline.restartServer': true,
  'faultline.setSecret': true,
  'faultline.signOut': true,
  'faultline.callTool': true,
  'faultline.readResource': true,
  'faultline.getPrompt': true,
  'faultline.replayWithBackoff': true,
  'faultline.editReplay': true,
  'faultline.replayFailed': true,
  'faultline.cancelReplay': true,
  'faultline.openTimeline': true,
  'faultline.openTimelineInEditor': true,
  'faultline.openTimelineAsText': true,
  'faultline.refreshText': true,
  'faultline.showFailures': true,
  'faultline.showInTimeline': true,
  'faultline.nextError': true,
  'faultline.previousError': true,
  'faultline.toggleLanes': true,
  'faultline.toggleCharts': true,
  'faultline.filterByTool': true,
  'faultline.filterByServer': true,
  'faultline.filterByOutcome': true,
  'faultline.filterTimeline': true,
  'faultline.copyExchange': true,
  'faultline.copyAs': true,
  'faultline.copyRaw': true,
  'faultline.copyAsCurl': true,
  'faultline.copyAsCall': true,
  'faultline.copyAsVitest': true,
  'faultline.copyAsPytest': true,
  'faultline.selectForCompare': true,
  'faultline.compareWithSelected': true,
  'faultline.compareWithReplay': true,
  'faultline.compareAsText': true,
  'faultline.openRequestDocument': true,
  'faultline.openResponseDocument': true,
  'faultline.clearTimeline': true,
  'faultline.showReport': true,
  'faultline.compareReport': true,
  'faultline.exportReport': true,
  'faultline.exportSession': true,
  'faultline.exportBugReport': true,
  'faultline.exportOtlp': true,
  'faultline.openSession': true,
  'faultline.deleteSessions': true,
  'faultline.saveAsSuite': true,
  'faultline.recordAgain': true,
  'faultline.serveMock': true,
  'faultline.stopMock': true,
  'faultline.goToToolSource': true,
  'faultline.tapServer': true,
  'faultline.removeTap': true,
  'faultline.removeAllTaps': true,
  'faultline.offerTapped': true,
  'faultline.injectFaults': true,
  'faultline.stopFaults': true,
  'faultline.lintWorkspace': true,
  'faultline.fixAllSafe': true,
  'faultline.reportDebugInformation': true,
};

/** The settings with their types; defaults stand in `package.json`. */
export interface Settings {
  servers: Readonly<Record<string, unknown>>;
  tools: Readonly<Record<string, unknown>>;
  discovery: Readonly<Record<string, unknown>>;
  watch: Readonly<Record<string, unknown>>;
  restartOnCrash: boolean;
  trustedServers: readonly string[];
  'signIn.redirect': 'auto' | 'editor' | 'loopback';
  'retry.maxAttempts': number;
  'retry.baseDelayMs': number;
  'retry.maxDelayMs': number;
  'retry.factor': number;
  'retry.jitter': number;
  'retry.maxRetryAfterMs': number;
  'retry.perServerPerMinute': number;
  'retry.breakerFailures': number;
  'retry.breakerOpenMs': number;
  'agent.loopLimit': number;
  'timeout.idleMs': number;
  'timeout.totalMs': number;
  'timeout.connectMs': number;
  'timeout.discoverMs': number;
  'log.maxSizeMb': number;
  'log.maxAgeDays': number;
  'redact.names': readonly string[];
  'redact.exceptNames': readonly string[];
  'redact.patterns': readonly string[];
  'otlp.enabled': boolean;
  'otlp.endpoint': string;
  'otlp.protocol': 'auto' | 'http/protobuf' | 'http/json' | 'grpc';
  'otlp.headers': Readonly<Record<string, unknown>>;
  'otlp.compression': 'auto' | 'gzip' | 'none';
  'otlp.timeoutMs': number;
  'otlp.certificate': string;
  'otlp.clientCertificate': string;
  'otlp.clientKey': string;
  'otlp.serviceName': string;
  'otlp.resourceAttributes': Readonly<Record<string, unknown>>;
  'otlp.taps': boolean;
  'otlp.content': boolean;
  'otlp.injectTraceparent': boolean;
  'tap.offerToAgent': readonly string[];
  'codeLens.enabled': boolean;
  'lint.enabled': boolean;
  'lint.confidence': 'high' | 'medium' | 'low';
}

/** The settings at run time; leaving one out does not compile. */
export const SETTING_NAMES: { readonly [S in keyof Settings]: true } = {
  servers: true,
  tools: true,
  discovery: true,
  watch: true,
  restartOnCrash: true,
  trustedServers: true,
  'signIn.redirect': true,
  'retry.maxAttempts': true,
  'retry.baseDelayMs': true,
  'retry.maxDelayMs': true,
  'retry.factor': true,
  'retry.jitter': true,
  'retry.maxRetryAfterMs': true,
  'retry.perServerPerMinute': true,
  'retry.breakerFailures': true,
  'retry.breakerOpenMs': true,
  'agent.loopLimit': true,
  'timeout.idleMs': true,
  'timeout.totalMs': true,
  'timeout.connectMs': true,
  'timeout.discoverMs': true,
  'log.maxSizeMb': true,
  'log.maxAgeDays': true,
  'redact.names': true,
  'redact.exceptNames': true,
  'redact.patterns': true,
  'otlp.enabled': true,
  'otlp.endpoint': true,
  'otlp.protocol': true,
  'otlp.headers': true,
  'otlp.compression': true,
  'otlp.timeoutMs': true,
  'otlp.certificate': true,
  'otlp.clientCertificate': true,
  'otlp.clientKey': true,
  'otlp.serviceName': true,
  'otlp.resourceAttributes': true,
  'otlp.taps': true,
  'otlp.content': true,
  'otlp.injectTraceparent': true,
  'tap.offerToAgent': true,
  'codeLens.enabled': true,
  'lint.enabled': true,
  'lint.confidence': true,
};

export type ContextKey =
  | 'faultline.isEmpty'
  | 'faultline.isReplaying'
  | 'faultline.hasCompareBase'
  | 'faultline.isMocking'
  | 'faultline.isInjecting';

/** Ids of the views and the editors, as in `package.json`. */
export const VIEWS = {
  timeline: 'faultline.timeline',
  servers: 'faultline.servers',
  findings: 'faultline.findings',
  editor: 'faultline.timelineEditor',
  session: 'faultline.session',
  report: 'faultline.report',
} as const;
