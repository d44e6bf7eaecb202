import type { Report, ReportSource } from '../../protocol/report.ts';

/** A tool of a server by their names. */
export interface ToolName {
  readonly server: string;
  readonly tool: string;
}

/** The tools that failed silently: where they do so is in their source, which a report does not know. */
export function silentTools({ tools }: Report): readonly ToolName[] {
  return tools.filter(({ silent }) => silent !== undefined).map(({ server, tool }) => ({ server, tool }));
}

/** The report with the place in the source of each tool that failed silently, where `sourceOf` knows one. */
export function withSources(report: Report, sourceOf: (name: ToolName) => ReportSource | undefined): Report {
  return {
    ...report,
    tools: report.tools.map((tool) => {
      const source = tool.silent === undefined ? undefined : sourceOf(tool);
      return tool.silent === undefined || source === undefined ? tool : { ...tool, silent: { ...tool.silent, source } };
    }),
    fixFirst: report.fixFirst.map((fix) => {
      const source = fix.problem === 'silent_errors' ? sourceOf(fix) : undefined;
      return source === undefined ? fix : { ...fix, source };
    }),
  };
}
