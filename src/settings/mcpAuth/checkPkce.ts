/** Whether the codes of an authorization server are useless to whoever steals them. */
import { AuthError } from '../auth/authError';
import type { AuthServer } from './discover';

/**
 * Throws AuthError if the server does not list PKCE among its features. A renewal has no code, and so does not need it. Source: MCP
 * 2025-11-25, Authorization Code Protection.
 */
export const checkPkce = ({ issuer, hasPkce }: AuthServer): void => {
  if (hasPkce) return;
  throw new AuthError(
    `${new URL(issuer).host} does not say that its logins are protected by PKCE (S256 in code_challenge_methods_supported), so nobody logs in there; name a token by bearer_token_env_var instead`,
  );
};
