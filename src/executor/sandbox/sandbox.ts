/** What a sandbox is: which paths may be written or read, and whether there is a network. Says nothing of how it is made. */

/** `closed`: no sockets at all but pairs within the sandbox. `open`: IP of the machine; Unix sockets stay out of reach. */
export type Network = 'open' | 'closed';

/** A path whose content nobody in the sandbox may read. */
export type Hidden = { path: string; kind: 'file' | 'folder' };

/**
 * Everything may be read but `hidden`; nothing may be written but what lies in `writable`, less `readOnly`. The deepest path
 * that contains a file decides; of equal ones `hidden` beats `readOnly`, and that beats `writable`. All paths are absolute, exist,
 * and have no links in them.
 */
export type Sandbox = {
  writable: readonly string[];
  readOnly: readonly string[];
  hidden: readonly Hidden[];
  network: Network;
};

/** A sandbox cannot keep what it is asked to keep; `message` says why. The command must not run in it. */
export class SandboxError extends Error {
  override name = 'SandboxError';
}
