/** What a sandbox is: which paths may be written or read, and whether there is a network; not how it is made. */

/** `closed`: no sockets at all but pairs within the sandbox. `open`: IP of the machine. */
export type Network = 'open' | 'closed';

/** What sockets a process can make. `local`: as `open`, and Unix sockets; for other networks these are out of reach. */
export type Sockets = Network | 'local';

/** A path whose content nobody in the sandbox may read. */
export type Hidden = { path: string; kind: 'file' | 'folder' };

/** A folder of which a sandbox shows only some entries that existed when it was made; files created later are not visible. */
export type Sparse = {
  path: string;
  /** Shown as they are. */
  shown: readonly string[];
  /** Shown as links with these targets. */
  links: readonly Link[];
};

/** A link in a folder. */
export type Link = {
  path: string;
  /** Absolute, without links. */
  target: string;
};

/**
 * Everything may be read except `hidden`, and entries that `sparse` folders do not show; only paths in `writable`, except
 * `readOnly` and `empty`, may be written. The deepest path that contains a file decides; of equal ones `hidden` beats `sparse`, which beats
 * `empty`, which beats `readOnly`, which beats `writable`. All paths are absolute, exist, and have no links in them.
 */
export type Sandbox = {
  writable: readonly string[];
  readOnly: readonly string[];
  /** Paths at which the sandbox always shows an empty folder that nobody can write. */
  empty?: readonly string[];
  hidden: readonly Hidden[];
  sparse?: readonly Sparse[];
  network: Network;
  /** Whether Unix sockets can be made and connected, if the network is open. Default: no. */
  unixSockets?: boolean;
  /** Devices that can be used besides those of every sandbox, and folders of devices. */
  devices?: readonly string[];
};

/** A sandbox cannot enforce its permissions; `message` says why. The command must not run in it. */
export class SandboxError extends Error {
  override name = 'SandboxError';
}

/** A folder was moved or removed between the look at the disk and the mounts: another look may find it right, as with the folder of a socket that is gone. */
export class FolderMoved extends SandboxError {}

/** Too many open files, or a full disk. */
const SCARCE = ['EMFILE', 'ENFILE', 'ENOSPC', 'EDQUOT', 'EFBIG'];

/** Why a sandbox could not be made, as a text. Throws the error again if it is a bug. */
export const whyNotMade = (error: unknown): string => {
  if (error instanceof SandboxError) return error.message;
  if (error instanceof Error && SCARCE.includes(String((error as NodeJS.ErrnoException).code)))
    return `${error.message}; free some of what has run out`;
  throw error;
};
