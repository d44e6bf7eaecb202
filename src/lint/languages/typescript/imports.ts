import type { ImportIr } from '../../ir.ts';
import { childOf, childOfType, type SyntaxNode } from '../../syntax.ts';
import { type LoweringContext, textOf } from '../lowering.ts';

/** `import` statements of the top level, and `require` calls bound by a declaration there. */
export function importsIn(root: SyntaxNode, context: LoweringContext): ImportIr[] {
  return root.children.flatMap((node) => {
    switch (node.type) {
      case 'import_statement':
        return importStatement(node, context);
      case 'lexical_declaration':
      case 'variable_declaration':
        return node.children.flatMap((declarator) => requireDeclarator(declarator, context));
      default:
        return [];
    }
  });
}

function importStatement(node: SyntaxNode, context: LoweringContext): ImportIr[] {
  const source = childOf(node, 'source');
  const clause = childOfType(node, 'import_clause');
  if (source === undefined || clause === undefined) {
    return [];
  }
  const module = quoted(source, context);
  const { start, end } = node;
  return clause.children.flatMap((child): ImportIr[] => {
    if (child.type === 'identifier') {
      return [{ start, end, module, name: 'default', local: textOf(context, child) }];
    }
    if (child.type === 'namespace_import') {
      const local = child.children[0];
      return local === undefined ? [] : [{ start, end, module, name: '*', local: textOf(context, local) }];
    }
    return child.children
      .filter((specifier) => specifier.type === 'import_specifier')
      .map((specifier) => {
        const name = childOf(specifier, 'name') ?? specifier;
        return {
          start,
          end,
          module,
          name: textOf(context, name),
          local: textOf(context, childOf(specifier, 'alias') ?? name),
        };
      });
  });
}

function requireDeclarator(node: SyntaxNode, context: LoweringContext): ImportIr[] {
  const value = childOf(node, 'value');
  const name = childOf(node, 'name');
  const callee = value?.type === 'call_expression' ? childOf(value, 'function') : undefined;
  const argument = value === undefined ? undefined : childOf(value, 'arguments')?.children[0];
  if (
    name === undefined ||
    callee === undefined ||
    argument?.type !== 'string' ||
    textOf(context, callee) !== 'require'
  ) {
    return [];
  }
  const module = quoted(argument, context);
  const { start, end } = node;
  if (name.type === 'identifier') {
    return [{ start, end, module, name: '*', local: textOf(context, name) }];
  }
  return name.children.flatMap((part): ImportIr[] => {
    if (part.type === 'shorthand_property_identifier_pattern') {
      return [{ start, end, module, name: textOf(context, part), local: textOf(context, part) }];
    }
    const key = childOf(part, 'key');
    const local = childOf(part, 'value');
    return key === undefined || local === undefined
      ? []
      : [{ start, end, module, name: textOf(context, key), local: textOf(context, local) }];
  });
}

const quoted = (node: SyntaxNode, context: LoweringContext) => context.source.text.slice(node.start + 1, node.end - 1);
