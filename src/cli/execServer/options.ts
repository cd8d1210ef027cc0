/** The options of `codex-rx exec-server`. */
import type { GivenTo } from '../command';
import { LOG_OPTIONS } from '../logOptions';
import type { Options } from '../option';

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
    describe: 'File (mode 0600) with the token that clients must send; required where other machines can reach IP',
  },
  'allow-other-users': {
    group: CLIENTS,
    type: 'boolean',
    describe: 'Accept clients of every user of this machine without a token',
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
    type: 'number',
    above: 0,
    default: 30,
    describe: 'Seconds that processes keep running after their connection is lost, for the client to come back',
  },
  'max-connections': { group: LIMITS, type: 'number', above: 0, default: 128, describe: 'Connections at a time' },
  'max-sessions': {
    group: LIMITS,
    type: 'number',
    above: 0,
    default: 256,
    describe: 'Sessions at a time, including those that wait for their client',
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
  'stream-age-s': {
    group: LIMITS,
    type: 'number',
    above: 0,
    default: 3600,
    describe: 'With nats://: seconds that unread events are kept',
  },
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
