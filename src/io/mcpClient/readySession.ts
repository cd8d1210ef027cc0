/** The session that messages wait for, while another begins to replace a lost one. */
import { concat, defer, EMPTY, type Observable, of, share, tap } from 'rxjs';

/**
 * @param session the id of the current session; @param begin$ begins another and completes
 * @param onBegun is called when messages can be sent in the new session, before waiting ones are, with the method of the message it began for
 */
export type ReadyDeps = {
  session: () => string | undefined;
  begin$: Observable<never>;
  onBegun: (method?: string) => void;
};

/** Waits for a session to send in; if `lost` is named, for one other than that. `method` is that of the waiting message. */
export type Ready = (lost?: string, method?: string) => Observable<true>;

/**
 * Emits once there is a session, and completes; at once if none is beginning. A new one begins for the first caller that names the current session as
 * lost, and is shared by all who wait. Errors if it cannot begin; the next caller then tries again. It is given up when all who wait unsubscribe.
 *   begin$      ---|
 *   ready('s')  ---(t|)     (s the current session, r an earlier one, t true)
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
