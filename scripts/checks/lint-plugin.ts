import { importRule, type RuleContext } from './import-rule.ts';

/** The nodes of a syntax tree that are classes. */
interface ClassNode {
  readonly id: { readonly name: string } | null;
  readonly loc: { readonly start: { readonly line: number }; readonly end: { readonly line: number } };
}

const classMax = 100;

const createClassRule = (context: RuleContext) => {
  const check = (node: ClassNode): void => {
    const lines = node.loc.end.line - node.loc.start.line + 1;
    if (lines <= classMax) return;
    const name = node.id?.name ?? 'without a name';
    const message = `The class ${name} has ${lines} lines, more than ${classMax}: separate its responsibilities.`;
    context.report({ node, message });
  };
  return { ClassDeclaration: check, ClassExpression: check };
};

/** The rules of our own as a plugin of the linter. */
export default {
  meta: { name: 'weir' },
  rules: { imports: importRule, 'max-class-lines': { create: createClassRule } },
};
