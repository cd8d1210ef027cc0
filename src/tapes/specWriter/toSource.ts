/** Writes JSON values and messages as JavaScript source. */
import { isObject } from '../../protocol/jsonrpc/json';
import { toVisible } from '../../streams/text/visible';

/** The columns of a line of source. */
const WIDTH = 116;

/** A string literal of JavaScript, in single quotes unless double quotes avoid escapes. Invisible characters are escaped. */
export const toQuoted = (text: string): string => {
  const quoted = toVisible(JSON.stringify(text));
  if (text.includes("'") && !text.includes('"')) return quoted;
  return `'${quoted.slice(1, -1).replace(/\\"/g, '"').replace(/'/g, "\\'")}'`;
};

const toName = (name: string): string => {
  if (name === '__proto__') return "['__proto__']";
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : toQuoted(name);
};

/**
 * A JSON value as an expression, broken into lines that fit.
 * @param indent spaces before its first line
 * @param used characters of that line that are taken
 */
export const toSource = (value: unknown, indent: number, used = indent): string => {
  const flat = toFlat(value);
  if (used + flat.length <= WIDTH || !isHolder(value)) return flat;
  const inner = ' '.repeat(indent + 2);
  const lines = Array.isArray(value)
    ? value.map((one) => `${inner}${toSource(one, indent + 2)},`)
    : Object.entries(value).map(([name, one]) => {
        const start = `${inner}${toName(name)}: `;
        return `${start}${toSource(one, indent + 2, start.length)},`;
      });
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${lines.join('\n')}\n${' '.repeat(indent)}${close}`;
};

const isHolder = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0;

const toFlat = (value: unknown): string => {
  if (typeof value === 'string') return toQuoted(value);
  if (Array.isArray(value)) return `[${value.map(toFlat).join(', ')}]`;
  if (!isObject(value)) return String(value);
  const members = Object.entries(value).map(([name, one]) => `${toName(name)}: ${toFlat(one)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
};

const has = (value: object, ...names: string[]): boolean => toSorted(Object.keys(value)) === toSorted(names);
const toSorted = (names: string[]): string => [...names].sort().join();

type MessageSource = { text: string; builder?: string };

/** A message as a call of a function of `codex-rx/testing`, such as `request(…)`, if there is one for it; `builder` names the function. */
export const toMessageSource = (value: unknown, indent: number, used: number): MessageSource => {
  const call = (builder: string, texts: string[], last?: unknown): MessageSource => {
    const head = `${builder}(${[...texts, ''].join(', ')}`;
    if (last === undefined) return { builder, text: `${builder}(${texts.join(', ')})` };
    return { builder, text: `${head}${toSource(last, indent, used + head.length + 2)})` };
  };
  if (!isObject(value) || value.jsonrpc !== '2.0') return { text: toSource(value, indent, used) };
  const { id, method, params, result, error } = value;
  const [, letter] = typeof id === 'string' ? (/^<id of (.)>$/u.exec(id) ?? []) : [];
  const named = isHolderOrNone(params) && typeof method === 'string' ? toQuoted(method) : undefined;
  const members = params === undefined ? [] : ['params'];
  if (named && id === '<id>' && has(value, 'jsonrpc', 'id', 'method', ...members))
    return call('request', [named], params);
  if (named && has(value, 'jsonrpc', 'method', ...members)) return call('notification', [named], params);
  if (letter && has(value, 'jsonrpc', 'id', 'result')) return call('answer', [toQuoted(letter)], result);
  if (letter && isObject(error) && has(value, 'jsonrpc', 'id', 'error') && isPlainError(error)) {
    return call('refusal', [toQuoted(letter), String(error.code), toQuoted(error.message)], error.data);
  }
  return { text: toSource(value, indent, used) };
};

const isHolderOrNone = (value: unknown): boolean =>
  value === undefined || (typeof value === 'object' && value !== null);

const isPlainError = (error: Record<string, unknown>): error is { code: number; message: string; data?: unknown } =>
  typeof error.code === 'number' &&
  typeof error.message === 'string' &&
  (has(error, 'code', 'message') || has(error, 'code', 'message', 'data'));
