/**
 * The packages that speak to NATS: optional dependencies, loaded by the first connection, without the holes that any sender of a message could use.
 * Source: @nats-io/nats-core 3.4, headers.js and protocol.js; @nats-io/nuid 3.0, nuid.js.
 */
import { randomUUID } from 'node:crypto';
import type { MsgHdrs } from '@nats-io/transport-node';
import { NatsError } from '../../io/nats/natsAddress';
import { lazy } from '../../streams/lazy';

/** The packages of the client, which are optional dependencies. */
export type NatsPackages = {
  core: typeof import('@nats-io/transport-node');
  sockets: typeof import('@nats-io/transport-node/lib/node_transport');
  jetstream: typeof import('@nats-io/jetstream');
  kv: typeof import('@nats-io/kv');
};

const load = (): NatsPackages => ({
  core: require('@nats-io/transport-node') as NatsPackages['core'],
  sockets: require('@nats-io/transport-node/lib/node_transport') as NatsPackages['sockets'],
  jetstream: require('@nats-io/jetstream') as NatsPackages['jetstream'],
  kv: require('@nats-io/kv') as NatsPackages['kv'],
});

/** 3.4 brings a package that requires Node 22, so that npm leaves all of them out on Node 20; 3.3 works the same on Node 18 and newer. */
const INSTALL =
  'the packages for NATS are not installed: npm install --global @nats-io/transport-node@3.3 @nats-io/jetstream@3.3 @nats-io/kv@3.3 (without --global if codex-rx is a dependency of a project)';

/** Throws a `NatsError` with the command that installs them if one is missing. */
export const toNatsPackages = (loadAll: () => NatsPackages): NatsPackages => {
  try {
    return loadAll();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'MODULE_NOT_FOUND') throw error;
    throw new NatsError('missing', INSTALL);
  }
};

/** All of them, loaded once. */
export const natsPackages = /* @__PURE__ */ lazy(() => harden(toNatsPackages(load)));

type Core = { headers: () => MsgHdrs; nuid: { next: () => string } };

/** The class of headers, whose `decode` every reader of headers calls. */
type HeadersClass = { decode: (bytes: Uint8Array) => MsgHdrs };

/**
 * Malformed headers count as none: the packages throw in the reader of the connection, which then reads nothing more.
 * Subjects of responses are random: the packages only count, so one responder could guess the subjects of others and forge responses.
 * What the packages print goes to stderr, one line without control characters each: stdout carries only protocol.
 */
export const harden = <P extends { core: Core }>(packages: P): P => {
  const { headers, nuid } = packages.core;
  nuid.next = () => randomUUID().replaceAll('-', '');
  const made = headers().constructor as unknown as HeadersClass;
  const { decode } = made;
  made.decode = (bytes) => decoded(bytes, decode) ?? headers();
  console.log = (...parts: unknown[]) => console.error(JSON.stringify(parts.map(String).join(' ')));
  return packages;
};

const decoded = (bytes: Uint8Array, decode: HeadersClass['decode']): MsgHdrs | undefined => {
  try {
    return decode(bytes);
  } catch {
    return undefined;
  }
};
