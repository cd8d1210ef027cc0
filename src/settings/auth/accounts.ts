/** The logins at OpenAI, shared by all engines and faces: which one is used, and how its tokens stay valid. */
import { catchError, defer, map, type Observable, of, throwError } from 'rxjs';
import { AuthError } from './authError';
import { type AuthFile, claimsOf, readAuthFile, type Tokens, toKeyFile } from './authFile';
import { type RefreshDeps, refreshTokens } from './refreshTokens';

/** What requests are sent with: an API key, the tokens of a ChatGPT account, or nothing. */
export type Login = { kind: 'apikey'; key: string } | { kind: 'chatgpt'; tokens: Tokens } | { kind: 'none' };

/** The credential that is used if there are both, as named by `preferred_auth_method`. */
export type PreferredMethod = 'chatgpt' | 'apikey';

/** Where logins come from. */
type AccountsDeps = RefreshDeps & {
  files: Pick<RefreshDeps['files'], 'read' | 'replace' | 'lock'> & { remove: (path: string) => void };
  /** Read at each use. */
  env: Readonly<Record<string, string | undefined>>;
  /** The method that the configuration prefers. */
  preferred: () => PreferredMethod;
};

/** The accounts of one Codex home. */
export type Accounts = {
  /** The login as it is stored. */
  current: () => Login;
  /** Emits once the login with tokens that stay valid for a while. Errors with AuthError if a token has expired and cannot be refreshed. */
  fresh$: Observable<Login>;
  /** Emits once whether there is a credential besides the rejected credential. Never errors. */
  refresh$: Observable<boolean>;
  /** Replaces the login with a key. */
  saveKey: (key: string) => void;
  /** Removes the login. False if there was none. */
  logout: () => boolean;
};

/** The accounts of one Codex home. The file is read at each use, because an installed Codex changes it too. */
export const accounts = (deps: AccountsDeps): Accounts => {
  const { files, path } = deps;
  const stored = (): AuthFile | undefined | 'invalid' => {
    const text = files.read(path);
    return text === undefined ? undefined : (readAuthFile(text) ?? 'invalid');
  };
  const choose = (file: AuthFile | undefined | 'invalid'): Login =>
    chooseLogin({ file, envKey: deps.env.OPENAI_API_KEY, preferred: deps.preferred() });
  return {
    current: () => choose(stored()),
    fresh$: defer(() => {
      const file = stored();
      const login = choose(file);
      return login.kind === 'chatgpt' && typeof file === 'object'
        ? freshened(deps, file, login).pipe(map(choose))
        : of(login);
    }),
    refresh$: defer(() => {
      const login = choose(stored());
      return login.kind === 'chatgpt' ? refreshTokens(deps)(login.tokens).pipe(map(() => true)) : of(false);
    }).pipe(catchError(() => of(false))),
    saveKey: (key) => files.replace(path, toKeyFile(key)),
    logout: () => {
      const isThere = files.read(path) !== undefined;
      files.remove(path);
      return isThere;
    },
  };
};

/** Refreshes tokens that are due. If that fails, tokens that have not expired are still used. */
const freshened = (
  deps: AccountsDeps,
  file: AuthFile,
  { tokens }: Extract<Login, { kind: 'chatgpt' }>,
): Observable<AuthFile> => {
  const access = claimsOf(tokens.accessToken) ?? {};
  if (!isDue(file, access, deps.now())) return of(file);
  const isGood = access.expiresMs !== undefined && access.expiresMs > deps.now();
  return refreshTokens(deps)(tokens).pipe(
    catchError((error: Error) => (isGood && error instanceof AuthError ? of(file) : throwError(() => error))),
  );
};

type LoginSources = {
  /** Undefined if there is no auth.json; 'invalid' if it cannot be read. */
  file: AuthFile | undefined | 'invalid';
  /** The value of OPENAI_API_KEY. */
  envKey: string | undefined;
  preferred: PreferredMethod;
};

/** Plans whose account pays for the usage itself. */
const CHATGPT_PLANS = ['free', 'plus', 'pro', 'team'];

const NONE: Login = { kind: 'none' };

/** Chooses the login. Source: Codex 0.28.0, CORE 3.2 and its recorded cases. */
const chooseLogin = ({ file, envKey, preferred }: LoginSources): Login => {
  if (file === undefined) return envKey?.trim() ? { kind: 'apikey', key: envKey.trim() } : NONE;
  if (file === 'invalid') return NONE;
  const { apiKey, tokens } = file;
  if (tokens === undefined) return apiKey === undefined ? NONE : { kind: 'apikey', key: apiKey };
  if (apiKey !== undefined && usesKey(tokens, preferred)) return { kind: 'apikey', key: apiKey };
  return tokens.accessToken === '' ? NONE : { kind: 'chatgpt', tokens };
};

const usesKey = ({ claims: { email = '', plan = '' } }: Tokens, preferred: PreferredMethod): boolean =>
  preferred === 'apikey' || !(email.trim().toLowerCase().endsWith('@openai.com') || CHATGPT_PLANS.includes(plan));

const REFRESH_AFTER_MS = 28 * 86_400_000;
/** A request may take a while to reach the server. */
const EARLY_MS = 5 * 60_000;

/** Whether tokens should be refreshed before use: they are old, or will expire soon. */
export const isDue = (
  { tokens, lastRefreshMs }: Pick<AuthFile, 'tokens' | 'lastRefreshMs'>,
  access: { expiresMs?: number },
  nowMs: number,
): boolean =>
  tokens !== undefined &&
  ((lastRefreshMs !== undefined && nowMs - lastRefreshMs > REFRESH_AFTER_MS) ||
    (access.expiresMs !== undefined && access.expiresMs - nowMs < EARLY_MS));
