/**
 * Reads the claims of a JSON Web Token. Its signature is not checked: only its issuer can do that, and only the issuer gets the token. Own code: without
 * that check it is one part of the text, in base64url, and what counts as a token must be the same as in the original.
 */
import { isObject, parseObject } from '../../protocol/jsonrpc/json';

const AUTH = 'https://api.openai.com/auth';

/** `issuer`: the server that the token names; `expiresMs` in ms since 1970; claims that the token lacks are undefined. */
export type Claims = { email?: string; plan?: string; accountId?: string; issuer?: string; expiresMs?: number };

/**
 * The claims of a token; undefined for any other text. Source: Codex 0.28.0, CORE 3.1: three non-empty parts, the
 * second of which is an object in base64url.
 */
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
