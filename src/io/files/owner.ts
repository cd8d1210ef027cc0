/**
 * Which process has a lock or a journal, and whether it lives: the one place that knows.
 *
 * A process id alone tells little: a later process gets the same id, each container counts its own, and a host has another name tomorrow. So an owner is
 * a process id with the start of the process, the pid namespace that counts it and the kernel that runs it (its boot id). From there:
 *
 * 1. the same kernel and namespace: the table of processes decides;
 * 2. the same kernel, another namespace (a container, a Flatpak): the owner listens at a socket, which the kernel closes when the process ends;
 * 3. another kernel: it has ended if both are of one machine, or see the folder on a disk of their own, which one kernel at a time can use;
 * 4. anything else, such as a network file system and another machine, cannot be known. Unknown never counts as ended.
 *
 * Own code: packages for locks renew a file by a timer, so that a process that is stopped for a while counts as ended.
 */
import { isObject } from '../../protocol/jsonrpc/json';

/** A process as others can recognise it. What a system cannot tell is left out. */
export type Owner = {
  pid: number;
  /** When the process began, in ticks since the machine started; '?' or '' if the system does not tell. */
  start: string;
  /** The name of the host, for people. Only systems without boot ids are compared by it. */
  host: string;
  /** The boot id: what tells this run of the kernel from all others. */
  boot?: string;
  /** The namespace that counts process ids, such as `pid:[4026531836]`. */
  space?: string;
  /** The id of the installation, which survives a restart. */
  machine?: string;
  /** 'own' if the folder is on a disk that no other kernel uses at the same time; else the type of the file system, such as `6969`. */
  disk?: string;
  /** The name of the socket at which the process listens as long as it lives, and the id of its folder. */
  socket?: { name: string; folder: string };
};

/** `self`: this process. `unknown`: it may live or not. */
export type OwnerState = 'self' | 'lives' | 'ended' | 'unknown';

/** This process, and whether others live. */
export type Owners = {
  /** This process, which listens at its socket from the first call on. */
  self: () => Owner;
  stateOf: (owner: Owner) => OwnerState;
  /** Names an owner for people. */
  nameOf: (owner: Owner) => string;
  /** Removes what an owner that has ended left behind. */
  forget: (owner: Owner) => void;
};

type OwnerStateDeps = {
  /** The facts of this process. */
  facts: Owner;
  /** When a process of this namespace began: undefined if there is none of that id, '?' if that cannot be known. */
  startOf: (pid: number) => string | undefined;
  /** Whether an owner of this kernel listens at its socket. */
  knock: (owner: Owner) => 'lives' | 'ended' | 'unknown';
};

/** Whether an owner lives, as far as this process can know. */
export const ownerState = ({ facts, startOf, knock }: OwnerStateDeps, owner: Owner): OwnerState => {
  if (isSame(facts, owner)) return 'self';
  if (facts.boot === undefined || owner.boot === undefined) {
    return owner.host === facts.host ? stateHere({ startOf, knock }, owner) : 'unknown';
  }
  if (owner.boot !== facts.boot) return isOfThisMachine(facts, owner) ? 'ended' : 'unknown';
  return owner.space === facts.space ? stateHere({ startOf, knock }, owner) : knock(owner);
};

const isSame = (one: Owner, other: Owner): boolean =>
  (['pid', 'start', 'boot', 'space'] as const).every((name) => one[name] === other[name]) &&
  (one.boot !== undefined || one.host === other.host);

const isOfThisMachine = (one: Owner, other: Owner): boolean =>
  (one.disk === 'own' && other.disk === 'own') || (one.machine !== undefined && one.machine === other.machine);

const stateHere = ({ startOf, knock }: Pick<OwnerStateDeps, 'startOf' | 'knock'>, owner: Owner): OwnerState => {
  const start = startOf(owner.pid);
  if (start === undefined) return 'ended';
  if (isKnown(start) && isKnown(owner.start)) return start === owner.start ? 'lives' : 'ended';
  return knock(owner);
};

const isKnown = (start: string): boolean => start !== '' && start !== '?';

/** Reads an owner that was written as JSON; one without a process id has the id 0. */
export const readOwner = (value: unknown): Owner => {
  const { pid, start, host, socket, ...rest } = isObject(value) ? value : {};
  const optional = (['boot', 'space', 'machine', 'disk'] as const).filter((name) => typeof rest[name] === 'string');
  return {
    pid: typeof pid === 'number' ? pid : 0,
    start: typeof start === 'string' ? start : '',
    host: typeof host === 'string' ? host : '',
    ...Object.fromEntries(optional.map((name) => [name, rest[name]])),
    ...(isSocket(socket) && { socket: { name: socket.name, folder: socket.folder } }),
  };
};

/** The name is joined to a folder, so it must not lead out of it. */
const isSocket = (value: unknown): value is { name: string; folder: string } =>
  isObject(value) && typeof value.name === 'string' && /^[\w.-]+$/.test(value.name) && typeof value.folder === 'string';

/** Names an owner for people. @param facts of this process */
export const ownerText = ({ pid, host, space }: Owner, facts: Owner): string => {
  if (pid === 0) return 'another program';
  if (host !== facts.host) return `the process ${pid} of the host ${host}`;
  return space === facts.space ? `the process ${pid}` : `the process ${pid} of a container`;
};
