/** The session that messages wait for, while another begins in place of a lost one. */
import { concat, defer, EMPTY, type Observable, of, share, tap } from 'rxjs';

/**
 * @param session the id of the present session; @param begin$ begins another and completes
 * @param onBegun is called when messages can be sent in it, before those that wait are, with the method of the message it began for
 */
export type ReadyDeps = {
  session: () => string | undefined;
  begin$: Observable<never>;
  onBegun: (method?: string) => void;
};

/** Waits for a session to send in: another than `lost`, where that is named; `method` is that of the message that waits. */
export type Ready = (lost?: string, method?: string) => Observable<true>;

/**
 * Emits once there is a session and completes, at once where none begins. One begins for the first who names the present session as lost, and is shared
 * by all who wait. Errors where it cannot begin; it is begun again for the next then. Unsubscribed by all who wait, it is given up.
 *   begin$      ---|
 *   ready('s')  ---(t|)     (s the present session, r one before, t true)
 *   ready('r')  (t|)
 */
export const readySession = ({ session, begin$, onBegun }: ReadyDeps): Ready => {
  let beginning$: Observable<never> | undefined; // while a session begins
  const settle = (): void => {
    beginning$ = undefined;
  };
  const shared$ = (method?: string) =>
    begin$.pipe(tap({ complete: settle, error: settle }), tap({ complete: () => onBegun(method) }), share());
  return (lost, method) =>
    defer(() => {
      if (lost !== undefined && lost === session()) beginning$ ??= shared$(method);
      return concat(beginning$ ?? EMPTY, of(true as const));
    });
};
