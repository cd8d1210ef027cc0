/** What an app-server reports about a configuration that it cannot use. */
import { map, mergeMap, type OperatorFunction, pipe } from 'rxjs';
import { ConfigWarningParams, read } from '../shapes';
import type { ServerMessage } from './serverMessage';

/** Other warnings are about single keys, which the server ignores. */
const BROKEN = /invalid configuration/i;

/**
 * Emits the place and the reason of each fault, such as `/home/a/.codex/config.toml:7:12: …`.
 *   in   -w-f--     (w another warning, f the configuration is invalid)
 *   out  ---F--
 * Source: codex app-server 0.142.0 and 0.169.0, which send `configWarning` after `initialize`, use their defaults and refuse
 * every thread.
 */
export const configFaults = (): OperatorFunction<ServerMessage, string> =>
  pipe(
    mergeMap(({ method, params }) => (method === 'configWarning' ? [read(ConfigWarningParams, params)] : [])),
    mergeMap(({ summary, details }) => (BROKEN.test(summary) ? [details || summary] : [])),
    map((text) => text.split('\n')[0] as string),
  );
