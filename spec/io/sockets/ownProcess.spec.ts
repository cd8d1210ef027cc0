import { isOwnProcess, type Kernel, socketOwner } from '../../../src/io/sockets/ownProcess';

const own = process.getuid?.() ?? 0;

const ends = { from: { address: '127.0.0.1', port: 40000 }, to: { address: '127.0.0.1', port: 8080 } };

const tableOf = (uid: number) =>
  `head\n   1: 0100007F:9C40 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  ${uid}        0 123 1 0000 20 4 30 10 -1\n`;

/** A kernel whose table lacks the row in the first readings, and that knows these sockets of processes outside of sandboxes. */
const kernel = (missing: number, uid: number, sockets: readonly string[] = ['123']): Kernel => {
  let readings = 0;
  return {
    read: (path) => (path === '/proc/net/tcp' && ++readings > missing ? tableOf(uid) : 'head\n'),
    isOpenHere: (inode) => sockets.includes(inode),
  };
};

describe('isOwnProcess', () => {
  it.each([
    ['its own user', kernel(0, own), true],
    ['another user', kernel(0, own + 1), false],
    ['its own user, in a sandbox', kernel(0, own, ['124']), false],
    ['its own user, whose row a first reading lacks', kernel(2, own), true],
    ['another user, whose row a first reading lacks', kernel(2, own + 1), false],
    ['nobody that is listed', kernel(1000, own), false],
  ])('knows a connection of %s', (_, kernel, expected) => {
    expect(isOwnProcess(ends, kernel)).toBe(expected);
  });
});

const HEAD = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode';

const row = (local: string, remote: string, uid: number, state = '01') =>
  `   1: ${local} ${remote} ${state} 00000000:00000000 00:00000000 00000000  ${uid}        0 123 1 0000 20 4 30 10 -1`;

const at = (address: string, port: number) => ({ address, port });

const tables = [
  [
    HEAD,
    row('0100007F:1F90', '0100007F:9C40', 0), // the server's end
    row('0100007F:9C40', '0100007F:1F90', 1000),
    row('0100007F:9C41', '0100007F:1F90', 1001, '06'),
    '',
  ].join('\n'),
  [
    HEAD,
    row('0000000000000000FFFF00000100007F:9C42', '0000000000000000FFFF00000100007F:1F90', 1002),
    row('00000000000000000000000001000000:9C43', '00000000000000000000000001000000:1F90', 1003),
    '',
  ].join('\n'),
];

describe('socketOwner', () => {
  it.each([
    ['IPv4', at('127.0.0.1', 40000), at('127.0.0.1', 8080), { uid: 1000, inode: '123' }],
    [
      'IPv4 as a listener of IPv6 has it',
      at('::ffff:127.0.0.1', 40000),
      at('::ffff:127.0.0.1', 8080),
      { uid: 1000, inode: '123' },
    ],
    ['IPv4 from a socket of IPv6', at('127.0.0.1', 40002), at('127.0.0.1', 8080), { uid: 1002, inode: '123' }],
    ['IPv6', at('::1', 40003), at('::1', 8080), { uid: 1003, inode: '123' }],
    ['a connection that is closing', at('127.0.0.1', 40001), at('127.0.0.1', 8080), undefined],
    ['another port of the client', at('127.0.0.1', 40009), at('127.0.0.1', 8080), undefined],
    ['another port of the server', at('127.0.0.1', 40000), at('127.0.0.1', 8081), undefined],
  ])('finds the user and the number of %s', (_, from, to, expected) => {
    expect(socketOwner(tables, { from, to })).toEqual(expected);
  });
});
