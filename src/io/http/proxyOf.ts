/**
 * The proxy of an address, by the variables that curl made common. Own code: proxy-from-env reads the variables of the process, where specs
 * and callers have an environment of their own, and would send requests to this machine through the proxy.
 */

import { isExcluded } from './isExcluded';

/** Environment variables by name; the names in lower case win. */
export type ProxyEnvironment = Readonly<Record<string, string | undefined>>;

/** The address of a proxy, and the name of the variable that has it. */
export type NamedProxy = { address: string; variable: string };

/**
 * The proxy for a request, undefined where it goes straight to its server: the variable of its scheme, `HTTPS_PROXY`
 * or `HTTP_PROXY`, then `ALL_PROXY`. Requests to what `NO_PROXY` names, and to this machine, go straight. A proxy without a scheme is an
 * HTTP proxy.
 *   HTTPS_PROXY=proxy.example.com:8080   https://api.example.com/v1   http://proxy.example.com:8080
 * Source: curl 8, ENVIRONMENT; reqwest 0.12, which Codex 0.28.0 uses; Go, which never uses a proxy for this machine.
 */
export const proxyOf = (env: ProxyEnvironment, url: string): NamedProxy | undefined => {
  const { protocol, hostname, port } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const proxy = variable(env, `${protocol.slice(0, -1)}_proxy`) ?? variable(env, 'all_proxy');
  if (proxy === undefined || isLoopback(host)) return undefined;
  if (isExcluded(variable(env, 'no_proxy')?.value ?? '', { host, port: port || DEFAULT_PORTS[protocol] }))
    return undefined;
  const { variable: name, value } = proxy;
  return { variable: name, address: /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}` };
};

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

const variable = (env: ProxyEnvironment, name: string): { variable: string; value: string } | undefined =>
  [name, name.toUpperCase()]
    .map((spelt) => ({ variable: spelt, value: env[spelt]?.trim() ?? '' }))
    .find(({ value }) => value !== '');

const isLoopback = (host: string): boolean => /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|::1)$/.test(host);
