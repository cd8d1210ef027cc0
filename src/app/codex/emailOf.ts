/** The mail address in a stored login. */
import { isObject } from '../../protocol/jsonrpc';

/**
 * The address in the id token of auth.json; undefined where there is none. The signature of the token is not checked, as nothing is
 * granted for it. Source: Codex 0.28.0, CORE 3.1.
 */
export const emailOf = (auth: unknown): string | undefined => {
  const tokens = isObject(auth) && isObject(auth.tokens) ? auth.tokens : {};
  const [, payload = ''] = typeof tokens.id_token === 'string' ? tokens.id_token.split('.') : [];
  const claims = parsed(Buffer.from(payload, 'base64url').toString());
  return isObject(claims) && typeof claims.email === 'string' ? claims.email : undefined;
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // no token
  }
};
