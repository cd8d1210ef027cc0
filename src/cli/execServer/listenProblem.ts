/** What is wrong with the address that an exec-server is to listen at, and with the options that go with it. */

import { checkSocketFolder } from '../../executor/listen/socketFolder';
import { readToken } from '../../executor/listen/token';
import { isLoopback, toListenAddress } from '../../io/sockets/listenUnix';
import { listsConnectionOwners } from '../../io/sockets/ownUser';
import { reasonOf } from '../../streams/text/reasons';
import { isPlainName, PLAIN_NAME } from '../../streams/text/trim';
import type { ExecServer } from './options';

/** An address that other machines can reach needs a token, and the token's file must be private. undefined where all is well. */
export const listenProblem = (given: ExecServer): string | undefined => {
  try {
    const address = toListenAddress(given.listen);
    const isNats = address !== 'stdio' && 'nats' in address;
    return isNats ? natsProblem(given) : (natsFlag(given) ?? socketProblem(given));
  } catch (error) {
    return reasonOf(error);
  }
};

const natsProblem = ({
  name,
  pool,
  'token-file': file,
  'stream-replicas': replicas,
}: ExecServer): string | undefined => {
  if (name === undefined) return '--listen nats://HOST needs --name NAME: clients choose this executor by its name';
  if (!isPlainName(name)) return `--name has ${PLAIN_NAME}; it is ${JSON.stringify(name)}`;
  if (pool !== undefined && !isPlainName(pool)) return `--pool has ${PLAIN_NAME}; it is ${JSON.stringify(pool)}`;
  if (![1, 3, 5].includes(replicas)) return '--stream-replicas is 1, 3 or 5';
  return file === undefined ? undefined : TOKEN;
};

const TOKEN = '--token-file goes with --listen ws://IP:PORT';

const natsFlag = ({ name, pool, 'make-stream': makesStream }: ExecServer): string | undefined => {
  if (makesStream) return '--make-stream goes with --listen nats://HOST and --name NAME';
  if (name !== undefined) return '--name goes with --listen nats://HOST';
  return pool === undefined ? undefined : '--pool goes with --listen nats://HOST';
};

const socketProblem = (given: ExecServer): string | undefined => {
  const { listen, 'token-file': file } = given;
  const address = toListenAddress(listen);
  if (address === 'stdio' || 'nats' in address) return file === undefined ? undefined : TOKEN;
  if ('path' in address) {
    checkSocketFolder(address.path);
    return file === undefined ? undefined : TOKEN;
  }
  if (file !== undefined) {
    readToken(file);
    return undefined;
  }
  if (!isLoopback(address)) {
    return `Other machines can reach ${address.host}, and whoever reaches an exec-server can run anything: protect it by --token-file FILE`;
  }
  return given['allow-other-users'] || listsConnectionOwners()
    ? undefined
    : 'This system does not list which user a connection comes from, so every user of it could run anything as you: use --listen unix:///PATH, --token-file FILE or --listen stdio, or accept them by --allow-other-users';
};
