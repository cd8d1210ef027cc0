import { isOwnUser } from '../../../src/io/sockets/ownUser';

const own = process.getuid?.() ?? 0;
const incoming = { from: { address: '127.0.0.1', port: 40000 }, to: { address: '127.0.0.1', port: 8080 } };
const tableOf = (uid: number) =>
  `head\n   1: 0100007F:9C40 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  ${uid}        0 123 1 0000 20 4 30 10 -1\n`;

/** A table whose row is missing in the first readings. */
const lateTable = (missing: number, uid: number) => {
  let readings = 0;
  return (path: string) => (path === '/proc/net/tcp' && ++readings > missing ? tableOf(uid) : 'head\n');
};

describe('isOwnUser', () => {
  it.each([
    ['its own user', lateTable(0, own), true],
    ['another user', lateTable(0, own + 1), false],
    ['its own user, whose row a first reading lacks', lateTable(2, own), true],
    ['another user, whose row a first reading lacks', lateTable(2, own + 1), false],
    ['nobody that is listed', lateTable(1000, own), false],
  ])('knows a connection of %s', (_, readTable, expected) => {
    expect(isOwnUser(incoming, readTable)).toBe(expected);
  });
});
