/** Finds what makes a JSON Schema invalid: what a validator would refuse to compile. Own code: a meta-schema needs a validator of its own. */
import { isObject } from '../../protocol/jsonrpc/json';
import { short } from './expecting';
import { firstFault } from './observed';

type Schema = Readonly<Record<string, unknown>>;

const TYPES = ['null', 'boolean', 'object', 'array', 'number', 'string', 'integer'];
const DIALECT = /^https?:\/\/json-schema\.org\/(?:draft-0[4-7]|draft\/(?:2019-09|2020-12))\/schema#?$/;
const SCHEMAS_BY_NAME = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];
const LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];
const SCHEMAS =
  'additionalProperties unevaluatedProperties unevaluatedItems additionalItems contains propertyNames not if then else'.split(
    ' ',
  );
const COUNTS = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'];
const NUMBERS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];
const TEXTS = ['title', 'description', 'format', '$comment', '$ref'];

/** Levels that are looked at; a schema that is deeper is nobody's. */
const MAX_DEPTH = 64;

/** What is wrong with a schema; undefined if nothing is. @param at where it is, for the text */
export const schemaFault = (schema: unknown, at: string, depth = 0): string | undefined => {
  if (typeof schema === 'boolean') return undefined;
  if (!isObject(schema)) return `${at} is no schema`;
  if (depth > MAX_DEPTH) return `${at} is too deep`;
  return ownFault(schema, at) ?? partFault(schema, at, depth);
};

const ownFault = (schema: Schema, at: string): string | undefined => {
  const wrong = (name: string): string => `${at}.${name} is ${short(schema[name])}`;
  const is = (names: readonly string[], fits: (value: unknown) => boolean): string | undefined => {
    const name = names.find((one) => one in schema && !fits(schema[one]));
    return name && wrong(name);
  };
  return (
    is(['$schema'], (value) => typeof value === 'string' && DIALECT.test(value)) ??
    is(['type'], isType) ??
    is(
      ['required'],
      (value) =>
        Array.isArray(value) && value.every((one) => typeof one === 'string') && new Set(value).size === value.length,
    ) ??
    is(['enum'], Array.isArray) ??
    is(COUNTS, (value) => Number.isInteger(value) && Number(value) >= 0) ??
    is(NUMBERS, (value) => typeof value === 'number' || typeof value === 'boolean') ??
    is(TEXTS, (value) => typeof value === 'string') ??
    is(['pattern'], isPattern)
  );
};

const isType = (type: unknown): boolean => {
  const types: unknown[] = Array.isArray(type) ? type : [type];
  return (
    types.length > 0 && new Set(types).size === types.length && types.every((one) => TYPES.includes(one as string))
  );
};

const isPattern = (pattern: unknown): boolean => {
  try {
    return typeof pattern === 'string' && new RegExp(pattern, 'u') instanceof RegExp;
  } catch {
    return false;
  }
};

const partFault = (schema: Schema, at: string, depth: number): string | undefined => {
  const inner = (part: unknown, place: string): string | undefined => schemaFault(part, `${at}.${place}`, depth + 1);
  const each = (name: string, parts: readonly (readonly [string, unknown])[]): string | undefined =>
    firstFault(parts, ([key, part]) => inner(part, `${name}.${key}`));
  return firstFault(Object.entries(schema), ([name, part]) => {
    if (SCHEMAS_BY_NAME.includes(name))
      return isObject(part) ? each(name, Object.entries(part)) : `${at}.${name} is no object`;
    if (LISTS.includes(name) || (name === 'items' && Array.isArray(part)))
      return Array.isArray(part) && part.length > 0
        ? each(name, Object.entries(part))
        : `${at}.${name} is no list with schemas`;
    return SCHEMAS.includes(name) || name === 'items' ? inner(part, name) : undefined;
  });
};
