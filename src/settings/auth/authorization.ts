/** The page to which a person's browser is sent to log in. */
import { CLIENT_ID } from './tokenRequest';

/** The secrets of one login; none is used twice. `challenge` is the SHA-256 of `verifier`, base64url. */
export type Proof = { state: string; verifier: string; challenge: string };

/** @param random this many random bytes, base64url; @param sha256 of a text, base64url */
export type ProofDeps = { random: (bytes: number) => string; sha256: (text: string) => string };

/** Source: Codex 0.28.0, CORE 3.5: PKCE (RFC 7636) with S256. */
export const newProof = ({ random, sha256 }: ProofDeps): Proof => {
  const verifier = random(64);
  return { state: random(32), verifier, challenge: sha256(verifier) };
};

/** The address to which the server sends the browser back. */
export const redirectUri = (port: number): string => `http://localhost:${port}/auth/callback`;

/** The address of the login page. Source: Codex 0.28.0, CORE 3.5. */
export const authorizeUrl = (issuer: string, port: number, { state, challenge }: Proof): string => {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: CLIENT_ID,
    redirect_uri: redirectUri(port),
    scope: 'openid profile email offline_access',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    id_token_add_organizations: 'true',
    codex_cli_simplified_flow: 'true',
    state,
  });
  return `${issuer}/oauth/authorize?${query}`;
};
