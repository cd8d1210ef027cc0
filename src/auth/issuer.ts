/** The server that issued a login, which alone gets its refresh token. */
import { AuthError } from './authError';
import type { Tokens } from './authFile';

/** Whether a text is the address of a server to log in at: encrypted, or on this machine. */
export const isIssuer = (text: string): boolean => {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || (protocol === 'http:' && /^(?:localhost|127\.0\.0\.1)$/.test(hostname));
};

/**
 * Where tokens are refreshed: at the server that auth.json names, which is written by a login with `--issuer`; else at `usual`. Throws
 * AuthError where the id token names another server, as where an installed Codex wrote the file anew and left the name out.
 */
export const issuerOf = (usual: string, { issuer, claims }: Pick<Tokens, 'issuer' | 'claims'>): string => {
  if (issuer !== undefined) {
    if (isIssuer(issuer)) return issuer;
    throw new AuthError('auth.json names a server that tokens cannot be sent to. Log in again: codex-rx login.', true);
  }
  if (claims.issuer === undefined || isSameServer(usual, claims.issuer)) return usual;
  throw new AuthError(
    `The login was issued by ${claims.issuer.slice(0, 200)}, so its tokens are not sent to ${new URL(usual).host}. Log in again: codex-rx login --issuer.`,
    true,
  );
};

/** Servers of OpenAI are one: older tokens name another of its hosts. */
const isSameServer = (usual: string, named: string): boolean => {
  const [one, other] = [usual, named].map(hostOf);
  return one === other || (isOpenAi(one) && isOpenAi(other));
};

const hostOf = (address: string): string => {
  const url = address.includes('://') ? address : `https://${address}`;
  return URL.canParse(url) ? new URL(url).host : '';
};

const isOpenAi = (host = ''): boolean => host === 'openai.com' || host.endsWith('.openai.com');
