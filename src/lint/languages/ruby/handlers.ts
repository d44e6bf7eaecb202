import { type ClassIndex, type ModuleIndex, pathOf } from '../../flow/moduleIndex.ts';
import type { Program } from '../../flow/program.ts';
import type { Call, ClassIr } from '../../ir.ts';
import type { Registration, SdkFamily } from '../../model.ts';
import { calledName, type Discovered, Discovery } from '../discovery.ts';
import { constantText } from '../lowering.ts';
import { declaredAt, hintsAmong } from '../shared/registration.ts';

const MCP_TOOL = /^(?:::)?(?:MCP|ModelContextProtocol)::Tool$/;
const FAST_MCP_TOOL = /^(?:::)?(?:FastMcp::Tool|FastMCP::Tool|MCP::Tools?::Base|ActionTool::Base|ApplicationTool)$/;

/** Finds what a Ruby file registers with an MCP server: tool classes, and blocks of `define_tool`. */
export function discoverRuby(program: Program): readonly Discovered[] {
  const index = program.main;
  const discovery = new Discovery(program);
  for (const found of index.classes.values()) {
    const sdk = toolSdk(found, index);
    const call = sdk === undefined ? undefined : found.methods.get('call');
    if (sdk !== undefined && call !== undefined) {
      discovery.add(call, 'tool', declaredName(found.ir) ?? found.ir.name, sdk, 'registered', {
        registration: registrationOf(found.ir),
      });
    }
  }
  for (const { value: call, scope } of index.calls) {
    const name = calledName(call);
    const block = call.args.at(-1);
    if ((name === 'define_tool' || (name === 'define' && isToolClass(call))) && block?.kind === 'function') {
      for (const { ir } of discovery.functionsOf(block, scope)) {
        const registration = declaredAt(
          call.callee,
          hintsAmong(call.named, (key) => key === 'annotations'),
        );
        discovery.add(ir, 'tool', namedBy(call), 'ruby-mcp', 'registered', { registration });
      }
    }
  }
  return discovery.handlers;
}

const isToolClass = ({ callee }: Call) => callee.kind === 'member' && /(?:^|\.)Tool$/.test(pathOf(callee.object) ?? '');

function namedBy(call: Call): string | undefined {
  const given = call.named.find(({ key }) => key === 'name')?.value;
  return given === undefined ? undefined : constantText(given);
}

/** The SDK that a class's base belongs to; a base of the project's own is told by the results that the file makes. */
function toolSdk({ ir }: ClassIndex, index: ModuleIndex, depth = 0): SdkFamily | undefined {
  for (const base of depth > 3 ? [] : ir.bases) {
    if (MCP_TOOL.test(base)) {
      return 'ruby-mcp';
    }
    const own = index.classes.get(base);
    const inherited = own === undefined ? undefined : toolSdk(own, index, depth + 1);
    const isTool = own === undefined && /Tool(?:::Base)?$/.test(base);
    if (inherited !== undefined || (isTool && makesResponses(index))) {
      return inherited ?? 'ruby-mcp';
    }
    if (FAST_MCP_TOOL.test(base)) {
      return 'ruby-fast-mcp';
    }
  }
  return undefined;
}

const makesResponses = (index: ModuleIndex) =>
  index.calls.some(({ value }) => value.isNew && /(?:^|\.)Tool\.Response$/.test(pathOf(value.callee) ?? ''));

/** `tool_name "x"` in the body of the class. */
function declaredName(ir: ClassIr): string | undefined {
  const given = declared(ir, 'tool_name')?.args[0];
  return given === undefined ? undefined : constantText(given);
}

/** `annotations(read_only_hint: true)` in the body of the class; a base class of the project's own may have it too. */
function registrationOf(ir: ClassIr): Registration | undefined {
  const isDirect = ir.bases.every((base) => MCP_TOOL.test(base) || FAST_MCP_TOOL.test(base));
  return ir.nameSpan === undefined
    ? undefined
    : declaredAt(ir.nameSpan, declared(ir, 'annotations') === undefined ? (isDirect ? 'missing' : 'unknown') : 'given');
}

/** What a class says of itself by a call in its body. */
function declared({ body }: ClassIr, name: string): Call | undefined {
  return body
    .map((statement) => (statement.kind === 'expression' ? statement.value : undefined))
    .find((value): value is Call => value?.kind === 'call' && calledName(value) === name);
}
