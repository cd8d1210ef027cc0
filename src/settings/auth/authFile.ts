/** The file auth.json, in the format of Codex, which an installed Codex reads and writes too. */
import { isObject, type JsonObject, parseObject } from '../../protocol/jsonrpc/json';

/** The tokens of a ChatGPT login. */
export type Tokens = {
  idToken: string;
  accessToken: string;
  refreshToken: string;
  accountId?: string;
  /** The claims of the ID token. */
  claims: Claims;
};

/** The content of auth.json. */
export type AuthFile = {
  apiKey?: string;
  tokens?: Tokens;
  /** In ms since 1970. */
  lastRefreshMs?: number;
  /** The address of the server that issued the tokens, if that is not OpenAI's. Only codex-rx writes this member. */
  issuer?: string;
  /** The whole file; its other members stay when it is written. */
  raw: JsonObject;
};

/** Reads auth.json; undefined if any part of it is malformed, which counts as no login. Source: Codex 0.28.0, CORE 3.1. */
export const readAuthFile = (text: string): AuthFile | undefined => {
  const raw = parseObject(text);
  if (raw === undefined) return undefined;
  const { OPENAI_API_KEY: key, tokens: table, last_refresh: refreshed, issuer } = raw;
  const tokens = isObject(table) ? readTokens(table) : undefined;
  const isTable = table === undefined || table === null || tokens !== undefined;
  const isKey = key === undefined || key === null || typeof key === 'string';
  const lastRefreshMs = typeof refreshed === 'string' ? Date.parse(refreshed) : Number.NaN;
  if (!isTable || !isKey) return undefined;
  return {
    ...(typeof key === 'string' && key.trim() !== '' && { apiKey: key.trim() }),
    ...(tokens && { tokens }),
    ...(!Number.isNaN(lastRefreshMs) && { lastRefreshMs }),
    ...(typeof issuer === 'string' && { issuer }),
    raw,
  };
};

const readTokens = ({ id_token, access_token, refresh_token, account_id }: JsonObject): Tokens | undefined => {
  if (typeof id_token !== 'string' || typeof access_token !== 'string' || typeof refresh_token !== 'string')
    return undefined;
  const claims = claimsOf(id_token);
  if (claims === undefined) return undefined;
  const accountId = typeof account_id === 'string' ? account_id : claims.accountId;
  return {
    idToken: id_token,
    accessToken: access_token,
    refreshToken: refresh_token,
    claims,
    ...(accountId !== undefined && { accountId }),
  };
};

/** The text of auth.json with only a key. Source: auth.json of codex 0.142.0. */
export const toKeyFile = (apiKey: string): string =>
  toText({ auth_mode: 'apikey', OPENAI_API_KEY: apiKey, tokens: null, last_refresh: null });

/**
 * The text of auth.json with new tokens. Members of the old file that are unknown here stay.
 * @param nowMs when the tokens were issued, in ms since 1970
 */
export const toTokenFile = (tokens: Omit<Tokens, 'claims'>, nowMs: number, old: JsonObject = {}): string => {
  const { idToken, accessToken, refreshToken, accountId } = tokens;
  const table = {
    id_token: idToken,
    access_token: accessToken,
    refresh_token: refreshToken,
    account_id: accountId ?? null,
  };
  return toText({
    auth_mode: 'chatgpt',
    OPENAI_API_KEY: null,
    ...old,
    tokens: { ...(isObject(old.tokens) ? old.tokens : {}), ...table },
    last_refresh: new Date(nowMs).toISOString(),
  });
};

const toText = (file: JsonObject): string => `${JSON.stringify(file, null, 2)}\n`;

/**
 * Reads the claims of a JSON Web Token. Its signature is not checked: only its issuer can do that, and only the issuer gets the token. Own code: without
 * that check it is one part of the text, in base64url, and what counts as a token must be the same as in the original.
 */
const AUTH = 'https://api.openai.com/auth';

/** The claims of a token; a missing claim is undefined. */
export type Claims = {
  email?: string;
  plan?: string;
  accountId?: string;
  /** The server that the token names. */
  issuer?: string;
  /** In ms since 1970. */
  expiresMs?: number;
};

/** The claims of a token; undefined for other texts. Source: Codex 0.28.0, CORE 3.1: three non-empty parts, the second an object in base64url. */
export const claimsOf = (token: string): Claims | undefined => {
  const parts = token.split('.');
  if (parts.length !== 3 || parts.includes('')) return undefined;
  const payload = parseObject(Buffer.from(parts[1] ?? '', 'base64url').toString());
  if (payload === undefined) return undefined;
  const auth = isObject(payload[AUTH]) ? payload[AUTH] : {};
  return {
    ...textOf('email', payload.email),
    ...textOf('issuer', payload.iss),
    ...textOf('plan', auth.chatgpt_plan_type),
    ...textOf('accountId', auth.chatgpt_account_id),
    ...(typeof payload.exp === 'number' && { expiresMs: payload.exp * 1000 }),
  };
};

const textOf = <K extends string>(key: K, value: unknown): { [key in K]?: string } =>
  typeof value === 'string' ? ({ [key]: value } as { [key in K]: string }) : {};
