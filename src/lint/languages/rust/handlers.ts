import type { ModuleIndex } from '../../flow/moduleIndex.ts';
import type { Program } from '../../flow/program.ts';
import type { Call, FunctionIr } from '../../ir.ts';
import type { SdkFamily } from '../../model.ts';
import { calledName, type Discovered, Discovery } from '../discovery.ts';
import { constantText } from '../lowering.ts';
import { declaredBy } from '../shared/registration.ts';

const CARRIES_RESULT = /\bCallToolResult\b|\bContent\b|\bJson\b/;

/** Finds what a Rust file registers with an MCP server: by rmcp's attributes, and the handler of all calls. */
export function discoverRust(program: Program): readonly Discovered[] {
  const index = program.main;
  const discovery = new Discovery(program);
  for (const { value: ir } of index.functions) {
    const tool = attribute(ir, 'tool');
    const prompt = attribute(ir, 'prompt');
    const isAll = ir.name === 'call_tool' || ir.name === 'handle_call_tool_request';
    if (tool !== undefined || prompt !== undefined) {
      const givesPlainValues = ir.returnType !== undefined && !CARRIES_RESULT.test(ir.returnType);
      const kind = tool === undefined ? 'prompt' : 'tool';
      const registration = tool === undefined ? undefined : declaredBy(tool, (key) => key === 'annotations');
      const name = nameIn(tool ?? prompt) ?? ir.name;
      discovery.add(ir, kind, name, family(ir), 'registered', { givesPlainValues, registration });
    } else if (isAll ? isServers(ir, index) : isShaped(ir)) {
      discovery.add(ir, 'tool', isAll ? undefined : ir.name, 'rust-rmcp', isAll ? 'registered' : 'shaped');
    }
  }
  return discovery.handlers;
}

/** Anything but a result of the SDK, or blocks that go into one. */
export const declaresPlainRust = ({ returnType }: FunctionIr): boolean =>
  returnType !== undefined && !CARRIES_RESULT.test(returnType);

/** Any other `call_tool` is a client's. */
const isServers = ({ owner }: FunctionIr, index: ModuleIndex) =>
  owner !== undefined && (index.classes.get(owner)?.ir.bases.some((base) => /ServerHandler/.test(base)) ?? false);

const isShaped = ({ name, returnType, parameters }: FunctionIr) =>
  /\bCallToolResult\b/.test(returnType ?? '') && parameters.length > 0 && !/^call_tool/.test(name ?? '');

/** An error that is no `ErrorData` is content: it becomes an error result. */
const family = ({ returnType }: FunctionIr): SdkFamily =>
  /^Result\s*</.test(returnType ?? '') &&
  !/\bErrorData\b|\bMcpError\b|,\s*(?:\w+::)*Error\s*>$|^Result<[^,]*>$/.test(returnType ?? '')
    ? 'rust-rmcp-content'
    : 'rust-rmcp';

const attribute = ({ decorators }: FunctionIr, name: string): Call | undefined =>
  decorators.find((it): it is Call => it.kind === 'call' && calledName(it) === name);

function nameIn(found: Call | undefined): string | undefined {
  const given = found?.named.find(({ key }) => key === 'name')?.value;
  return given === undefined ? undefined : constantText(given);
}
