/** Chooses which credential counts if there are several. */
import type { AuthFile, Tokens } from './authFile';

/** What requests are sent with: an API key, the tokens of a ChatGPT account, or nothing. */
export type Login = { kind: 'apikey'; key: string } | { kind: 'chatgpt'; tokens: Tokens } | { kind: 'none' };

/** The credential that counts if there are both, as named by `preferred_auth_method`. */
export type PreferredMethod = 'chatgpt' | 'apikey';

/** @param file undefined if there is no auth.json; 'invalid' if it cannot be read; @param envKey the value of OPENAI_API_KEY */
export type LoginSources = {
  file: AuthFile | undefined | 'invalid';
  envKey: string | undefined;
  preferred: PreferredMethod;
};

/** Plans whose account pays for the usage itself. */
const CHATGPT_PLANS = ['free', 'plus', 'pro', 'team'];

const NONE: Login = { kind: 'none' };

/** Chooses the login. Source: Codex 0.28.0, CORE 3.2 and its recorded cases. */
export const chooseLogin = ({ file, envKey, preferred }: LoginSources): Login => {
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
