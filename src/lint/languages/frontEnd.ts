import type { LanguageFacts } from '../facts.ts';
import { csharpFixes } from '../fixes/csharp.ts';
import { goFixes } from '../fixes/go.ts';
import { javaFixes } from '../fixes/java.ts';
import { kotlinFixes } from '../fixes/kotlin.ts';
import { phpFixes } from '../fixes/php.ts';
import { pythonFixes } from '../fixes/python.ts';
import { rubyFixes } from '../fixes/ruby.ts';
import { rustFixes } from '../fixes/rust.ts';
import { typescriptFixes } from '../fixes/typescript.ts';
import type { Dialect } from '../flow/dialect.ts';
import type { Program } from '../flow/program.ts';
import type { FunctionIr, ModuleIr } from '../ir.ts';
import type { SdkFamily } from '../model.ts';
import type { Pacer } from '../pacer.ts';
import type { FixBuilder } from '../rules/rule.ts';
import type { SourceText, SyntaxNode } from '../syntax.ts';
import { csharpDialect } from './csharp/dialect.ts';
import { csharpFacts } from './csharp/facts.ts';
import { declaresPlainCSharp, discoverCSharp } from './csharp/handlers.ts';
import { lowerCSharp } from './csharp/statements.ts';
import type { Discovered } from './discovery.ts';
import { goDialect } from './go/dialect.ts';
import { goFacts } from './go/facts.ts';
import { discoverGo } from './go/handlers.ts';
import { lowerGo } from './go/statements.ts';
import { javaDialect } from './java/dialect.ts';
import { javaFacts } from './java/facts.ts';
import { declaresPlainJava, discoverJava } from './java/handlers.ts';
import { lowerJava } from './java/statements.ts';
import { kotlinDialect } from './kotlin/dialect.ts';
import { kotlinFacts } from './kotlin/facts.ts';
import { declaresPlainKotlin, discoverKotlin } from './kotlin/handlers.ts';
import { lowerKotlin } from './kotlin/statements.ts';
import { phpDialect } from './php/dialect.ts';
import { phpFacts } from './php/facts.ts';
import { declaresPlainPhp, discoverPhp } from './php/handlers.ts';
import { lowerPhp } from './php/statements.ts';
import { pythonDialect } from './python/dialect.ts';
import { pythonFacts } from './python/facts.ts';
import { declaresPlainPython, discoverPython } from './python/handlers.ts';
import { blankLongComments } from './python/longComments.ts';
import { lowerPython } from './python/statements.ts';
import { rubyDialect } from './ruby/dialect.ts';
import { rubyFacts } from './ruby/facts.ts';
import { discoverRuby } from './ruby/handlers.ts';
import { lowerRuby } from './ruby/statements.ts';
import { rustDialect } from './rust/dialect.ts';
import { rustFacts } from './rust/facts.ts';
import { declaresPlainRust, discoverRust } from './rust/handlers.ts';
import { lowerRust } from './rust/statements.ts';
import { typescriptDialect } from './typescript/dialect.ts';
import { typescriptFacts } from './typescript/facts.ts';
import { discoverTypeScript } from './typescript/handlers.ts';
import { lowerTypeScript } from './typescript/statements.ts';

export type LanguageId =
  | 'python'
  | 'typescript'
  | 'typescriptreact'
  | 'javascript'
  | 'javascriptreact'
  | 'go'
  | 'csharp'
  | 'java'
  | 'kotlin'
  | 'rust'
  | 'php'
  | 'ruby';

/** Languages whose syntax is lowered alike. */
export type Family = 'python' | 'typescript' | 'go' | 'csharp' | 'java' | 'kotlin' | 'rust' | 'php' | 'ruby';

/** Everything that the lint must know of one language. */
export interface FrontEnd {
  readonly family: Family;
  /** Name of the tree-sitter grammar. */
  readonly grammar: string;
  readonly dialect: Dialect;
  /** A text that the grammar reads in linear time, with the same offsets; without it the text as it stands. */
  readonly parsable?: (text: string) => string;
  lower(root: SyntaxNode, source: SourceText, pacer: Pacer): Promise<ModuleIr | undefined>;
  discover(program: Program): readonly Discovered[];
  /** Whether handlers of this SDK return content as it stands, which no value can mark as an error. */
  givesPlainValues(sdk: SdkFamily): boolean;
  /** Whether the declared result of a handler leaves no room for an error flag; without it none is taken to say so. */
  declaresPlainValues?(ir: FunctionIr): boolean;
  fixes(program: Program, source: SourceText): FixBuilder;
  /** What rules other than FL001 ask; without it they find what can be told of any language. */
  readonly facts?: LanguageFacts;
}

const python: FrontEnd = {
  family: 'python',
  grammar: 'python',
  dialect: pythonDialect,
  parsable: blankLongComments,
  lower: lowerPython,
  discover: discoverPython,
  givesPlainValues: (sdk) => sdk !== 'py-lowlevel-v1' && sdk !== 'py-lowlevel-v2',
  declaresPlainValues: declaresPlainPython,
  fixes: pythonFixes,
  facts: pythonFacts,
};

const typescript: FrontEnd = {
  family: 'typescript',
  grammar: 'typescript',
  dialect: typescriptDialect,
  lower: lowerTypeScript,
  discover: discoverTypeScript,
  givesPlainValues: (sdk) => sdk === 'ts-fastmcp' || sdk === 'ts-mcp-framework',
  fixes: typescriptFixes,
  facts: typescriptFacts,
};

const go: FrontEnd = {
  family: 'go',
  grammar: 'go',
  dialect: goDialect,
  facts: goFacts,
  lower: lowerGo,
  discover: discoverGo,
  givesPlainValues: () => false,
  fixes: goFixes,
};

const csharp: FrontEnd = {
  family: 'csharp',
  grammar: 'c-sharp',
  dialect: csharpDialect,
  facts: csharpFacts,
  lower: lowerCSharp,
  discover: discoverCSharp,
  givesPlainValues: () => false,
  declaresPlainValues: declaresPlainCSharp,
  fixes: csharpFixes,
};

const java: FrontEnd = {
  family: 'java',
  grammar: 'java',
  dialect: javaDialect,
  facts: javaFacts,
  lower: lowerJava,
  discover: discoverJava,
  givesPlainValues: (sdk) => sdk !== 'java-sdk',
  declaresPlainValues: declaresPlainJava,
  fixes: javaFixes,
};

const kotlin: FrontEnd = {
  family: 'kotlin',
  grammar: 'kotlin',
  dialect: kotlinDialect,
  facts: kotlinFacts,
  lower: lowerKotlin,
  discover: discoverKotlin,
  givesPlainValues: (sdk) => sdk !== 'kotlin-sdk' && sdk !== 'java-sdk',
  declaresPlainValues: declaresPlainKotlin,
  fixes: kotlinFixes,
};

const rust: FrontEnd = {
  family: 'rust',
  grammar: 'rust',
  dialect: rustDialect,
  facts: rustFacts,
  lower: lowerRust,
  discover: discoverRust,
  givesPlainValues: () => false,
  declaresPlainValues: declaresPlainRust,
  fixes: rustFixes,
};

const php: FrontEnd = {
  family: 'php',
  grammar: 'php',
  dialect: phpDialect,
  facts: phpFacts,
  lower: lowerPhp,
  discover: discoverPhp,
  givesPlainValues: (sdk) => sdk !== 'php-laravel',
  declaresPlainValues: declaresPlainPhp,
  fixes: phpFixes,
};

const ruby: FrontEnd = {
  family: 'ruby',
  grammar: 'ruby',
  dialect: rubyDialect,
  facts: rubyFacts,
  lower: lowerRuby,
  discover: discoverRuby,
  givesPlainValues: (sdk) => sdk === 'ruby-fast-mcp',
  fixes: rubyFixes,
};

/** JavaScript is parsed as TSX, of which it is a part. */
const tsx: FrontEnd = { ...typescript, grammar: 'tsx' };

export const frontEnds: Readonly<Record<LanguageId, FrontEnd>> = {
  python,
  typescript,
  typescriptreact: tsx,
  javascript: tsx,
  javascriptreact: tsx,
  go,
  csharp,
  java,
  kotlin,
  rust,
  php,
  ruby,
};
