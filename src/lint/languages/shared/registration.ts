import type { Call, Entry, Span } from '../../ir.ts';
import type { Registration } from '../../model.ts';

/** How a tool is declared at `span`. What the declared types refuse is not read in these languages. */
export const declaredAt = (span: Span, annotations: Registration['annotations']): Registration => ({
  span: { start: span.start, end: span.end },
  annotations,
  parameters: [],
});

/** Whether one of the named arguments gives hints; what is spread among them may give some too. */
export const hintsAmong = (named: readonly Entry[], isHint: (key: string) => boolean): Registration['annotations'] =>
  named.some(({ key }) => key !== undefined && isHint(key))
    ? 'given'
    : named.some(({ key }) => key === undefined)
      ? 'unknown'
      : 'missing';

/** How an attribute declares a tool: it stands for itself. */
export const declaredBy = (attribute: Call, isHint: (key: string) => boolean): Registration =>
  declaredAt(attribute, hintsAmong(attribute.named, isHint));
