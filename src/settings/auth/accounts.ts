/** The logins at OpenAI, shared by all engines and faces: which one is used, and how its tokens stay valid. */
import { catchError, defer, map, type Observable, of, throwError } from 'rxjs';
import type { PrivateFiles } from '../../io/files/privateFiles';
import type { JsonObject } from '../../protocol/jsonrpc/json';
import { AuthError } from './authError';
import { type AuthFile, claimsOf, readAuthFile, type Tokens, toKeyFile, toTokenFile } from './authFile';
import { renewOnce } from './renewOnce';
import { type IssuerDeps, isIssuer, isToken, refusalOf, type TokenResponse, tokenRequest } from './tokenRequest';

/** What requests are sent with: an API key, the tokens of a ChatGPT account, or nothing. */
export type Login = { kind: 'apikey'; key: string } | { kind: 'chatgpt'; tokens: Tokens } | { kind: 'none' };

/** The login that `read` finds. A file that cannot be read counts as missing. */
export const loginIfReadable = (read: () => Login): Login => {
  try {
    return read();
  } catch {
    return { kind: 'none' };
  }
};

/** The credential that is used if there are both, as named by `preferred_auth_method`. */
export type PreferredMethod = 'chatgpt' | 'apikey';

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

type RefreshDeps = IssuerDeps & {
  files: Pick<PrivateFiles, 'read' | 'replace' | 'lock'>;
  /** The path of auth.json. */
  path: string;
  /** The path of the lock that the refreshing process holds. */
  lockPath: string;
  /** In ms since 1970. */
  now: () => number;
};

/**
 * Emits once the login with tokens other than `stale`: from another process that was faster, or new tokens, which are written first. Errors with AuthError,
 * whose text contains no token.
 *   lock   free             lock   taken, file changes at n
 *   out    ----r            out    ----n      (r the response)
 */
export const refreshTokens =
  (deps: RefreshDeps) =>
  (stale: Tokens): Observable<AuthFile> =>
    renewOnce({
      lock: deps.files.lock,
      lockPath: deps.lockPath,
      changed: () => changedFile(deps, stale),
      renew: () => refresh(deps, stale),
      name: 'the login',
    });

/** The file, if its tokens are no longer the stale ones: another program was faster. */
const changedFile = ({ files, path }: RefreshDeps, stale: Tokens): AuthFile | undefined => {
  const text = files.read(path);
  const file = text === undefined ? undefined : readAuthFile(text);
  if (file?.tokens === undefined) throw new AuthError(`There is no login any more. ${LOG_IN}`, true);
  return file.tokens.accessToken === stale.accessToken ? undefined : file;
};

const LOG_IN = 'Log in again: codex-rx login.';

/** An installed Codex takes no lock: if it refreshed at the same time, its tokens are the valid ones. */
const refresh = (deps: RefreshDeps, stale: Tokens): Observable<AuthFile> =>
  defer(() => {
    const changed = changedFile(deps, stale);
    return changed === undefined ? request(deps, stale) : of(changed);
  }).pipe(
    catchError((error) => {
      const changed = changedFile(deps, stale);
      return changed === undefined ? throwError(() => error) : of(changed);
    }),
  );

/** A token goes only to the server that issued it. Source: Codex 0.28.0, CORE 3.3. */
const request = (deps: RefreshDeps, stale: Tokens): Observable<AuthFile> =>
  tokenRequest({ ...deps, issuer: issuerOf(deps, stale) })({
    path: '/oauth/token',
    body: {
      client_id: deps.clientId,
      grant_type: 'refresh_token',
      refresh_token: stale.refreshToken,
      scope: 'openid profile email',
    },
  }).pipe(map((response) => store(deps, stale, response)));

/** An installed Codex drops the member `issuer` when it writes the file; the ID token still names its server then. */
const issuerOf = ({ files, path, issuer: usual }: RefreshDeps, { claims }: Tokens): string => {
  const { issuer } = readAuthFile(files.read(path) ?? '') ?? {};
  if (issuer === undefined) return checkedUsual(usual, claims.issuer);
  if (isIssuer(issuer)) return issuer;
  throw new AuthError(
    `The login cannot be refreshed: its issuer in auth.json must begin with https://. ${LOG_IN}`,
    true,
  );
};

const checkedUsual = (usual: string, named: string | undefined): string => {
  const [one, other] = [usual, named ?? usual].map(hostOf);
  if (one === other || (isOpenAi(one) && isOpenAi(other))) return usual;
  throw new AuthError(
    `The login was issued by another server than ${one}, which does not get its tokens: codex-rx login --issuer.`,
    true,
  );
};

const hostOf = (address: string): string => {
  const url = address.includes('://') ? address : `https://${address}`;
  return URL.canParse(url) ? new URL(url).host : '';
};

/** Older tokens name another OpenAI host. */
const isOpenAi = (host = ''): boolean => host === 'openai.com' || host.endsWith('.openai.com');

const store = (deps: RefreshDeps, stale: Tokens, response: TokenResponse): AuthFile => {
  const { files, path, now } = deps;
  if (response.status !== 200 || Object.keys(response.json).length === 0) {
    const isFinal = response.status === 400 || response.status === 401;
    throw new AuthError(`Failed to refresh the login: ${refusalOf(response)}.${isFinal ? ` ${LOG_IN}` : ''}`, isFinal);
  }
  const changed = changedFile(deps, stale); // a login that was removed or replaced meanwhile is not overwritten
  if (changed !== undefined) return changed;
  const old = readAuthFile(files.read(path) ?? '');
  const tokens = { ...stale, ...givenTokens(response.json) };
  const text = toTokenFile(tokens, now(), old?.raw);
  const file = readAuthFile(text);
  if (file === undefined) throw new AuthError('Failed to refresh the login: the response holds no usable id token.');
  files.replace(path, text);
  return file;
};

/** The tokens of a response; what is absent or null stays as it was. Throws AuthError for anything that is not a token. Source: RFC 6749 6, A.12. */
const givenTokens = ({ id_token, access_token, refresh_token }: JsonObject): Partial<Tokens> => ({
  ...given('idToken', id_token),
  ...given('accessToken', access_token),
  ...given('refreshToken', refresh_token),
});

const given = (name: keyof Tokens, value: unknown): Partial<Tokens> => {
  if (value === undefined || value === null) return {};
  if (isToken(value)) return { [name]: value };
  throw new AuthError('Failed to refresh the login: the response holds something that is not a token.');
};
