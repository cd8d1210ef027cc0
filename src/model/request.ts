/** The address and the headers of a request to a model. */
import type { Provider } from '../protocol/model';

const OPENAI_URL = 'https://api.openai.com/v1';

/** The address of an endpoint of a provider, its query encoded. */
export const toUrl = ({ baseUrl = OPENAI_URL, queryParams }: Provider, path: string): string => {
  const query = new URLSearchParams(queryParams).toString();
  return `${baseUrl.replace(/\/+$/, '')}/${path}${query === '' ? '' : `?${query}`}`;
};

/** @param key of the provider, where it needs one; @param own those of the dialect */
export type RequestHeaders = { key: string | undefined; own: Record<string, string> };

/**
 * Joins headers, names in lower case: the dialect's, then the key, then the provider's own, which win.
 * Those named by environment variables are left out where the variable is unset or blank.
 */
export const toHeaders = (
  env: Record<string, string | undefined>,
  { httpHeaders, envHttpHeaders }: Provider,
  { key, own }: RequestHeaders,
): Record<string, string> => {
  const entries = [
    ['Content-Type', 'application/json'],
    ['Accept', 'text/event-stream'],
    ...Object.entries(own),
    ...(key === undefined ? [] : [['Authorization', `Bearer ${key}`]]),
    ...Object.entries(httpHeaders),
    ...Object.entries(envHttpHeaders).map(([name, variable]) => [name, env[variable]?.trim() ?? '']),
  ] as [string, string][];
  return Object.fromEntries(
    entries.filter(([, value]) => value !== '').map(([name, value]) => [name.toLowerCase(), value]),
  );
};

/** Takes secrets out of a text that a server sent back. */
export const redact = (text: string, secrets: (string | undefined)[]): string =>
  secrets.reduce<string>((clean, secret) => (secret ? clean.replaceAll(secret, '***') : clean), text);
