/** The params of process/start as a program to start. */
import type * as z from 'zod/mini';
import type { StartParams } from '../../../protocol/exec/params';
import type { ProcessSpec } from '../../../protocol/exec/process';
import { INTERNAL_ERROR, INVALID_PARAMS, RpcError } from '../../../protocol/jsonrpc/messages';
import { environmentOf } from '../../environment';
import type { Permissions } from '../../sandbox/permissions';
import { toPath } from '../../toPath';
import { toWaitMs } from '../members';
import { toPermissions } from '../toPermissions';

/**
 * @param needsWriteId whether its writes must have ids, so that a repeated write is recognised
 * @param permissions undefined where the client restricts nothing
 */
export type Start = {
  processId: string;
  needsWriteId: boolean;
  spec: ProcessSpec;
  permissions: Permissions | undefined;
};

/** @param environment of the executor, which a policy may let a process inherit */
export type StartDeps = { environment: Record<string, string | undefined> };

type Params = z.output<ReturnType<typeof StartParams>>;

/** Throws RpcError. `env` stands alone, or on top of what the policy inherits. Source: codex exec-server 0.142.0; `grace` and `holdOutput` are ours. */
export const toStart = ({ environment }: StartDeps, params: Params): Start => {
  const { processId, argv, env, tty, arg0, envPolicy, grace, pipeStdin, holdOutput } = params;
  const cwd = toPath(params.cwd, 'cwd');
  if (argv.length === 0) throw new RpcError(INVALID_PARAMS, 'argv must not be empty');
  if (argv[0] === '') throw new RpcError(INTERNAL_ERROR, 'missing program for pipe spawn');
  const permissions = toPermissions({ tmpdir: environment.TMPDIR }, params);
  return {
    processId,
    permissions,
    needsWriteId: !isOldClient(params),
    spec: {
      argv,
      cwd,
      env: envPolicy ? { ...environmentOf(environment, envPolicy), ...env } : env,
      ...(typeof arg0 === 'string' && { arg0 }),
      ...(tty && { tty }),
      ...(pipeStdin && { stdin: 'pipe' as const }),
      ...(holdOutput && { holdOutput }),
      ...(grace && { grace: { inputMs: toWaitMs(grace.inputMs), termMs: toWaitMs(grace.termMs) } }),
    },
  };
};

/** Source: codex 0.130.0 names folders by plain paths and its writes have no ids; later clients send URIs, and ids. */
const isOldClient = ({ cwd }: Params): boolean => cwd.startsWith('/');
