import type { OutcomeKind } from '../../protocol/outcome.ts';
import type { ErrorTemplate } from '../../protocol/report.ts';
import type { AgentAct } from '../../protocol/reportTerms.ts';
import { errorTokens, type Token, templateText, WILDCARD } from './errorTokens.ts';

/** Templates of one tool; what comes beyond them is counted only. */
const MAX_TEMPLATES = 100;
const MAX_EXAMPLES = 3;
const MAX_EXAMPLE = 300;
const MAX_ROWS = 5;
/** The part of their tokens in which texts must agree to be of one template, as in Drain (He et al., ICWS 2017). */
const LIKENESS = 0.7;

/** A failure as the templates take it. */
export interface FailureText {
  /** Key of the call. */
  readonly key: number;
  readonly outcome: OutcomeKind;
  /** Secrets replaced. */
  readonly text: string;
  readonly us: number;
  readonly acts: ReadonlySet<AgentAct>;
}

interface Cluster {
  tokens: Token[];
  count: number;
  readonly outcomes: Partial<Record<OutcomeKind, number>>;
  firstUs: number;
  lastUs: number;
  firstRow: number;
  readonly newestRows: number[];
  readonly examples: string[];
  blindRetries: number;
  recoveries: number;
  giveUps: number;
}

/**
 * Gathers texts of failures into templates: those with as many tokens that begin alike and agree in most of them are one, and
 * what differs becomes a wildcard. The same texts in the same order give the same templates. Linear in the texts, bounded.
 */
export class ErrorTemplates {
  private readonly leaves = new Map<string, Cluster[]>();
  private readonly clusters: Cluster[] = [];
  /** Failures that found no room. */
  others = 0;

  add(failure: FailureText): void {
    const tokens = errorTokens(failure.text);
    const leaf = `${tokens.length} ${tokens[0]?.text ?? ''}`;
    const candidates = this.leaves.get(leaf) ?? [];
    let cluster = mostLike(candidates, tokens);
    if (cluster === undefined) {
      if (this.clusters.length >= MAX_TEMPLATES) {
        this.others += 1;
        return;
      }
      cluster = clusterOf(tokens, failure);
      this.clusters.push(cluster);
      candidates.push(cluster);
      this.leaves.set(leaf, candidates);
    } else {
      generalise(cluster.tokens, tokens);
    }
    take(cluster, failure);
  }

  /** The most frequent first, and of those as frequent the one that was seen first. */
  result(): readonly ErrorTemplate[] {
    return [...this.clusters]
      .sort((a, b) => b.count - a.count || a.firstRow - b.firstRow)
      .map(({ tokens, firstRow, newestRows, ...rest }) => ({
        ...rest,
        template: templateText(tokens),
        rows: [...new Set([firstRow, ...newestRows])],
      }));
  }
}

function clusterOf(tokens: readonly Token[], { key, us }: FailureText): Cluster {
  return {
    tokens: [...tokens],
    count: 0,
    outcomes: {},
    firstUs: us,
    lastUs: us,
    firstRow: key,
    newestRows: [],
    examples: [],
    blindRetries: 0,
    recoveries: 0,
    giveUps: 0,
  };
}

function mostLike(candidates: readonly Cluster[], tokens: readonly Token[]): Cluster | undefined {
  let best: Cluster | undefined;
  let bestLikeness = 0;
  for (const candidate of candidates) {
    const likeness = likenessOf(candidate.tokens, tokens);
    if (likeness >= LIKENESS && likeness > bestLikeness) {
      best = candidate;
      bestLikeness = likeness;
    }
  }
  return best;
}

/** The part of the words that are the same. Wildcards say nothing either way, unless there is nothing else. */
function likenessOf(template: readonly Token[], tokens: readonly Token[]): number {
  let words = 0;
  let same = 0;
  for (const [index, { text, isWild }] of template.entries()) {
    const other = tokens[index];
    if (isWild && other?.isWild === true) {
      continue;
    }
    words += 1;
    // What has become a wildcard once is half a match: enough to stay in a template, too little to hold one together.
    same += other?.text === text ? 1 : isWild ? 0.5 : 0;
  }
  return words === 0 ? 1 : same / words;
}

function generalise(template: Token[], tokens: readonly Token[]): void {
  for (const [index, token] of template.entries()) {
    if (!token.isWild && token.text !== tokens[index]?.text) {
      template[index] = { ...token, text: WILDCARD, isWild: true };
    }
  }
}

function take(cluster: Cluster, { key, outcome, text, us, acts }: FailureText): void {
  cluster.count += 1;
  cluster.outcomes[outcome] = (cluster.outcomes[outcome] ?? 0) + 1;
  cluster.firstUs = Math.min(cluster.firstUs, us);
  cluster.lastUs = Math.max(cluster.lastUs, us);
  cluster.firstRow = Math.min(cluster.firstRow, key);
  cluster.newestRows.push(key);
  if (cluster.newestRows.length >= MAX_ROWS) {
    cluster.newestRows.shift();
  }
  const example = text.length > MAX_EXAMPLE ? `${text.slice(0, MAX_EXAMPLE).toWellFormed()}…` : text;
  if (cluster.examples.length < MAX_EXAMPLES && !cluster.examples.includes(example)) {
    cluster.examples.push(example);
  }
  cluster.blindRetries += acts.has('blind_retry') ? 1 : 0;
  cluster.recoveries += acts.has('recovery') ? 1 : 0;
  cluster.giveUps += acts.has('give_up') ? 1 : 0;
}
