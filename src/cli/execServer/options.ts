/** The options of `codex-rx exec-server`, what does not go together, and what its clients may do at most. */
import { dirname, resolve } from 'node:path';
import { type ExecCeiling, toCeiling } from '../../executor/listen/ceiling';
import { readToken } from '../../executor/listen/token';
import { unknownMethods } from '../../executor/server/limitMethods';
import { isFolder } from '../../io/paths/look';
import { openToOthers } from '../../io/paths/steps';
import type { ProcessInfo } from '../../io/serverProcess/serverProcess';
import { isLoopback, toListenAddress } from '../../io/sockets/listenUnix';
import { listsConnectionOwners } from '../../io/sockets/ownProcess';
import { EXEC_METHODS } from '../../protocol/exec/checkExecParams';
import { reasonOf } from '../../streams/text/reasons';
import { isPlainName, PLAIN_NAME } from '../../streams/text/trim';
import type { GivenTo } from '../command';
import { LOG_OPTIONS } from '../commonOptions';
import { type Options, secondsOption } from '../option';

const CLIENTS = 'Clients:';
const CEILING = 'What clients may do at most:';
const LIMITS = 'Limits:';

export const options = {
  listen: {
    group: CLIENTS,
    type: 'string',
    default: 'stdio',
    describe:
      'Where clients connect: stdio (the standard streams), ws://IP:PORT (port 0: any free one), unix:///PATH (a socket of this user only), or nats://HOST[,HOST] (servers of NATS)',
  },
  name: {
    group: CLIENTS,
    type: 'string',
    describe: 'With nats://: the name of this executor, by which clients choose it',
  },
  pool: { group: CLIENTS, type: 'string', describe: 'With nats://: the pool of executors that this one belongs to' },
  'token-file': {
    group: CLIENTS,
    type: 'string',
    describe: 'File (mode 0600) with the token that clients must send; required if other machines can reach IP',
  },
  'allow-other-users': {
    group: CLIENTS,
    type: 'boolean',
    describe: 'Accept clients of every user, container and sandbox of this machine without a token',
  },
  sandbox: {
    group: CEILING,
    type: 'string',
    choices: ['read-only', 'workspace-write', 'danger-full-access'],
    describe: 'What processes and file methods may write: nothing, the roots, or anything',
  },
  root: {
    group: CEILING,
    type: 'string',
    array: true,
    describe: 'Folder that clients may write in (repeatable; implies workspace-write, whose default is this folder)',
  },
  'allow-network': {
    group: CEILING,
    type: 'boolean',
    describe: 'With a sandbox: processes and http/request may use the network',
  },
  'allow-method': {
    group: CEILING,
    type: 'string',
    array: true,
    describe: 'Method that clients may call, such as fs/readFile or process/* (repeatable; default: all)',
  },
  'deny-method': {
    group: CEILING,
    type: 'string',
    array: true,
    describe: 'Method that clients may not call (repeatable)',
  },
  'session-grace-s': {
    group: CLIENTS,
    ...secondsOption(
      30,
      'Seconds that processes keep running after their connection is lost, for the client to come back',
    ),
  },
  'max-connections': { group: LIMITS, type: 'number', above: 0, default: 128, describe: 'Connections at a time' },
  'max-sessions': {
    group: LIMITS,
    type: 'number',
    above: 0,
    default: 256,
    describe: 'Sessions at a time, including sessions that wait for their client',
  },
  'max-processes': { group: LIMITS, type: 'number', above: 0, default: 512, describe: 'Running processes at a time' },
  'retain-mb': {
    group: LIMITS,
    type: 'number',
    above: 0,
    default: 64,
    describe: 'MB of output kept for later reads, of all processes together; at most 1 MB of each',
  },
  'stream-mb': {
    group: LIMITS,
    type: 'number',
    above: 0,
    default: 1024,
    describe: 'With nats://: MB of events that the stream of this executor holds; processes wait while it is full',
  },
  'stream-age-s': { group: LIMITS, ...secondsOption(3600, 'With nats://: seconds that unread events are kept') },
  'stream-replicas': {
    group: LIMITS,
    type: 'number',
    above: 0,
    default: 1,
    describe: 'With nats://: servers of a cluster that each hold the stream, 1, 3 or 5',
  },
  'make-stream': {
    group: LIMITS,
    type: 'boolean',
    describe:
      'With nats://: make the stream of this executor and end, with the login of an administrator; then an executor that may only publish can use it',
  },
  ...LOG_OPTIONS,
} as const satisfies Options;

export type ExecServer = GivenTo<typeof options, Record<never, never>>;

/** What the command line of an exec-server lets its clients do at most. */
const sandboxOf = ({ sandbox, root }: ExecServer) =>
  sandbox ?? (root.length > 0 ? 'workspace-write' : 'danger-full-access');

export const ceilingOf = (given: ExecServer, { cwd }: ProcessInfo): ExecCeiling =>
  toCeiling({
    sandbox: sandboxOf(given),
    roots: (given.root.length > 0 ? given.root : ['.']).map((root) => resolve(cwd, root)),
    allowNetwork: given['allow-network'],
    allowMethods: given['allow-method'],
    denyMethods: given['deny-method'],
  });

/** A ceiling that would not be kept, or that says something else than its author thinks. */
export const ceilingProblem = (given: ExecServer): string | undefined => {
  const sandbox = sandboxOf(given);
  const noFolder = given.root.find((root) => !isFolder(root));
  if (noFolder !== undefined) return `--root must be a folder that is there; it is ${noFolder}`;
  if (given.root.length > 0 && sandbox !== 'workspace-write')
    return `--root names what --sandbox workspace-write lets clients write; --sandbox is ${sandbox}`;
  if (given['allow-network'] && sandbox === 'danger-full-access')
    return '--allow-network goes with --sandbox or --root; without them the network is open';
  const [unknown] = unknownMethods([...given['allow-method'], ...given['deny-method']]);
  return unknown === undefined
    ? undefined
    : `There is no method ${unknown}; methods are ${EXEC_METHODS.join(', ')}, and families such as fs/*`;
};

/** An address that other machines can reach needs a token, and the file of the token must be private. Undefined if all is well. */
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

/** Throws with cause and remedy if another user could put a socket of their own in the place of this one. */
export const checkSocketFolder = (path: string): void => {
  const folder = dirname(path);
  const open = openToOthers(folder);
  if (open === undefined) return;
  const place = open === folder ? '' : `, because they can change ${open}`;
  throw new Error(
    `Other users can replace a socket in ${folder}${place}; name a folder of your own with mode 0700, below folders that only you or root can write`,
  );
};
