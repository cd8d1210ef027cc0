/** Owns one conversation: its turns run one at a time, in the order they came. */
import { defer, type Observable } from 'rxjs';
import type { Event } from '../protocol';
import { addApproval, hasApproval, noApprovals } from '../safety';
import { takeTurns } from '../streams';
import { noMemory } from './memory';
import { runTurn, type TurnDeps } from './runTurn';
import { abort, type Turn } from './step';

export type SessionDeps = Omit<TurnDeps, 'approved' | 'approvedTools'>;

/**
 * Turns of one thread; the next waits for the one before.
 * @param interrupted$ callIds as they are interrupted; a turn that still waits is over at once and never begins
 * Never errors. Completes when both sources have, and every turn had its last event.
 *   turn         1-2-3------|
 *   interrupted  ----3-1----|
 *   out          s---a-(as)--(z|)   (s task_started, a turn_aborted, z task_complete)
 */
export const session =
  (deps: SessionDeps, interrupted$: Observable<string>) =>
  (turn$: Observable<Turn>): Observable<Event> =>
    defer(() => {
      const run = runTurn({ ...deps, approved: approvedCommands(), approvedTools: new Set() });
      const memory = noMemory();
      return turn$.pipe(
        takeTurns<Turn, Event>({
          keyOf: ({ op }) => op.callId,
          cancelled$: interrupted$,
          run: (turn, stop$) => run(turn, memory, stop$),
          dropped: abort,
        }),
      );
    });

/** What the user approved for good, for as long as the thread lives. */
const approvedCommands = () => {
  let known = noApprovals;
  return {
    has: (argv: readonly string[], cwd: string) => hasApproval(known, { argv, cwd }),
    add: (argv: readonly string[], cwd: string) => {
      known = addApproval(known, { argv, cwd });
    },
  };
};
