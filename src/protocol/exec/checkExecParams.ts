/** Checks the params of a client against a schema, in the words of the original's decoder. */
import * as z from 'zod/mini';
import { INVALID_PARAMS, RpcError } from '../jsonrpc/messages';

/** What a schema expects, by its name in zod. A number is always a u64 here. */
const EXPECTED: Record<string, string> = {
  string: 'a string',
  boolean: 'a boolean',
  number: 'u64',
  array: 'a sequence',
  object: 'a map',
  record: 'a map',
};

/** A value as the original shows it. */
const shown = (value: unknown): string => {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'sequence';
  if (typeof value === 'object') return 'map';
  if (typeof value === 'string') return `string ${JSON.stringify(value)}`;
  return `${typeof value === 'boolean' ? 'boolean' : 'number'} \`${value}\``;
};

const oneOf = (values: readonly unknown[]): string => {
  const known = values.map((value) => `\`${value}\``);
  return known.length > 2 ? `one of ${known.join(', ')}` : known.join(' or ');
};

/** The text of an issue; undefined leaves it to the check that raised it. */
const textOf: z.core.$ZodErrorMap = ({ code, input, path = [], expected, values }) => {
  const isMissing = input === undefined && path.length > 0;
  if (isMissing) return `missing field \`${String(path.at(-1))}\``;
  if (code === 'invalid_type') return `invalid type: ${shown(input)}, expected ${EXPECTED[String(expected)]}`;
  if (code !== 'invalid_value' || !Array.isArray(values)) return undefined;
  return typeof input === 'string'
    ? `unknown variant \`${input}\`, expected ${oneOf(values)}`
    : `invalid type: ${shown(input)}, expected a string`;
};

/** The params as the schema types them. Throws RpcError -32602 with the first fault. Source: codex exec-server 0.142.0, whose texts are serde's. */
export const checkExecParams = <S extends z.core.$ZodType>(schema: S, params: unknown): z.core.output<S> => {
  const parsed = z.safeParse(schema, params, { error: textOf });
  if (parsed.success) return parsed.data;
  throw new RpcError(INVALID_PARAMS, parsed.error.issues[0]?.message ?? 'invalid params');
};

/** Source: codex exec-server 0.142.0 and 0.169.0; process/closeStdin, process/acknowledge and fs/applyChanges, fs/settleChanges are ours. */
export const EXEC_METHODS = [
  ...['process/start', 'process/read', 'process/write', 'process/acknowledge'],
  ...['process/closeStdin', 'process/signal', 'process/terminate'],
  ...[
    'fs/readFile',
    'fs/writeFile',
    'fs/createDirectory',
    'fs/getMetadata',
    'fs/readDirectory',
    'fs/remove',
    'fs/copy',
  ],
  ...['fs/canonicalize', 'fs/open', 'fs/readBlock', 'fs/writeBlock', 'fs/close', 'fs/applyChanges', 'fs/settleChanges'],
  ...['http/request', 'environment/info', 'environment/status'],
] as const;

/** The name of one of them. */
export type ExecMethod = (typeof EXEC_METHODS)[number];
