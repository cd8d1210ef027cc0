/** Which methods the clients of an exec-server may call. */
import { throwError } from 'rxjs';
import { EXEC_METHODS } from '../../protocol/exec/checkExecParams';
import { INVALID_REQUEST, RpcError } from '../../protocol/jsonrpc/messages';
import type { Method } from './method';

/** Names of methods, or prefixes followed by `*`, such as `fs/*`. */
export type MethodLimits = {
  /** Only these methods are allowed, besides `environment/*`, which every client needs. Empty: all. */
  allow: readonly string[];
  /** These methods are refused. */
  deny: readonly string[];
  /** The network of the sandbox that all processes have. */
  network: 'open' | 'closed';
};

/** The methods; a method that is not allowed throws RpcError, which names the flag. */
export const limitMethods =
  (limits: MethodLimits) =>
  (methods: Record<string, Method>): Record<string, Method> =>
    Object.fromEntries(
      Object.entries(methods).map(([name, method]) => {
        const why = refusalOf(limits, name);
        return [name, why === undefined ? method : refuse(`${name} is not allowed by this exec-server: ${why}`)];
      }),
    );

const refuse =
  (message: string): Method =>
  () =>
    throwError(() => new RpcError(INVALID_REQUEST, message));

const refusalOf = ({ allow, deny, network }: MethodLimits, name: string): string | undefined => {
  const fits = isNamedBy(name);
  const denied = deny.find(fits) ?? deny.find(isNamedBy(PART_OF[name] ?? name));
  if (denied !== undefined) return `it was started with --deny-method ${denied}`;
  if (allow.length > 0 && !allow.some(fits) && !name.startsWith('environment/')) {
    return `it was started with ${allow.map((one) => `--allow-method ${one}`).join(' ')}`;
  }
  if (network === 'closed' && name.startsWith('http/')) {
    return 'its sandbox has no network; --allow-network opens it';
  }
  return undefined;
};

/** fs/settleChanges finishes a patch, and renames files by the journal of the client. If patches are denied, so is this method. */
const PART_OF: Readonly<Record<string, string>> = { 'fs/settleChanges': 'fs/applyChanges' };

const isNamedBy =
  (name: string) =>
  (pattern: string): boolean =>
    pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;

/** The patterns that fit no method of an exec-server. */
export const unknownMethods = (patterns: readonly string[]): string[] =>
  patterns.filter((pattern) => !EXEC_METHODS.some((name) => isNamedBy(name)(pattern)));
