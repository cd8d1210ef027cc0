/** What a sandbox is: which paths may be written or read, and whether there is a network. Says nothing of how it is made. */

/** `closed`: no sockets at all but pairs within the sandbox. `open`: IP of the machine; Unix sockets stay out of reach. */
export type Network = 'open' | 'closed';

/** A path whose content nobody in the sandbox may read. */
export type Hidden = { path: string; kind: 'file' | 'folder' };

/**
 * A folder of which a sandbox shows what was there when it was made, and not all of that: `shown` as it is, `links` as links with these
 * targets. A file that comes into being there later, also in the place of a hidden one, is not seen.
 */
export type Sparse = { path: string; shown: readonly string[]; links: readonly Link[] };

/** @param target absolute, without links */
export type Link = { path: string; target: string };

/**
 * Everything may be read but `hidden`, and in `sparse` folders what they do not show; nothing may be written but what lies in
 * `writable`, less `readOnly`. The deepest path that contains a file decides; of equal ones `hidden` beats `sparse`, that `readOnly`,
 * and that `writable`. All paths are absolute, exist, and have no links in them.
 */
export type Sandbox = {
  writable: readonly string[];
  readOnly: readonly string[];
  hidden: readonly Hidden[];
  sparse?: readonly Sparse[];
  network: Network;
};

/** A sandbox cannot keep what it is asked to keep; `message` says why. The command must not run in it. */
export class SandboxError extends Error {
  override name = 'SandboxError';
}
