/** The certificate authorities of TLS connections, with those that the environment names. */
import type { SecureContext } from 'node:tls';
import { lazy } from '../../streams/lazy/lazy';
import { readRegular } from '../paths/readIfThere';
import { SetupError } from '../stdio/setupError';

const tls = lazy(() => require('node:tls') as typeof import('node:tls'));

/** Variables that name a PEM file, the first that is set counts. Source: OpenSSL; Codex 0.142.0, `CODEX_CA_CERTIFICATE`. */
const VARIABLES = ['CODEX_CA_CERTIFICATE', 'SSL_CERT_FILE'] as const;

/** Node reads this one when it starts, but a list of authorities of our own replaces what it read. */
const NODE_VARIABLE = 'NODE_EXTRA_CA_CERTS';

/** What a TLS connection trusts, as an option of Node; absent for the authorities of Node. */
export type Trust = { secureContext?: SecureContext };

/** Environment variables by name. */
type Variables = Readonly<Record<string, string | undefined>>;

/**
 * What TLS connections trust: the authorities of Node, those in the file of `CODEX_CA_CERTIFICATE` or `SSL_CERT_FILE`, and those in the
 * file of `NODE_EXTRA_CA_CERTS`. Empty where no variable but the last is set: Node reads that one itself.
 * Throws SetupError, which names the variable, where a file cannot be read or holds no certificate.
 */
export const trustOf = (env: Variables): Trust => {
  const name = VARIABLES.find((variable) => env[variable]?.trim());
  if (name === undefined) return {};
  const extra = env[NODE_VARIABLE]?.trim() ? [readPem(env, NODE_VARIABLE)] : [];
  const ca = [...tls().rootCertificates, ...extra, readPem(env, name)];
  return { secureContext: tls().createSecureContext({ ca }) };
};

const readPem = (env: Variables, name: string): string => {
  const path = (env[name] ?? '').trim();
  const text = readText(name, path);
  if (text.includes('-----BEGIN ')) return text;
  throw new SetupError(`${name} names ${path}, which holds no certificate in PEM`);
};

const readText = (name: string, path: string): string => {
  try {
    return readRegular(path);
  } catch (error) {
    throw new SetupError(`${name} names ${path}, which cannot be read: ${(error as Error).message}`);
  }
};
