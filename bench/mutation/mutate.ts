import { parseSync } from 'oxc-parser';

/** A change of one place of a source. */
export interface SourceMutant {
  readonly start: number;
  readonly end: number;
  readonly to: string;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [member: string]: unknown;
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

/** Each operator becomes its neighbour, where a mistake is easily made and hard to see. */
const operators: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '&&': '||',
  '||': '&&',
  '??': '&&',
  '+=': '-=',
  '-=': '+=',
  '??=': '=',
};

/** Nodes of types and imports are no code; these wrap code. */
const typedCode = ['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression', 'TSParameterProperty'];
const isCode = ({ type }: Node): boolean => !/^(TS|Import)/.test(type) || typedCode.includes(type);

const operatorMutant = (source: string, node: Node, left: Node, right: Node): SourceMutant | undefined => {
  const operator = String(node['operator']);
  const to = operators[operator];
  const start = source.indexOf(operator, left.end);
  return to === undefined || start < 0 || start >= right.start
    ? undefined
    : { start, end: start + operator.length, to };
};

const whole = ({ start, end }: Node, to: string): SourceMutant => ({ start, end, to });

/** Calls and assignments that are left out; declarations, `super` and logging stay. */
const isEffect = ({ type, expression }: Node): boolean =>
  type === 'ExpressionStatement' &&
  isNode(expression) &&
  ['CallExpression', 'AssignmentExpression', 'AwaitExpression', 'UpdateExpression', 'UnaryExpression'].includes(
    expression.type,
  );

const mutantsOf = (source: string, node: Node): readonly (SourceMutant | undefined)[] => {
  const { type, left, right, test, argument, callee, value } = node;
  const text = ({ start, end }: Node) => source.slice(start, end);
  if (isNode(left) && isNode(right) && 'operator' in node) return [operatorMutant(source, node, left, right)];
  if (type === 'IfStatement' && isNode(test)) return [whole(test, 'true'), whole(test, 'false')];
  if (type === 'ConditionalExpression' && isNode(test)) return [whole(test, `!(${text(test)})`)];
  if (type === 'UnaryExpression' && node['operator'] === '!' && isNode(argument)) return [whole(node, text(argument))];
  if (type === 'Literal' && typeof value === 'boolean') return [whole(node, String(!value))];
  if (type === 'CallExpression' && isNode(callee) && /^Math\.(min|max)$/.test(text(callee)))
    return [whole(callee, text(callee) === 'Math.min' ? 'Math.max' : 'Math.min')];
  if (isEffect(node)) return [whole(node, ';')];
  return [];
};

const children = (node: Node): readonly Node[] =>
  Object.values(node)
    .flat()
    .filter((child) => isNode(child));

/** The mutants of a source, in the order of their places. */
export const mutate = (file: string, source: string): readonly SourceMutant[] => {
  const found: SourceMutant[] = [];
  const visit = (node: Node) => {
    if (!isCode(node)) return;
    found.push(...mutantsOf(source, node).filter((mutant) => mutant !== undefined));
    for (const child of children(node)) visit(child);
  };
  const { program } = parseSync(file, source);
  const body: unknown = program.body;
  for (const statement of Array.isArray(body) ? body : []) if (isNode(statement)) visit(statement);
  return found.toSorted((one, other) => one.start - other.start || one.end - other.end);
};

export const apply = (source: string, { start, end, to }: SourceMutant): string =>
  source.slice(0, start) + to + source.slice(end);
