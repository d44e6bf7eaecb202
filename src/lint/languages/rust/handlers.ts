import type { Program } from '../../flow/program.ts';
import type { Expression, FunctionIr } from '../../ir.ts';
import { calledName, type Discovered, Discovery } from '../discovery.ts';
import { constantText } from '../lowering.ts';

const CARRIES_RESULT = /\bCallToolResult\b|\bContent\b|\bJson\b/;

/** Finds what a Rust file registers with an MCP server: by rmcp's attributes, and the handler of all calls. */
export function discoverRust(program: Program): readonly Discovered[] {
  const index = program.main;
  const discovery = new Discovery(program);
  for (const { value: ir } of index.functions) {
    const tool = attribute(ir, 'tool');
    const prompt = attribute(ir, 'prompt');
    if (tool !== undefined || prompt !== undefined) {
      const givesPlainValues = ir.returnType !== undefined && !CARRIES_RESULT.test(ir.returnType);
      const kind = tool === undefined ? 'prompt' : 'tool';
      discovery.add(ir, kind, nameIn(tool ?? prompt) ?? ir.name, 'rust-rmcp', 'registered', { givesPlainValues });
    } else if (/\bCallToolResult\b/.test(ir.returnType ?? '') && ir.parameters.length > 0) {
      const isAll = ir.name === 'call_tool' || ir.name === 'handle_call_tool_request';
      discovery.add(ir, 'tool', isAll ? undefined : ir.name, 'rust-rmcp', isAll ? 'registered' : 'shaped');
    }
  }
  return discovery.handlers;
}

const attribute = ({ decorators }: FunctionIr, name: string): Expression | undefined =>
  decorators.find((it) => it.kind === 'call' && calledName(it) === name);

function nameIn(found: Expression | undefined): string | undefined {
  const given = found?.kind === 'call' ? found.named.find(({ key }) => key === 'name')?.value : undefined;
  return given === undefined ? undefined : constantText(given);
}
