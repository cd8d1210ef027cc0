/** The key of a provider. A key never appears in a text. */
import type { Observable } from 'rxjs';
import { ModelError } from '../../protocol/model/model';
import type { Provider } from '../../protocol/model/provider';

/** The stored login: a key, or the token of a ChatGPT account; null if there is none. */
export type StoredAuth = { OPENAI_API_KEY?: string | null; account?: { token: string; id?: string } } | null;

/** What a request is sent with. */
export type Credential = {
  /** A key, or the token of a ChatGPT account. */
  key: string;
  /** Present for a ChatGPT account, which `id` names. */
  account?: { id?: string };
};

/** Where keys are looked up. */
export type CredentialDeps = {
  /** Read on each call; a blank value counts as unset. */
  env: Record<string, string | undefined>;
  /** Reads auth.json of the Codex home. */
  readAuth: () => StoredAuth;
  /** Called before a request with the stored login; emits once that can be used, and errors if it has expired for good. */
  freshAuth: () => Observable<unknown>;
  /** Called after a provider's server rejected its credential; emits whether there is a new credential now, and completes; never errors. */
  refreshAuth: (provider: Provider) => Observable<boolean>;
};

/**
 * Finds the credential for a provider; undefined if it needs none. Throws ModelError, not retryable, if a required credential is missing.
 * A stored key wins over the variable OPENAI_API_KEY.
 * Source: Codex 0.28.0, CORE 3.2; unlike there, the OpenAI key goes only to providers that require it, and the variable is also used
 * if auth.json holds no key.
 */
export const credentials =
  ({ env, readAuth }: Pick<CredentialDeps, 'env' | 'readAuth'>) =>
  (provider: Provider): Credential | undefined => {
    if (provider.envKey !== undefined) return { key: env[provider.envKey]?.trim() || fail(toMissingText(provider)) };
    if (!provider.requiresOpenaiAuth) return undefined;
    const stored = readAuth();
    if (stored?.account !== undefined) {
      const { token, id } = stored.account;
      return { key: token, account: id === undefined ? {} : { id } };
    }
    return { key: stored?.OPENAI_API_KEY?.trim() || env.OPENAI_API_KEY?.trim() || fail(toNoKeyText(provider)) };
  };

/** True if requests are sent with the stored login. */
export const usesLogin = ({ envKey, requiresOpenaiAuth }: Provider): boolean =>
  envKey === undefined && requiresOpenaiAuth;

const fail = (text: string): never => {
  throw new ModelError(text, false);
};

const toMissingText = ({ envKey, envKeyInstructions }: Provider): string =>
  [`Missing environment variable: \`${envKey}\`.`, envKeyInstructions].filter(Boolean).join(' ');

const toNoKeyText = ({ id }: Provider): string =>
  `No API key for the model provider "${id}". Set the environment variable OPENAI_API_KEY, ` +
  'log in (codex-rx login), or add a provider of your own under [model_providers] in config.toml and name it as model_provider.';

/** What to do about a credential that the server rejected. */
export const toRejectedText = ({ id, envKey, envKeyInstructions, requiresOpenaiAuth }: Provider): string => {
  if (envKey !== undefined) {
    const remedy = envKeyInstructions ?? 'Set it to a valid key and start the server again.';
    return `the server rejected the key in the environment variable \`${envKey}\`. ${remedy}`;
  }
  return requiresOpenaiAuth
    ? 'the server rejected the OpenAI login or key. Log in again (codex-rx login), or set OPENAI_API_KEY to a valid key.'
    : `the model provider "${id}" has no env_key, so no key was sent. Set env_key under [model_providers.${id}] to the variable that holds one.`;
};
