/** What sends HTTP requests: Node's modules with a pool of connections each, one for each proxy. */
import type { Agent, RequestOptions } from 'node:http';
import { urlToHttpOptions } from 'node:url';
import { lazy } from '../../streams/lazy/lazy';
import { SetupError } from '../stdio/setupError';
import { type Trust, trustOf } from './certificates';
import { MAX_HEAD_BYTES } from './httpErrors';
import { http, https } from './nodeHttp';
import { type NamedProxy, proxyOf } from './proxyOf';

/** Node's `request`, the address as its options, the pool of connections for it, what they trust, and the host of the proxy that they go through. */
export type HttpClient = {
  request: typeof import('node:http').request;
  target: RequestOptions;
  options: { agent: Agent } & Bounds & Trust;
  proxyHost?: string;
};

type Bounds = { maxHeaderSize: number; keepAlive: true; keepAliveInitialDelay: number };

/** The bound of a head, and how long a connection is silent before TCP probes whether it is alive, in ms, also one without an agent. */
const BOUNDS: Bounds = { maxHeaderSize: MAX_HEAD_BYTES, keepAlive: true, keepAliveInitialDelay: 1_000 };

/** @param env proxies and certificates; read at the first request of a kind */
export type HttpClientDeps = { env: Readonly<Record<string, string | undefined>> };

/** Loaded by the first request that goes through a proxy. */
const tunnel = /* @__PURE__ */ lazy(() => require('https-proxy-agent') as typeof import('https-proxy-agent'));
const forward = /* @__PURE__ */ lazy(() => require('http-proxy-agent') as typeof import('http-proxy-agent'));

/**
 * Finds the client for an address: direct, or through the proxy that the environment names. Connections are kept and used again.
 * Throws SetupError for a proxy that cannot be used, and for a file of certificates that cannot be read.
 */
export const httpClients = ({ env }: HttpClientDeps): ((url: string) => HttpClient) => {
  const trust = lazy(() => trustOf(env));
  const pools = new Map<string, Pool>(); // changed in place: one for each proxy
  const poolOf = (url: string): Pool => {
    const isSecure = url.startsWith('https:');
    const proxy = proxyOf(env, url);
    const key = `${isSecure} ${proxy?.address ?? ''}`;
    const pool = pools.get(key) ?? toPool({ isSecure, trust, ...(proxy && { proxy: toProxyAddress(proxy) }) });
    pools.set(key, pool);
    return pool;
  };
  return (url) => ({ ...poolOf(url), target: urlToHttpOptions(new URL(url)) });
};

/** What all addresses behind one proxy share. */
type Pool = Omit<HttpClient, 'target'>;

type Way = { isSecure: boolean; proxy?: URL; trust: () => Trust };

const toPool = (way: Way): Pool => {
  const { isSecure, proxy } = way;
  const trust = isSecure || proxy?.protocol === 'https:' ? way.trust() : {};
  const { request } = isSecure ? https() : http();
  return {
    request: request as HttpClient['request'],
    options: { agent: toAgent(way, trust), ...BOUNDS, ...trust },
    ...(proxy && { proxyHost: proxy.host }),
  };
};

/** With a proxy, the options of the agent are for the connection to the proxy. */
const toAgent = ({ isSecure, proxy }: Way, trust: Trust): Agent => {
  const options = { keepAlive: true, ...trust };
  if (proxy === undefined) return new (isSecure ? https() : http()).Agent(options);
  return isSecure ? new (tunnel().HttpsProxyAgent)(proxy, options) : new (forward().HttpProxyAgent)(proxy, options);
};

/** Throws SetupError, which names the variable, but not the login that an address may hold. */
const toProxyAddress = ({ address: text, variable }: NamedProxy): URL => {
  const address = URL.canParse(text) ? new URL(text) : undefined;
  const fault = addressFault(address);
  if (address === undefined || fault !== undefined) {
    throw new SetupError(`the proxy that ${variable} of the environment names ${fault}`);
  }
  return address;
};

const ONLY_HTTP = 'only HTTP and HTTPS proxies can be used';

const addressFault = (address: URL | undefined): string | undefined => {
  if (address === undefined) return `is not a URL; write http://HOST:PORT, ${ONLY_HTTP}`;
  if (!/^https?:$/.test(address.protocol)) return `has the scheme ${address.protocol.slice(0, -1)}; ${ONLY_HTTP}`;
  if (isDecodable(address.username) && isDecodable(address.password)) return undefined;
  return 'has a % in its login that begins no escape; write %25 for it';
};

const isDecodable = (text: string): boolean => {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
};
