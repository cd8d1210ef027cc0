/** The server that an address names, and what is asked of it. */

/**
 * `server`: what tells one server from another; `host` and `port` of the connection; `authority` and `path` as a request names them; `login` of
 * the address, as a header.
 */
export type Target = {
  server: string;
  isSecure: boolean;
  host: string;
  port: number;
  authority: string;
  path: string;
  login?: string;
};

/** Throws a TypeError for what is no address of HTTP. */
export const toTarget = (address: string): Target => {
  const { protocol, hostname, port, host, pathname, search, username, password } = new URL(address);
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new TypeError(`Protocol "${protocol}" is not http: or https:`);
  const isSecure = protocol === 'https:';
  return {
    server: `${protocol}//${host}`,
    isSecure,
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port || (isSecure ? 443 : 80)),
    authority: host,
    path: `${pathname}${search}`,
    ...(username + password !== '' && { login: toBasic(username, password) }),
  };
};

const toBasic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${decodeURIComponent(user)}:${decodeURIComponent(password)}`).toString('base64')}`;
