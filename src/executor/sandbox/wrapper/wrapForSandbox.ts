/** Makes a process run in a sandbox, by the program that makes sandboxes here. */
import type { ProcessSpec } from '../../../protocol/exec/process';
import type { Pausing } from '../../../streams/pausing';
import { isWithin } from '../../../streams/text/trim';
import { FolderMoved, type Sandbox, SandboxError } from '../sandbox';
import { expectedMounts, type Mount, mountsOf } from './mountsOf';
import { type Bubblewrap, NO_NETWORK, type Source, toArgsFile, toBubblewrap } from './toBubblewrap';

/** What makes sandboxes on this machine. */
export type Wrapper = Bubblewrap | Seatbelt;

/** Stores bytes in a file that has no name, so that nobody can change it. Throws SandboxError if nothing can be stored. */
export type HoldBytes = (bytes: Uint8Array) => {
  /** For processes started from here. */
  path: string;
  release: () => void;
};

/** Pins a path without following links; undefined if it has a link in it, or nothing is there. Throws SandboxError if nothing can be held open. */
export type PinPath = (path: string) => Pinned | undefined;

type Pinned = {
  /** Names the open file for processes started from here, even if its own path leads elsewhere by then. */
  path: string;
  /** Whether these processes may open it for reading, as a shell does. */
  opens: boolean;
  release: () => void;
};

/** What a sandbox is made with. */
export type WrapDeps = {
  holdBytes: HoldBytes;
  pinPath: PinPath;
  /** The mounts that this process sees, as the kernel writes them. */
  mountTable: () => string;
};

/** A process that can be started in place of another. */
export type Wrapped = {
  spec: ProcessSpec;
  /** Called when the process has ended. */
  release: () => void;
};

/** The process to start instead of `spec`, with the same output, code and life. Needs open files until `release`. Throws SandboxError. */
export const wrapForSandbox = (deps: WrapDeps, wrapper: Wrapper) =>
  function* (sandbox: Sandbox, spec: ProcessSpec): Pausing<Wrapped> {
    if (spec.arg0 !== undefined) throw new SandboxError('arg0 cannot be set for a process in a sandbox');
    if (wrapper.kind === 'seatbelt') return { spec: toSeatbelt(wrapper, sandbox)(spec), release: () => {} };
    const mounts = mountsOf(sandbox);
    const expected = sandbox.writable.length === 0 ? undefined : expectedHere(deps, mounts);
    const texts = [toArgsFile(sandbox, spec), ...(expected === undefined ? [] : [expected])];
    const opened: Opened[] = [];
    const release = (): void => {
      for (const one of opened.splice(0)) one.release();
    };
    let isDone = false;
    try {
      const sources = yield* pinAll(deps, writableIn(mounts), opened);
      const [argsPath = '', expectedPath] = texts.map((bytes) => keep(opened, deps.holdBytes(bytes)).path);
      isDone = true;
      return {
        spec: toBubblewrap(wrapper, { ...sandbox, mounts }, { argsPath, expectedPath, sources })(spec),
        release,
      };
    } finally {
      if (!isDone) release(); // also if nobody waits for it any more
    }
  };

type Opened = { path: string; release: () => void };

const keep = <O extends Opened>(opened: Opened[], one: O): O => {
  opened.push(one);
  return one;
};

/** Pins each writable path, and adds it to what is opened. */
function* pinAll(deps: WrapDeps, targets: readonly string[], opened: Opened[]): Pausing<Source[]> {
  const sources: Source[] = [];
  for (const target of targets) {
    const { path, opens } = keep(opened, pin(deps, target));
    if (opens) sources.push({ target, path }); // a folder that this user cannot list is mounted by its path; the check in the sandbox sees what was
    yield;
  }
  return sources;
}

/** The mounts to check. Nobody in another sandbox can move what no sandbox may write to, so a sandbox without writable folders is not checked. */
const expectedHere = ({ mountTable }: WrapDeps, mounts: readonly Mount[]): Uint8Array => {
  const expected = expectedMounts(mountTable(), mounts);
  if (expected === undefined)
    throw new SandboxError('the mounts of this system cannot be read; mount /proc where the server runs');
  return Buffer.from(expected);
};

/** A writable folder is opened now, and mounted by its descriptor: another command could put a link in its place. */
const pin = ({ pinPath }: WrapDeps, path: string): NonNullable<ReturnType<PinPath>> => {
  const pinned = pinPath(path);
  if (pinned !== undefined) return pinned;
  throw new FolderMoved(`${path} has become a link, or is gone; begin a new session in the right folder`);
};

const writableIn = (mounts: readonly Mount[]): string[] =>
  mounts.flatMap(({ kind, path }) => (kind === 'writable' && path !== '/' ? [path] : []));

/** The sandbox of macOS. */
type Seatbelt = {
  kind: 'seatbelt';
  /** The path of the program that applies a profile. */
  sandboxExec: string;
};

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

/** The writable folders on the way to a path: if one of them was renamed, the path would move away. */
const leadingTo = (writable: readonly string[], path: string): string[] => {
  const parents: string[] = [];
  for (let at = path; at.includes('/') && at !== ''; at = at.slice(0, at.lastIndexOf('/'))) parents.push(at);
  return parents.filter((parent) => writable.some((root) => isWithin(root, parent)));
};

/** The profile in the language of the system's sandbox; of two rules that fit, the later is used. What is read-only need not exist. */
export const toProfile = ({ writable, readOnly, empty = [], hidden, network }: Sandbox): string => {
  const secret = hidden.map(({ path, kind }) => (kind === 'file' ? itself(path) : inside(path)));
  const denied = [...readOnly, ...empty];
  const kept = [...writable, ...denied].flatMap((path) => leadingTo(writable, path));
  return [
    BASE,
    ...rule('allow file-write*', writable.map(inside)),
    ...rule('deny file-write*', [...denied.map(inside), ...secret]),
    ...rule('deny file-write-setugid', writable.map(inside)),
    ...rule('deny file-write-unlink', [...new Set(kept)].map(itself)),
    ...rule('deny file-read* file-test-existence', secret),
    ...(network === 'open' ? [NETWORK] : []),
  ].join('\n');
};

/** The process to start instead; it becomes the command, in the same group. */
const toSeatbelt =
  ({ sandboxExec }: Seatbelt, sandbox: Sandbox) =>
  (spec: ProcessSpec): ProcessSpec => ({
    ...spec,
    argv: [sandboxExec, '-p', toProfile(sandbox), '--', ...spec.argv],
    env: { ...spec.env, ...(sandbox.network === 'closed' && NO_NETWORK) },
  });
