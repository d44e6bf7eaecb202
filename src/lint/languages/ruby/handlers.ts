import { type ClassIndex, type ModuleIndex, pathOf } from '../../flow/moduleIndex.ts';
import type { Program } from '../../flow/program.ts';
import type { Call } from '../../ir.ts';
import type { SdkFamily } from '../../model.ts';
import { calledName, type Discovered, Discovery } from '../discovery.ts';
import { constantText } from '../lowering.ts';

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
      discovery.add(call, 'tool', declaredName(found) ?? found.ir.name, sdk);
    }
  }
  for (const { value: call, scope } of index.calls) {
    const name = calledName(call);
    const block = call.args.at(-1);
    if ((name === 'define_tool' || (name === 'define' && isToolClass(call))) && block?.kind === 'function') {
      for (const { ir } of discovery.functionsOf(block, scope)) {
        discovery.add(ir, 'tool', namedBy(call), 'ruby-mcp');
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
function declaredName({ ir }: ClassIndex): string | undefined {
  for (const statement of ir.body) {
    const call = statement.kind === 'expression' && statement.value.kind === 'call' ? statement.value : undefined;
    const given = call !== undefined && calledName(call) === 'tool_name' ? call.args[0] : undefined;
    if (given !== undefined) {
      return constantText(given);
    }
  }
  return undefined;
}
