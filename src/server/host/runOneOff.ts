/** A single command that a client asks for. */
import { concatMap, defer, type Observable, throwError } from 'rxjs';
import { HostError, type OneOffCommand, type ProcessEnd } from '../../protocol/methods/host';
import type { HostDeps } from './hostDeps';
import { runToEnd } from './runToEnd';

/** Source: this program, the most that the end event of a command shows. */
const MAX_BYTES = 1_048_576;

/**
 * Runs a command in the sandbox of its settings; directly in the mode danger-full-access only, where the operator has not sealed the
 * sandbox. Errors with HostError where no sandbox works, with ConfigError where the settings are above the ceiling.
 */
export const runOneOff =
  ({ configure, tools }: HostDeps) =>
  ({ argv, timeoutMs, settings }: OneOffCommand): Observable<ProcessEnd> =>
    defer(() => {
      const config = configure(settings);
      const spec = { argv, cwd: config.cwd, env: tools.environmentOf(config.shellEnvironment) };
      const limits = { timeoutMs, maxBytes: MAX_BYTES };
      if (config.sandboxMode === 'danger-full-access' && !config.sealed) return runToEnd(tools.backend, limits)(spec);
      const sandbox = tools.openSandbox(config);
      return sandbox.ready$.pipe(
        concatMap((ready) =>
          ready.kind === 'ready'
            ? runToEnd(sandbox.asSet, limits)(spec)
            : throwError(() => new HostError(ready.remedy)),
        ),
      );
    });
