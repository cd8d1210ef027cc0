/** Owns the params of process/start. */

import type { ProcessSpec } from '../../../protocol/exec';
import { INTERNAL_ERROR, INVALID_PARAMS, isObject, type JsonObject, RpcError } from '../../../protocol/jsonrpc';
import { type EnvironmentPolicy, environmentOf } from '../../environment';
import {
  fieldsOf,
  flag,
  millis,
  optionalFields,
  optionalFlag,
  optionalText,
  path,
  text,
  textMap,
  texts,
  word,
} from '../params';

/** `needsWriteId` whether writes to it have ids, by which one that is asked twice is known. */
export type Start = { processId: string; needsWriteId: boolean; spec: ProcessSpec };

/** `environment` is that of the executor, as far as a policy lets it be inherited. */
export type StartDeps = { environment: Record<string, string | undefined> };

/**
 * What to start. `env` stands alone, or on top of what the policy inherits.
 * Source: codex exec-server 0.142.0; `grace` is ours.
 */
export const readStart = ({ environment }: StartDeps, params: unknown): Start => {
  const fields = fieldsOf(params);
  const processId = text(fields, 'processId');
  const argv = texts(fields, 'argv');
  const cwd = path(fields, 'cwd');
  const own = textMap(fields, 'env');
  const tty = flag(fields, 'tty');
  const arg0 = optionalText(fields, 'arg0');
  const policy = optionalFields(fields, 'envPolicy');
  const grace = optionalFields(fields, 'grace');
  if (argv.length === 0) throw new RpcError(INVALID_PARAMS, 'argv must not be empty');
  if (argv[0] === '') throw new RpcError(INTERNAL_ERROR, 'missing program for pipe spawn');
  refuseSandbox(fields);
  const env = policy ? { ...environmentOf(environment, readPolicy(policy)), ...own } : own;
  return {
    processId,
    needsWriteId: !isOldClient(fields),
    spec: {
      argv,
      cwd,
      env,
      ...(arg0 !== undefined && { arg0 }),
      ...(tty && { tty }),
      ...(optionalFlag(fields, 'pipeStdin') && { stdin: 'pipe' as const }),
      ...(grace && { grace: { inputMs: millis(grace, 'inputMs'), termMs: millis(grace, 'termMs') } }),
    },
  };
};

/** Source: codex 0.130.0 names folders by plain paths and its writes have no ids; later clients send URIs, and ids. */
const isOldClient = (fields: JsonObject): boolean => text(fields, 'cwd').startsWith('/');

/** A restriction that cannot be kept is refused, not forgotten. */
export const refuseSandbox = (fields: JsonObject): void => {
  const sandbox = optionalFields(fields, 'sandbox');
  const type = isObject(sandbox?.permissions) ? sandbox.permissions.type : undefined;
  const isOpen = sandbox === undefined || type === 'disabled' || type === 'external';
  if (!isOpen || optionalFlag(fields, 'enforceManagedNetwork')) {
    throw new RpcError(INTERNAL_ERROR, 'sandboxed execution is not supported by this exec-server');
  }
};

const readPolicy = (fields: JsonObject): EnvironmentPolicy => ({
  inherit: word(fields, 'inherit', ['core', 'all', 'none']),
  ignoreDefaultExcludes: flag(fields, 'ignoreDefaultExcludes'),
  exclude: texts(fields, 'exclude'),
  set: textMap(fields, 'set'),
  includeOnly: texts(fields, 'includeOnly'),
});
