/** Chooses the engine that runs the conversations. */
import { catchError, defer, map, type Observable, of, timeout } from 'rxjs';
import type { Found } from '../../appServer';
import { isObject, type JsonObject } from '../../protocol/jsonrpc';
import type { EngineName } from '../processInfo';

/** The engine that is chosen; `reason` is a text for a log or a person. */
export type Choice = { engine: Exclude<EngineName, 'auto'>; reason: string };

/** Whether the native engine can use the configured model, and why not; `only`: no other engine can. */
export type NativeAvailability = { usable: boolean; only: boolean; reason: string };

/**
 * @param native looks at the configuration
 * @param find where Codex is
 * @param mayBeLoggedIn false when it is plain that Codex is not, so that it need not be started to be asked
 * @param account what its app-server says of its login (`account/read`); errors when there is none that works
 */
export type ChoiceDeps = {
  native: () => NativeAvailability;
  find: () => Found;
  mayBeLoggedIn: () => boolean;
  account: () => Observable<JsonObject>;
};

const PATIENCE_MS = 10_000;

/**
 * Emits the choice once. Named engines are taken as they are. `auto` takes an installed Codex that is logged in, else the
 * native engine where its model can be used, else a Codex that needs no login, else the native engine, whose error says
 * what is missing. Never errors.
 */
export const chooseEngine = (deps: ChoiceDeps, named: EngineName): Observable<Choice> =>
  defer(() => {
    if (named !== 'auto') return of({ engine: named, reason: `--engine ${named}` });
    const state = deps.native();
    if (state.only) return of(native(state.reason));
    const found = deps.find();
    if ('looked' in found) return of(native(`no codex in ${found.looked.join(', ')}; ${state.reason}`));
    const notLoggedIn = `${found.path} is not logged in; ${state.reason}`;
    if (state.usable && !deps.mayBeLoggedIn()) return of(native(notLoggedIn));
    return deps.account().pipe(
      timeout(PATIENCE_MS),
      map(({ account, requiresOpenaiAuth }) => {
        if (isObject(account)) return appServer(`${found.path} is logged in`);
        const isFree = requiresOpenaiAuth === false && !state.usable;
        return isFree ? appServer(`the model provider of ${found.path} needs no login`) : native(notLoggedIn);
      }),
      catchError(({ message }: Error) =>
        of(native(`${found.path} has no app-server that works (${message}); ${state.reason}`)),
      ),
    );
  });

const native = (reason: string): Choice => ({ engine: 'native', reason });
const appServer = (reason: string): Choice => ({ engine: 'app-server', reason });
