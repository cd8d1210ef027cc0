/** The numbers of the system calls that a filter looks at. */

/**
 * Numbers of system calls. `audit` is the kernel's name of the calling convention; `x32` marks calls of another one with the
 * same name; `socketcall` is the older way to all of the socket calls at once.
 */
export type SystemCalls = {
  audit: number;
  x32?: number;
  socket: number;
  socketpair: number;
  connecting: readonly number[];
  socketcall?: number;
  keys: readonly number[];
  ptrace: number;
  writeMemory: number;
};

/**
 * Source: the tables of Linux 6.12. `connecting`: connect, bind, listen, accept, accept4. `keys`: add_key, request_key, keyctl.
 * `writeMemory`: process_vm_writev.
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
};
const ARM64: SystemCalls = {
  audit: 0xc00000b7,
  socket: 198,
  socketpair: 199,
  connecting: [203, 200, 201, 202, 242],
  keys: [217, 218, 219],
  ptrace: 117,
  writeMemory: 271,
};
const ARM: SystemCalls = {
  audit: 0x40000028,
  socket: 281,
  socketpair: 288,
  connecting: [283, 282, 284, 285, 366],
  keys: [309, 310, 311],
  ptrace: 26,
  writeMemory: 377,
};

/** By Node's name of the processor: the convention of its own programs, and of older ones that it runs as well. */
export const CONVENTIONS: Record<string, readonly SystemCalls[]> = { x64: [X64, I386], arm64: [ARM64, ARM] };
