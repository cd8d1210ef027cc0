/** Owns the end of what a turn says. */
import { concatMap, type Observable, type OperatorFunction, scan, takeWhile } from 'rxjs';
import type { Event } from '../protocol/codex';
import type { Over, Stop } from './ending';
import type { End } from './endOf';

/** What is said within a turn: its events, that it is being stopped from this side, that it is over. */
export type Said = Event | { kind: 'stopping'; stop: Stop } | Over;

type At = { said?: Said; stop?: Stop };

/**
 * Lets events through until the turn is over, then says the last words. A turn that was stopped from this side ends as
 * that, whatever the server calls it.
 * @param close the last events of a turn that ends so
 *   said  -a-s-b-z     (s it is being stopped, z the server says that it is over)
 *   out   -a---b-(x|)
 */
export const untilOver =
  (close: (end: End | Stop) => readonly Event[]): OperatorFunction<Said, Event> =>
  (said$: Observable<Said>) =>
    said$.pipe(
      scan(({ stop }: At, said): At => ({ said, stop: said.kind === 'stopping' ? said.stop : stop }), {}),
      concatMap(({ said, stop }): (Event | Over)[] => {
        if (said === undefined || said.kind === 'stopping') return [];
        return said.kind === 'over' ? [...close(stop ?? said.end), said] : [said];
      }),
      takeWhile((said): said is Event => said.kind !== 'over'),
    );
