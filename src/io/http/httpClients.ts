/** What sends HTTP requests: Node's modules with a pool of connections for each proxy; and the proxies and certificates of the environment. */
import type { Agent, ClientRequest, RequestOptions } from 'node:http';
import { BlockList, isIP } from 'node:net';
import type { SecureContext } from 'node:tls';
import { urlToHttpOptions } from 'node:url';
import { lazy } from '../../streams/lazy';
import { readRegular } from '../paths/look';
import { SetupError } from '../stdio/setupError';
import { MAX_HEAD_BYTES } from './httpErrors';
import { http, https } from './nodeHttp';

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

export type HttpClientDeps = {
  /** Proxies and certificates; read at the first request of a kind. */
  env: Readonly<Record<string, string | undefined>>;
};

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
  const request = (isSecure ? https() : http()).request as HttpClient['request'];
  return {
    request: isSecure && proxy !== undefined ? inTunnel(request) : request,
    options: { agent: toAgent(way, trust), ...BOUNDS, ...trust },
    ...(proxy && { proxyHost: proxy.host }),
  };
};

/**
 * A proxy that opens no tunnel refuses with the status of an error, which becomes the response. Any other status would pass for a good response of a server
 * that nobody has authenticated. Source: the fault FalseCONNECT; https-proxy-agent 7, `proxyConnect`.
 */
const inTunnel = (request: HttpClient['request']): HttpClient['request'] => {
  const checked = (...args: Parameters<typeof request>): ClientRequest => {
    const sent = request(...args);
    return sent.on('proxyConnect', ({ statusCode }: { statusCode: number }) => {
      if (statusCode === 200 || statusCode >= 400) return;
      sent.destroy(new Error(`the proxy opens no tunnel, and answers with the status ${statusCode}`));
    });
  };
  return checked as HttpClient['request'];
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

/** The certificate authorities of TLS connections, with the authorities that the environment names. */
const tls = lazy(() => require('node:tls') as typeof import('node:tls'));

/** Variables that name a PEM file, the first that is set counts. Source: OpenSSL; Codex 0.142.0, `CODEX_CA_CERTIFICATE`. */
const VARIABLES = ['CODEX_CA_CERTIFICATE', 'SSL_CERT_FILE'] as const;

/** Node reads this one when it starts, but a list of authorities of our own replaces what it read. */
const NODE_VARIABLE = 'NODE_EXTRA_CA_CERTS';

/** What a TLS connection trusts, as an option of Node; absent for the authorities of Node. */
type Trust = { secureContext?: SecureContext };

/** Environment variables by name. */
type Variables = Readonly<Record<string, string | undefined>>;

/**
 * What TLS connections trust: the authorities of Node, those in the file of `CODEX_CA_CERTIFICATE` or `SSL_CERT_FILE`, and those in the
 * file of `NODE_EXTRA_CA_CERTS`. Empty if no variable but the last is set: Node reads that one itself.
 * Throws SetupError, which names the variable, if a file cannot be read or holds no certificate.
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

/** Environment variables by name; the names in lower case win. */
type ProxyEnvironment = Readonly<Record<string, string | undefined>>;

/** The address of a proxy, and the name of the variable that has it. */
type NamedProxy = { address: string; variable: string };

/**
 * The proxy for a request, undefined if it goes straight to its server: the variable of its scheme, `HTTPS_PROXY`
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

/** A host in lower case, an IPv6 address without brackets, and the port of a request. */
type Destination = { host: string; port: string | undefined };

/**
 * True if a list names the destination. Entries are hosts, with all that stand below them, addresses, ranges of addresses, or `*`; an
 * entry with a port is for that port only.
 *   corp.example, *.corp.example, db.example:8443, 10.0.0.7, 10.0.0.0/8, fd00::/8, [fd00::1]:80
 * A dot at the end of a name means nothing: `corp.example.` is `corp.example`, on either side.
 * Source: curl 8, ENVIRONMENT; reqwest 0.12, whose lists hold ranges too.
 */
export const isExcluded = (list: string, destination: Destination): boolean =>
  list
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => names(entry, destination));

const names = (entry: string, { host: whole, port }: Destination): boolean => {
  const host = whole.replace(/\.$/, '');
  if (isAmong(entry, host)) return true;
  const [, name = '', itsPort] = /^(?:\*?\.)?\[?(.*?)\]?\.?(?::(\d+))?$/.exec(entry) ?? [];
  if (name === '' || (itsPort !== undefined && itsPort !== port)) return false;
  return name === '*' || host === name || host.endsWith(`.${name}`) || isAmong(name, host);
};

/** True for an address that is the entry, or in its range. */
const isAmong = (entry: string, host: string): boolean => {
  const [, first = '', bits] = /^(.*?)(?:\/(\d{1,3}))?$/.exec(entry) ?? [];
  const version = isIP(first);
  const width = version === 4 ? 32 : 128;
  if (version === 0 || isIP(host) !== version || Number(bits ?? 0) > width) return false;
  const kind = version === 4 ? 'ipv4' : 'ipv6';
  const range = new BlockList();
  range.addSubnet(first, Number(bits ?? width), kind);
  return range.check(host, kind);
};
