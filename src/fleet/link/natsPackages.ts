/** The packages that speak to NATS: optional dependencies, loaded by the first connection. */

import { NatsError } from '../../io/nats/natsAddress';
import { lazy } from '../../streams/lazy';
import { harden } from './harden';

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
  'the packages for NATS are not installed: npm install --global @nats-io/transport-node@3.3 @nats-io/jetstream@3.3 @nats-io/kv@3.3 (without --global where codex-rx is a dependency of a project)';

/** Throws a `NatsError` with the command that installs them where one is missing. */
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
