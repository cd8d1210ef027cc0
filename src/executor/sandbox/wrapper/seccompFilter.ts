/** The system calls that a sandboxed process may not make, as a program for the kernel. */
import type { Sockets } from '../sandbox';

/** io_uring makes sockets and files too, past every filter. The numbers of newer calls are the same everywhere. */
const IO_URING = [425, 426, 427];
const FCHMODAT2 = 452;
/** Its mode is in memory, where no filter looks. Programs use `openat` if the kernel does not know it. */
const OPENAT2 = 437;

type Instruction = { code: number; yes: number; no: number; value: number };

const LOAD = 0x20;
const JUMP_EQUAL = 0x15;
const JUMP_AT_LEAST = 0x35;
const JUMP_IF_ANY = 0x45;
const AND = 0x54;
const RETURN = 0x06;

const ALLOW = 0x7fff0000;
/** The call fails with EPERM, as if it was not permitted. */
const DENY = 0x00050001;
/** The call fails with ENOSYS, as if the kernel was older. */
const UNKNOWN = 0x00050026;

/** Where the kernel puts the number of the call, its convention, and the lower halves of its arguments. */
const AT = { number: 0, convention: 4, first: 16, second: 24, third: 32, fourth: 40 };

const AF_UNIX = 1;
/** AF_INET, AF_INET6, and AF_NETLINK, which programs use to ask for their own addresses. */
const IP_FAMILIES = [2, 10, 16];
/** Types of pairs that reach nobody else: SOCK_STREAM and SOCK_SEQPACKET. A pair of datagrams could send to any address. */
const PAIRS = [1, 5];
const TYPE_MASK = 0xf;

const step = (code: number, value: number): Instruction => ({ code, yes: 0, no: 0, value });
const load = (at: number): Instruction => step(LOAD, at);
const end = (verdict: number): Instruction => step(RETURN, verdict);

/** Runs `then` if the loaded value equals `value`. */
const when = (value: number, then: readonly Instruction[]): Instruction[] => [
  { ...step(JUMP_EQUAL, value), no: then.length },
  ...then,
];
const deny = (...numbers: number[]): Instruction[] => numbers.flatMap((number) => when(number, [end(DENY)]));

const allow = (...values: number[]): Instruction[] => values.flatMap((value) => when(value, [end(ALLOW)]));

const only = (...families: number[]): Instruction[] => [load(AT.first), ...allow(...families), end(DENY)];
const onlyPairs: Instruction[] = [
  load(AT.first),
  { ...step(JUMP_EQUAL, AF_UNIX), yes: 1 },
  end(DENY),
  load(AT.second),
  step(AND, TYPE_MASK),
  ...allow(...PAIRS),
  end(DENY),
];

/** The first process of a sandbox, which ends it with the server. Whoever could write into its memory, or trace it, could make it do something else. */
const INIT = 1;
const notOfInit = (at: number): Instruction[] => [load(at), ...when(INIT, [end(DENY)]), end(ALLOW)];

/** A program with one of these bits runs with the rights of its owner or group, whoever starts it, outside of any sandbox. */
const SET_ID = 0o6000;
const noSetId = (mode: number): Instruction[] => [
  load(mode),
  { ...step(JUMP_IF_ANY, SET_ID), no: 1 },
  end(DENY),
  end(ALLOW),
];

/** O_CREAT and O_TMPFILE: without them there is no mode. A file that is made with the bits keeps them, on older kernels, when it gets its content. */
const MAKES_FILE = 0o20000100;
const opensWithout = (flags: number, mode: number): Instruction[] => [
  load(flags),
  { ...step(JUMP_IF_ANY, MAKES_FILE), yes: 1 },
  end(ALLOW),
  ...noSetId(mode),
];

/** `mkdir` takes no such bits. */
const filesOf = ({ chmod, fchmodat, mknodat, open, openat }: SystemCalls): Instruction[] => [
  ...chmod.flatMap((number) => when(number, noSetId(AT.second))),
  ...[fchmodat, FCHMODAT2, mknodat].flatMap((number) => when(number, noSetId(AT.third))),
  ...(open === undefined ? [] : when(open, opensWithout(AT.second, AT.third))),
  ...when(openat, opensWithout(AT.third, AT.fourth)),
  ...when(OPENAT2, [end(UNKNOWN)]),
];

const socketsOf = (sockets: Sockets, { socket, socketpair, connecting }: SystemCalls): Instruction[] => {
  if (sockets === 'local') return [...when(socketpair, only(AF_UNIX)), ...when(socket, only(AF_UNIX, ...IP_FAMILIES))];
  const pairs = when(socketpair, onlyPairs);
  return [...pairs, ...(sockets === 'open' ? when(socket, only(...IP_FAMILIES)) : deny(socket, ...connecting))];
};

const rulesOf = (sockets: Sockets, convention: SystemCalls): Instruction[] => [
  load(AT.number),
  ...(convention.x32 === undefined ? [] : [{ ...step(JUMP_AT_LEAST, convention.x32), no: 1 }, end(DENY)]),
  ...socketsOf(sockets, convention),
  ...deny(...(convention.socketcall === undefined ? [] : [convention.socketcall])),
  ...deny(...convention.keys, ...IO_URING),
  ...when(convention.ptrace, notOfInit(AT.second)),
  ...when(convention.writeMemory, notOfInit(AT.first)),
  ...filesOf(convention),
  end(ALLOW),
];

/** Eight bytes each, little-endian as the processors are: code, both jumps, value. Source: linux/filter.h, `sock_filter`. */
const toBytes = (program: readonly Instruction[]): Uint8Array => {
  const bytes = Buffer.alloc(program.length * 8);
  for (const [i, { code, yes, no, value }] of program.entries()) {
    bytes.writeUInt16LE(code, i * 8);
    bytes.writeUInt8(yes, i * 8 + 2);
    bytes.writeUInt8(no, i * 8 + 3);
    bytes.writeUInt32LE(value, i * 8 + 4);
  }
  return bytes;
};

/**
 * A filter in which forbidden calls fail with EPERM; undefined for a processor that has none.
 * Closed network: no sockets except connected pairs. Open: IP as well, but no Unix sockets, since a process that reaches D-Bus,
 * Docker, tmux or an agent through one is out of the sandbox. Local: these too. Always forbidden: io_uring, which would bypass the filter, kernel keys of
 * the user, changes to the first process of the sandbox, and modes with set-user-ID or set-group-ID, also of folders, which a filter cannot
 * tell from files. All calls of an unknown calling convention fail.
 * @param arch as Node names it
 */
export const seccompFilter = (arch: string, sockets: Sockets): Uint8Array | undefined => {
  const conventions = CONVENTIONS[arch];
  if (conventions === undefined) return undefined;
  return toBytes([
    load(AT.convention),
    ...conventions.flatMap((convention) => when(convention.audit, rulesOf(sockets, convention))),
    end(DENY),
  ]);
};

type SystemCalls = {
  /** The kernel's name of the calling convention. */
  audit: number;
  /** Marks calls of another convention with the same name. */
  x32?: number;
  socket: number;
  socketpair: number;
  connecting: readonly number[];
  /** The older way to all of the socket calls at once. */
  socketcall?: number;
  keys: readonly number[];
  ptrace: number;
  writeMemory: number;
  /** Calls whose second argument is a mode. */
  chmod: readonly number[];
  fchmodat: number;
  mknodat: number;
  open?: number;
  openat: number;
};

/**
 * Source: the tables of Linux 6.12. `connecting`: connect, bind, listen, accept, accept4. `keys`: add_key, request_key, keyctl.
 * `writeMemory`: process_vm_writev. `chmod`: chmod, fchmod, creat, mknod. arm64 has only the calls that name a folder.
 */
const X64: SystemCalls = {
  audit: 0xc000003e,
  x32: 0x40000000,
  socket: 41,
  socketpair: 53,
  connecting: [42, 49, 50, 43, 288],
  keys: [248, 249, 250],
  ptrace: 101,
  writeMemory: 311,
  chmod: [90, 91, 85, 133],
  fchmodat: 268,
  mknodat: 259,
  open: 2,
  openat: 257,
};
const I386: SystemCalls = {
  audit: 0x40000003,
  socket: 359,
  socketpair: 360,
  connecting: [362, 361, 363, 364],
  socketcall: 102,
  keys: [286, 287, 288],
  ptrace: 26,
  writeMemory: 348,
  chmod: [15, 94, 8, 14],
  fchmodat: 306,
  mknodat: 297,
  open: 5,
  openat: 295,
};
const ARM64: SystemCalls = {
  audit: 0xc00000b7,
  socket: 198,
  socketpair: 199,
  connecting: [203, 200, 201, 202, 242],
  keys: [217, 218, 219],
  ptrace: 117,
  writeMemory: 271,
  chmod: [52],
  fchmodat: 53,
  mknodat: 33,
  openat: 56,
};
const ARM: SystemCalls = {
  audit: 0x40000028,
  socket: 281,
  socketpair: 288,
  connecting: [283, 282, 284, 285, 366],
  keys: [309, 310, 311],
  ptrace: 26,
  writeMemory: 377,
  chmod: [15, 94, 8, 14],
  fchmodat: 333,
  mknodat: 324,
  open: 5,
  openat: 322,
};

/** By Node's name of the processor: the convention of its own programs, and of the older programs that it runs as well. */
const CONVENTIONS: Record<string, readonly SystemCalls[]> = { x64: [X64, I386], arm64: [ARM64, ARM] };
