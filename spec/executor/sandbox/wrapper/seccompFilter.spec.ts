import type { Sockets } from '../../../../src/executor/sandbox/sandbox';
import { seccompFilter } from '../../../../src/executor/sandbox/wrapper/seccompFilter';

type Call = { convention: number; number: number; args?: readonly number[] };

const VERDICTS: Record<number, string> = { 2147418112: 'allow', 327681: 'EPERM', 327718: 'ENOSYS' };

/** Runs a filter as the kernel does: what it says of a system call. Source: linux/filter.h, linux/seccomp.h. */
const verdict = (program: Uint8Array, { convention, number, args = [] }: Call): string => {
  const bytes = Buffer.from(program);
  const memory = (place: number) => (place === 0 ? number : place === 4 ? convention : (args[(place - 16) / 8] ?? 0));
  let value = 0;
  for (let at = 0; ; at += 1) {
    const [code, yes, no, operand] = [
      bytes.readUInt16LE(at * 8),
      bytes.readUInt8(at * 8 + 2),
      bytes.readUInt8(at * 8 + 3),
      bytes.readUInt32LE(at * 8 + 4),
    ];
    if (code === 0x20) value = memory(operand);
    else if (code === 0x54) value = (value & operand) >>> 0;
    else if (code === 0x15) at += value === operand ? yes : no;
    else if (code === 0x35) at += value >= operand ? yes : no;
    else if (code === 0x45) at += (value & operand) !== 0 ? yes : no;
    else if (code === 0x06) return VERDICTS[operand] ?? `${operand}`;
    else throw new Error(`unknown instruction ${code}`);
  }
};

const X64 = 0xc000003e;
const ARM64 = 0xc00000b7;
const I386 = 0x40000003;
const UNIX = 1;
const INET = 2;
const [STREAM, DGRAM, RAW, SEQPACKET, CLOEXEC] = [1, 2, 3, 5, 0o2000000];

const asked = (arch: string, sockets: Sockets, call: Call): string =>
  verdict(seccompFilter(arch, sockets) as Uint8Array, call);
const x64 = (sockets: Sockets, number: number, ...args: readonly number[]) =>
  asked('x64', sockets, { convention: X64, number, args });

describe('seccompFilter', () => {
  it.each([
    ['read', 0, [], 'allow', 'allow'],
    ['execve', 59, [], 'allow', 'allow'],
    ['socket of Unix', 41, [UNIX, STREAM], 'EPERM', 'EPERM'],
    ['socket of IPv4', 41, [INET, STREAM], 'EPERM', 'allow'],
    ['socket of IPv6', 41, [10, DGRAM], 'EPERM', 'allow'],
    ['socket of netlink', 41, [16, RAW], 'EPERM', 'allow'],
    ['socket of a virtual machine', 41, [40, STREAM], 'EPERM', 'EPERM'],
    ['socket of packets', 41, [17, RAW], 'EPERM', 'EPERM'],
    ['connect', 42, [3], 'EPERM', 'allow'],
    ['bind', 49, [3], 'EPERM', 'allow'],
    ['listen', 50, [3], 'EPERM', 'allow'],
    ['accept', 43, [3], 'EPERM', 'allow'],
    ['accept4', 288, [3], 'EPERM', 'allow'],
    ['socketpair of streams', 53, [UNIX, STREAM | CLOEXEC], 'allow', 'allow'],
    ['socketpair of packets in order', 53, [UNIX, SEQPACKET], 'allow', 'allow'],
    ['socketpair of datagrams', 53, [UNIX, DGRAM | CLOEXEC], 'EPERM', 'EPERM'],
    ['socketpair of raw ones, which are datagrams too', 53, [UNIX, RAW], 'EPERM', 'EPERM'],
    ['socketpair of another family', 53, [30, STREAM], 'EPERM', 'EPERM'],
    ['sendmsg', 46, [3], 'allow', 'allow'],
    ['getsockname', 51, [0], 'allow', 'allow'],
    ['io_uring_setup', 425, [], 'EPERM', 'EPERM'],
    ['io_uring_enter', 426, [], 'EPERM', 'EPERM'],
    ['keyctl', 250, [], 'EPERM', 'EPERM'],
    ['ptrace of the first process', 101, [16, 1], 'EPERM', 'EPERM'],
    ['ptrace of another', 101, [16, 2], 'allow', 'allow'],
    ['ptrace by the parent', 101, [0, 0], 'allow', 'allow'],
    ['process_vm_writev into the first process', 311, [1], 'EPERM', 'EPERM'],
    ['process_vm_writev into another', 311, [2], 'allow', 'allow'],
    ['chmod', 90, [0, 0o755], 'allow', 'allow'],
    ['chmod with set-user-ID', 90, [0, 0o4755], 'EPERM', 'EPERM'],
    ['chmod with set-group-ID', 90, [0, 0o2755], 'EPERM', 'EPERM'],
    ['chmod with the sticky bit', 90, [0, 0o1777], 'allow', 'allow'],
    ['fchmod with set-user-ID', 91, [0, 0o104755], 'EPERM', 'EPERM'],
    ['fchmodat with set-user-ID', 268, [0, 0, 0o4711], 'EPERM', 'EPERM'],
    ['fchmodat2 with set-user-ID', 452, [0, 0, 0o4711, 0], 'EPERM', 'EPERM'],
    ['creat with set-user-ID', 85, [0, 0o4755], 'EPERM', 'EPERM'],
    ['mknod with set-user-ID', 133, [0, 0o104755], 'EPERM', 'EPERM'],
    ['mknodat with set-user-ID', 259, [0, 0, 0o104755], 'EPERM', 'EPERM'],
    ['open that makes a file', 2, [0, 0o101, 0o644], 'allow', 'allow'],
    ['open that makes a file with set-user-ID', 2, [0, 0o101, 0o4755], 'EPERM', 'EPERM'],
    ['open that makes none, so that its mode is anything', 2, [0, 0o1, 0o4755], 'allow', 'allow'],
    ['open of a folder', 2, [0, 0o200000, 0o4755], 'allow', 'allow'],
    ['openat that makes a file with set-user-ID', 257, [0, 0, 0o102, 0o4755], 'EPERM', 'EPERM'],
    ['openat that makes a file without a name', 257, [0, 0, 0o20200002, 0o4755], 'EPERM', 'EPERM'],
    ['openat', 257, [0, 0, 0, 0o4755], 'allow', 'allow'],
    ['openat2', 437, [], 'ENOSYS', 'ENOSYS'],
    ['mkdir, which drops the bits', 83, [0, 0o2755], 'allow', 'allow'],
    ['socket by the x32 convention', 0x40000000 + 41, [INET, STREAM], 'EPERM', 'EPERM'],
  ] as const)('answers %s', (_, number, args, closed, open) => {
    expect([x64('closed', number, ...args), x64('open', number, ...args)]).toEqual([closed, open]);
  });

  it.each([
    ['i386, socket', 'x64', { convention: I386, number: 359, args: [INET] }, 'EPERM', 'allow'],
    ['i386, all calls of sockets in one', 'x64', { convention: I386, number: 102 }, 'EPERM', 'EPERM'],
    ['i386, read', 'x64', { convention: I386, number: 3 }, 'allow', 'allow'],
    ['arm64, socket', 'arm64', { convention: ARM64, number: 198, args: [INET] }, 'EPERM', 'allow'],
    ['arm64, socket of Unix', 'arm64', { convention: ARM64, number: 198, args: [UNIX] }, 'EPERM', 'EPERM'],
    ['i386, ptrace of the first process', 'x64', { convention: I386, number: 26, args: [16, 1] }, 'EPERM', 'EPERM'],
    ['i386, process_vm_writev', 'x64', { convention: I386, number: 348, args: [1] }, 'EPERM', 'EPERM'],
    [
      'arm64, ptrace of the first process',
      'arm64',
      { convention: ARM64, number: 117, args: [16, 1] },
      'EPERM',
      'EPERM',
    ],
    ['arm64, process_vm_writev', 'arm64', { convention: ARM64, number: 271, args: [1] }, 'EPERM', 'EPERM'],
    ['arm64, connect', 'arm64', { convention: ARM64, number: 203 }, 'EPERM', 'allow'],
    ['arm64, read', 'arm64', { convention: ARM64, number: 63 }, 'allow', 'allow'],
    ['arm, socket', 'arm64', { convention: 0x40000028, number: 281, args: [UNIX] }, 'EPERM', 'EPERM'],
    ['i386, chmod', 'x64', { convention: I386, number: 15, args: [0, 0o4755] }, 'EPERM', 'EPERM'],
    ['i386, open', 'x64', { convention: I386, number: 5, args: [0, 0o100, 0o4755] }, 'EPERM', 'EPERM'],
    ['arm64, fchmodat', 'arm64', { convention: ARM64, number: 53, args: [0, 0, 0o4755] }, 'EPERM', 'EPERM'],
    ['arm64, openat', 'arm64', { convention: ARM64, number: 56, args: [0, 0, 0o100, 0o4755] }, 'EPERM', 'EPERM'],
    ['arm, fchmodat', 'arm64', { convention: 0x40000028, number: 333, args: [0, 0, 0o4755] }, 'EPERM', 'EPERM'],
    ['a convention nobody knows', 'x64', { convention: ARM64, number: 63 }, 'EPERM', 'EPERM'],
  ] as const)('answers other conventions: %s', (_, arch, call, closed, open) => {
    const one = call as unknown as Call;
    expect([asked(arch, 'closed', one), asked(arch, 'open', one)]).toEqual([closed, open]);
  });

  it.each([
    ['socket of Unix', 41, [UNIX, STREAM], 'allow'],
    ['socket of IPv4', 41, [INET, STREAM], 'allow'],
    ['socket of a virtual machine', 41, [40, STREAM], 'EPERM'],
    ['connect', 42, [3], 'allow'],
    ['socketpair of datagrams', 53, [UNIX, DGRAM], 'allow'],
    ['socketpair of another family', 53, [30, STREAM], 'EPERM'],
    ['io_uring_setup', 425, [], 'EPERM'],
    ['ptrace of the first process', 101, [16, 1], 'EPERM'],
    ['chmod with set-user-ID', 90, [0, 0o4755], 'EPERM'],
  ] as const)('with Unix sockets answers %s', (_, number, args, answer) => {
    expect(x64('local', number, ...args)).toBe(answer);
  });

  it('has none for a processor it does not know', () => {
    expect(seccompFilter('s390x', 'closed')).toBeUndefined();
  });
});
