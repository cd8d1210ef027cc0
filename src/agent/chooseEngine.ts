/** Chooses the engine that runs the conversations. */
import { catchError, defer, map, type Observable, of } from 'rxjs';
import type { Found } from '../io/processes/findCodex';
import { isObject } from '../protocol/jsonrpc/json';
import { failIfLate } from '../streams/time/limits';
import type { Choice, EngineName } from '../tapes/seams/ports';
import { doubtOf, TRIED_RELEASES } from './triedReleases';

/** Whether the native engine can use the configured model. */
export type NativeAvailability = {
  usable: boolean;
  /** No other engine can use that model. */
  only: boolean;
  /** Its provider takes the OpenAI login. */
  needsLogin: boolean;
  /** Why it is usable, or not. */
  reason: string;
};

/** An installed Codex as its app-server reports it. */
export type CodexAccount = {
  /** The login; not an object if there is none. */
  account: unknown;
  /** False if its model provider needs no login. */
  requiresOpenaiAuth: unknown;
  /** Its release, such as `0.171.0`; '' if it names none. */
  release: string;
  /** The fault of a configuration that it cannot use. */
  configFault: string | undefined;
};

export type ChoiceDeps = {
  /** Looks at the configuration. */
  native: () => NativeAvailability;
  /** Finds Codex. */
  find: () => Found;
  /** False if Codex is certainly not logged in, so that it need not be started to be asked. */
  mayBeLoggedIn: () => boolean;
  /** What its app-server reports. Errors if it does not work. */
  account: () => Observable<CodexAccount>;
};

const PATIENCE_MS = 10_000;
const SILENT = `it sent nothing for ${PATIENCE_MS / 1000} s`;

/**
 * Emits the choice once. Named engines are taken as they are. `auto` takes an installed Codex that is logged in, or whose model
 * provider needs no login, and whose configuration it can use; else the native engine, whose error names what is missing. If that passes over
 * an installed Codex, the choice has a remedy. Never errors.
 */
export const chooseEngine = (deps: ChoiceDeps, named: EngineName): Observable<Choice> =>
  defer(() => {
    if (named !== 'auto') return of({ engine: named, reason: `--engine ${named}` });
    const state = deps.native();
    if (state.only) return of(native(state.reason));
    const found = deps.find();
    if ('looked' in found) return of(withoutCodex(found, state.reason));
    const notLoggedIn = () => passedOver(`${found.path} is not logged in; ${state.reason}`, LOG_IN);
    if (state.usable && state.needsLogin && !deps.mayBeLoggedIn()) return of(notLoggedIn());
    return deps.account().pipe(
      failIfLate(PATIENCE_MS, () => new Error(SILENT)),
      map(({ account, requiresOpenaiAuth, release, configFault }) => {
        if (configFault !== undefined) {
          return passedOver(`${found.path} cannot use its configuration (${configFault}); ${state.reason}`, CORRECT);
        }
        if (isObject(account)) return appServer(`${found.path} is logged in${doubtOf(release)}`);
        const needsNoLogin = requiresOpenaiAuth === false;
        return needsNoLogin
          ? appServer(`the model provider of ${found.path} needs no login${doubtOf(release)}`)
          : notLoggedIn();
      }),
      catchError(({ message }: Error) =>
        of(passedOver(`${found.path} has no app-server that works (${message}); ${state.reason}`, UPDATE)),
      ),
    );
  });

/** Each ends with what follows a change; the choice holds for as long as the server runs. */
const LOG_IN = 'run codex login, then restart this server';
const CORRECT = 'correct that, then restart this server';
const UPDATE = `correct that, or install another release (npm install -g @openai/codex; ${TRIED_RELEASES}), then restart this server`;
const NAME = 'correct --codex or CODEX_BIN, then restart this server';

/** A Codex that was named and is not there counts as passed over. */
const withoutCodex = ({ looked, isNamed, leftOut }: Extract<Found, { looked: unknown }>, reason: string): Choice => {
  const places = looked.join(', ');
  if (isNamed) return passedOver(`the codex that was named is not there: ${places}; ${reason}`, NAME);
  return native([`no codex in ${places}`, ...(leftOut ? [ofWorkspace(leftOut)] : []), reason].join('; '));
};

/** No remedy for the first result: a hostile checkout would ask to be trusted. */
const ofWorkspace = (path: string): string =>
  `${path} belongs to the working folder, and is run only if --codex names it`;

const native = (reason: string): Choice => ({ engine: 'native', reason });
const passedOver = (reason: string, remedy: string): Choice => ({ ...native(reason), remedy });
const appServer = (reason: string): Choice => ({ engine: 'app-server', reason });
