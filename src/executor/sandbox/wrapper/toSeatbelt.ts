/** Wraps a command for macOS: a profile for the system's own sandbox, which checks each call. */
import type { ProcessSpec } from '../../../protocol/exec/process';
import { isWithin } from '../../../streams/text/isWithin';
import type { Sandbox } from '../sandbox';
import { NO_NETWORK } from './toBubblewrap';

/** @param sandboxExec the path of the program that applies a profile */
export type Seatbelt = { kind: 'seatbelt'; sandboxExec: string };

/** What every program needs: itself, its children, facts about the machine, a terminal. */
const BASE = `(version 1)
(deny default)
(allow process-exec process-fork)
(allow signal process-info* (target same-sandbox))
(allow sysctl-read)
(allow pseudo-tty)
(allow ipc-posix-sem)
(allow mach-lookup
  (global-name "com.apple.system.opendirectoryd.libinfo")
  (global-name "com.apple.system.logger")
  (global-name "com.apple.bsd.dirhelper"))
(allow file-read* file-test-existence)
(allow file-ioctl (regex #"^/dev/tty"))
(allow file-write-data file-ioctl
  (literal "/dev/null") (literal "/dev/zero") (literal "/dev/ptmx") (literal "/dev/tty") (regex #"^/dev/ttys[0-9]+$"))`;

/** IP only, and the look-up of names: other Unix sockets lead to programs outside. */
const NETWORK = `(allow network-outbound network-inbound network-bind (remote ip "*:*") (local ip "*:*"))
(allow network-outbound (literal "/private/var/run/mDNSResponder"))
(allow system-socket)
(allow mach-lookup
  (global-name "com.apple.dnssd.service")
  (global-name "com.apple.SystemConfiguration.configd")
  (global-name "com.apple.trustd.agent"))`;

/** A string of the profile's language. */
const quoted = (path: string): string => `"${path.replaceAll(/[\\"]/g, '\\$&')}"`;
const inside = (path: string): string => `(subpath ${quoted(path)})`;
const itself = (path: string): string => `(literal ${quoted(path)})`;

const rule = (head: string, filters: readonly string[]): string[] =>
  filters.length === 0 ? [] : [`(${head}\n  ${filters.join('\n  ')})`];

/** The writable folders on the way to a path: by renaming one of them, the path could be moved away. */
const leadingTo = (writable: readonly string[], path: string): string[] => {
  const parents: string[] = [];
  for (let at = path; at.includes('/') && at !== ''; at = at.slice(0, at.lastIndexOf('/'))) parents.push(at);
  return parents.filter((parent) => writable.some((root) => isWithin(root, parent)));
};

/**
 * The profile in the language of the system's sandbox; of two rules that fit, the later one counts. What is read-only need
 * not exist.
 */
export const toProfile = ({ writable, readOnly, empty = [], hidden, network }: Sandbox): string => {
  const secret = hidden.map(({ path, kind }) => (kind === 'file' ? itself(path) : inside(path)));
  const denied = [...readOnly, ...empty];
  const kept = [...writable, ...denied].flatMap((path) => leadingTo(writable, path));
  return [
    BASE,
    ...rule('allow file-write*', writable.map(inside)),
    ...rule('deny file-write*', [...denied.map(inside), ...secret]),
    ...rule('deny file-write-unlink', [...new Set(kept)].map(itself)),
    ...rule('deny file-read* file-test-existence', secret),
    ...(network === 'open' ? [NETWORK] : []),
  ].join('\n');
};

/** The process to start instead; it becomes the command, in the same group. */
export const toSeatbelt =
  ({ sandboxExec }: Seatbelt, sandbox: Sandbox) =>
  (spec: ProcessSpec): ProcessSpec => ({
    ...spec,
    argv: [sandboxExec, '-p', toProfile(sandbox), '--', ...spec.argv],
    env: { ...spec.env, ...(sandbox.network === 'closed' && NO_NETWORK) },
  });
