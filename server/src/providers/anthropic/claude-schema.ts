import { withNumbersOf } from '../../conversation/exact-numbers.ts';
import { isObject, type Json, textAt } from '../../conversation/json.ts';

/** Members of a schema that restrict values, and that structured outputs refuse. Source: Anthropic, "Structured outputs". */
const refused: ReadonlySet<string> = new Set([
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'patternProperties',
  'propertyNames',
  'contains',
  'if',
  'then',
  'else',
  'not',
]);

const formats: ReadonlySet<unknown> = new Set([
  'date-time',
  'time',
  'date',
  'duration',
  'email',
  'hostname',
  'uri',
  'ipv4',
  'ipv6',
  'uuid',
]);

const isRefused = (name: string, value: unknown): boolean =>
  refused.has(name) ||
  (name === 'format' && !formats.has(value)) ||
  (name === 'minItems' && value !== 0 && value !== 1);

/** Members whose values are schemas by name. */
const named: ReadonlySet<string> = new Set(['properties', '$defs', 'definitions']);

const within = (name: string, value: unknown): unknown => {
  if (named.has(name) && isObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, schema]) => [key, schemaOf(schema)]));
  if (name === 'items' || name === 'anyOf' || name === 'allOf') return schemaOf(value);
  return value;
};

const schemaOf = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(schemaOf);
  return isObject(schema) ? claudeSchema(schema) : schema;
};

/**
 * A schema that structured outputs take: restrictions that they refuse are moved into the description, as the vendor's
 * own libraries do, and objects are closed.
 */
export const claudeSchema = (schema: Json): Json => {
  const members = Object.entries(schema).map(([name, value]) => [name === 'oneOf' ? 'anyOf' : name, value] as const);
  const moved = members.filter(([name, value]) => isRefused(name, value));
  const kept = members.filter(([name, value]) => !isRefused(name, value));
  const restrictions = JSON.stringify(withNumbersOf(schema, Object.fromEntries(moved)));
  const description = [textAt(schema, 'description'), moved.length === 0 ? '' : restrictions].filter(
    (text) => text !== '',
  );
  return withNumbersOf(schema, {
    ...Object.fromEntries(kept.map(([name, value]) => [name, within(name, value)])),
    ...(description.length > 0 && { description: description.join('\n\n') }),
    ...((schema['type'] === 'object' || isObject(schema['properties'])) && { additionalProperties: false }),
  });
};
