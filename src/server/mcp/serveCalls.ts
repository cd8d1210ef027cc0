/** Owns running the calls: an agent beside them, questions, beats, and what is said of it all. */
import { connect, filter, map, merge, type Observable, scan, share, takeWhile } from 'rxjs';
import type { Outgoing } from '../../protocol';
import { flatten } from '../../streams';
import { askClient } from './askClient';
import { type Attending, attend, type Input, nobody } from './attend';
import { beats } from './beats';
import type { CallCommand, Command } from './command';
import type { McpDeps } from './deps';
import { logCalls } from './logCalls';
import { sealer } from './requestState';
import { toOps } from './toOps';

/**
 * Serves the calls among the commands. Ends with the command `end`, which answers what is open and stops all turns.
 *   in  b------x-z|    (b begin, x cancel, z end)
 *   out --E-E--S-|     (E what the agent tells, S silence)
 */
export const serveCalls = (deps: McpDeps, command$: Observable<Command>): Observable<Outgoing> =>
  command$.pipe(
    filter((command) => command.kind !== 'response'),
    connect((call$) => attended(deps, call$)),
  );

const attended = (deps: McpDeps, command$: Observable<CallCommand>): Observable<Outgoing> => {
  const event$ = deps.engine(askClient(deps, command$))(command$.pipe(toOps())).pipe(logCalls(deps.log), share());
  const expiresAt = () => deps.now() + deps.askTimeoutMs;
  return merge(
    command$,
    event$.pipe(map((event) => ({ kind: 'event' as const, event }))),
    deps.record$.pipe(map((record) => ({ kind: 'record' as const, record }))),
    beats(command$, event$),
  ).pipe(
    takeWhile(({ kind }) => kind !== 'end', true),
    scan<Input, Attending>(attend({ ...deps, sealer: sealer(deps), expiresAt }), nobody()),
    map(({ out }) => out),
    flatten(),
  );
};
