import type { FunctionFlow } from '../flow/functionFlow.ts';
import { pathOf } from '../flow/moduleIndex.ts';
import type { Expression } from '../ir.ts';
import type { Handler, ValuedExit } from '../model.ts';
import { findIn, reportOf } from './common.ts';
import { judge } from './evidence.ts';
import type { Report, Rule, RuleContext } from './rule.ts';

const messages = {
  trace: 'lint.leakedInternals.trace',
  driver: 'lint.leakedInternals.driver',
  body: 'lint.leakedInternals.body',
} as const;

/** FL004: the text of an error shows what is inside the server (docs/rules/FL004.md). */
export const leakedInternals: Rule = {
  meta: { code: 'FL004', name: 'leaked-internals', severity: 'warning' },
  messages,
  check(context) {
    const { model, facts, source } = context;
    const may = {
      showTrace: facts.traceWords?.test(source.text) ?? true,
      showBody: facts.bodyWords?.test(source.text) ?? true,
    };
    return [...model.outputs()].flatMap(([ir, handlers]) =>
      model.exitsOf(ir).flatMap((exit) => {
        const found = checkExit(exit, model.flowOf(ir), handlers, may, context);
        return found.length > 0 && isForDebugging(exit, context) ? [] : found;
      }),
    );
  },
};

/** What the words of a file leave possible: most files have neither, and need no search. */
interface Possible {
  readonly showTrace: boolean;
  readonly showBody: boolean;
}

function checkExit(
  valued: ValuedExit,
  flow: FunctionFlow,
  handlers: readonly Handler[],
  may: Possible,
  context: RuleContext,
): readonly Report[] {
  const { exit } = valued;
  const { site, value } = exit;
  if (site === undefined || value === undefined) {
    return [];
  }
  const { facts, source } = context;
  const isError = exit.kind === 'throw' || site.context.catchClause !== undefined || isFlagged(valued);
  const skip = (part: Expression) => part.kind === 'choice' && isDebug(part.condition, context);
  const isTrace = (part: Expression) => facts.isStackTrace(part) && (isError || isOfError(part));
  const trace = may.showTrace ? findIn(value, site, flow, isTrace, skip) : undefined;
  if (trace !== undefined) {
    const fixes = () => context.fixes.mend?.({ kind: 'stackTrace', trace, clause: site.context.catchClause }) ?? [];
    return [reportOf({ span: site.statement, message: messages.trace, confidence: 'high', handlers, fixes }, context)];
  }
  const driver = site.context.catchClause?.types.find((type) => DRIVERS.test(type));
  const caught = site.context.catchClause?.variable;
  if (driver !== undefined && caught !== undefined && findIn(value, site, flow, isNamed(caught)) !== undefined) {
    const args = { error: driver };
    return [
      reportOf({ span: site.statement, message: messages.driver, confidence: 'medium', handlers, args }, context),
    ];
  }
  // A body that is cut to a length was thought about.
  const isCut = (part: Expression) =>
    skip(part) ||
    (part.kind === 'call' && /\.(?:slice|substring|substr)$/.test(pathOf(part.callee) ?? '')) ||
    (source.text[part.end - 1] === ']' && /\[\s*:\s*\w+\s*\]$/.test(source.slice(part)));
  if (!may.showBody || findIn(value, site, flow, facts.isRawBody, isCut) === undefined) {
    return [];
  }
  const confidence =
    exit.kind === 'throw' || isFlagged(valued) ? 'medium' : isErrorText(valued, flow) ? 'low' : undefined;
  return confidence === undefined
    ? []
    : [reportOf({ span: site.statement, message: messages.body, confidence, handlers }, context)];
}

/** Errors that speak of tables, columns, hosts and statements. */
const DRIVERS =
  /^(?:(?:sqlite3|psycopg2?|pymysql|mysql|MySQLdb|pyodbc|asyncpg|aiomysql|cx_Oracle|oracledb|pymongo|redis|snowflake|clickhouse_driver|duckdb|sqlalchemy|sa|neo4j|elasticsearch)\..*(?:Error|Exception)|SQLAlchemyError|Neo4jError|OperationalError|ProgrammingError|IntegrityError|DatabaseError|PyMongoError|RedisError|MySQLError|PostgresError|DBAPIError|InterfaceError)$/;

const isNamed = (name: string) => (part: Expression) => part.kind === 'name' && part.name === name;

/** `err.stack`: of something that is called an error. */
const isOfError = (part: Expression) =>
  part.kind === 'call' ||
  (part.kind === 'member' &&
    /^(?:e|ex|err|error|exc|exception|cause)$|Error$/i.test(pathOf(part.object)?.split('.').at(-1) ?? ''));

const isFlagged = ({ value }: ValuedExit) =>
  value.some(({ shape }) => shape.kind === 'result' && shape.flag === 'true');

/** Whether an answer without a flag tells of a failure; a tool may well give a body back as its answer. */
const isErrorText = (valued: ValuedExit, flow: FunctionFlow) =>
  (judge(valued, { flow, givesPlainValues: true, declaresPlainValues: false }, undefined).own?.level ?? 0) >= 2;

function isForDebugging({ exit: { site } }: ValuedExit, context: RuleContext): boolean {
  return site?.context.guards.some(({ condition, isNegated }) => !isNegated && isDebug(condition, context)) === true;
}

const isDebug = (condition: Expression | undefined, { source }: RuleContext) =>
  condition !== undefined && /debug|verbose|development|include_?(?:stack|trace)/i.test(source.slice(condition));
