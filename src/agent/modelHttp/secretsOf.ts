/** The secrets of a request, which no text may repeat. */
import { secretsInLogin } from '../../io/log/maskAddress';
import type { Provider } from '../../protocol/model/provider';
import type { Credential } from './credentials';

/** A configured header or parameter may hold a credential, whatever its name; so may an address with a login. */
export const secretsOf = (
  env: Readonly<Record<string, string | undefined>>,
  provider: Provider,
  credential: Credential | undefined,
): (string | undefined)[] => [
  credential?.key,
  ...Object.values(provider.envHttpHeaders).map((name) => env[name]?.trim()),
  ...[...Object.values(provider.httpHeaders), ...Object.values(provider.queryParams)].filter(isLong),
  ...secretsInLogin(provider.baseUrl ?? ''),
];

/** Shorter values are words such as `true` or a version. */
const isLong = (value: string): boolean => value.length >= MIN_SECRET_CHARS;

const MIN_SECRET_CHARS = 8;
