import type { Network } from '../../../../src/executor/sandbox/sandbox';
import { seccompFilter } from '../../../../src/executor/sandbox/wrapper/seccompFilter';

type Call = { convention: number; number: number; args?: [number?, number?] };

/** Runs a filter as the kernel does: what it says of a system call. Source: linux/filter.h, linux/seccomp.h. */
const verdict = (program: Uint8Array, { convention, number, args: [first = 0, second = 0] = [] }: Call): string => {
  const bytes = Buffer.from(program);
  const memory: Record<number, number> = { 0: number, 4: convention, 16: first, 24: second };
  let value = 0;
  for (let at = 0; ; at += 1) {
    const [code, yes, no, operand] = [
      bytes.readUInt16LE(at * 8),
      bytes.readUInt8(at * 8 + 2),
      bytes.readUInt8(at * 8 + 3),
      bytes.readUInt32LE(at * 8 + 4),
    ];
    if (code === 0x20) value = memory[operand] as number;
    else if (code === 0x54) value = (value & operand) >>> 0;
    else if (code === 0x15) at += value === operand ? yes : no;
    else if (code === 0x35) at += value >= operand ? yes : no;
    else if (code === 0x06) return operand === 0x7fff0000 ? 'allow' : operand === 0x00050001 ? 'EPERM' : `${operand}`;
    else throw new Error(`unknown instruction ${code}`);
  }
};

const X64 = 0xc000003e;
const ARM64 = 0xc00000b7;
const I386 = 0x40000003;
const UNIX = 1;
const INET = 2;
const [STREAM, DGRAM, RAW, SEQPACKET, CLOEXEC] = [1, 2, 3, 5, 0o2000000];

const asked = (arch: string, network: Network, call: Call): string =>
  verdict(seccompFilter(arch, network) as Uint8Array, call);
const x64 = (network: Network, number: number, ...args: [number?, number?]) =>
  asked('x64', network, { convention: X64, number, args });

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
    ['a convention nobody knows', 'x64', { convention: ARM64, number: 63 }, 'EPERM', 'EPERM'],
  ] as const)('answers other conventions: %s', (_, arch, call, closed, open) => {
    const one = call as unknown as Call;
    expect([asked(arch, 'closed', one), asked(arch, 'open', one)]).toEqual([closed, open]);
  });

  it('has none for a processor it does not know', () => {
    expect(seccompFilter('s390x', 'closed')).toBeUndefined();
  });
});
