/** The key of a provider. A key appears in no text. */
import type { Observable } from 'rxjs';
import { ModelError, type Provider } from '../protocol/model';

/** The part of auth.json that matters here; null where there is no such file. */
export type StoredAuth = { OPENAI_API_KEY?: string | null } | null;

/**
 * Where keys are looked for.
 * @param refreshAuth called after the server of a provider rejected its credential; emits whether there is another one now, and completes;
 * never errors
 */
export type CredentialDeps = {
  env: Record<string, string | undefined>;
  readAuth: () => StoredAuth;
  refreshAuth: (provider: Provider) => Observable<boolean>;
};

/**
 * Finds the key for a provider; undefined where it needs none. Throws ModelError, not retryable, where a needed one is missing.
 * @param env read at each call; a blank value counts as unset
 * @param readAuth reads auth.json of the Codex home
 * A stored key wins over the variable OPENAI_API_KEY.
 * Source: Codex 0.28.0, CORE 3.2; unlike it, the OpenAI key stays with providers that require it, and the variable serves also
 * where auth.json holds no key.
 */
export const credentials =
  ({ env, readAuth }: Pick<CredentialDeps, 'env' | 'readAuth'>) =>
  (provider: Provider): string | undefined => {
    if (provider.envKey !== undefined) return env[provider.envKey]?.trim() || fail(toMissingText(provider));
    if (!provider.requiresOpenaiAuth) return undefined;
    return readAuth()?.OPENAI_API_KEY?.trim() || env.OPENAI_API_KEY?.trim() || fail(toNoKeyText(provider));
  };

const fail = (text: string): never => {
  throw new ModelError(text, false);
};

const toMissingText = ({ envKey, envKeyInstructions }: Provider): string =>
  [`Missing environment variable: \`${envKey}\`.`, envKeyInstructions].filter(Boolean).join(' ');

const toNoKeyText = ({ id }: Provider): string =>
  `No API key for the model provider "${id}". Set the environment variable OPENAI_API_KEY, ` +
  'install Codex and log in (codex login), or add a provider of your own under [model_providers] in config.toml and name it as model_provider.';

/** What to do about a credential that the server rejected. */
export const toRejectedText = ({ id, envKey, envKeyInstructions, requiresOpenaiAuth }: Provider): string => {
  if (envKey !== undefined) {
    const remedy = envKeyInstructions ?? 'Set it to a valid key and start the server again.';
    return `the server rejected the key in the environment variable \`${envKey}\`. ${remedy}`;
  }
  return requiresOpenaiAuth
    ? 'the server rejected the OpenAI login or key. Log in again (codex login), or set OPENAI_API_KEY to a valid key.'
    : `the model provider "${id}" has no env_key, so no key was sent. Set env_key under [model_providers.${id}] to the variable that holds one.`;
};
