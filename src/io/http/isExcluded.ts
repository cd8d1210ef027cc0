/** What `NO_PROXY` names. Own code: proxy-from-env compares names only, and knows no ranges of addresses. */
import { BlockList, isIP } from 'node:net';

/** A host in lower case, an IPv6 address without brackets, and the port of a request. */
export type Destination = { host: string; port: string | undefined };

/**
 * True where a list names the destination. Entries are hosts, with all that stand below them, addresses, ranges of addresses, or `*`; an
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
