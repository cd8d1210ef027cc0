import { EventEmitter } from 'node:events';
import type { Duplex } from 'node:stream';
import { limitConnect } from '../../../src/io/http/sendRequest';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** A request with a limit of 5 s, and the errors that it was late with. */
const limited = (connectMs = 5_000) => {
  const request = new EventEmitter();
  const late: (Error & { code?: string })[] = [];
  const withSocket = (use: (socket: Duplex) => void) => request.once('socket', use);
  const lift = limitConnect({ connectMs, onLate: (error) => late.push(error), withSocket });
  return { request, late, lift };
};
const socket = (own: { connecting: boolean; secureConnecting?: boolean }) => Object.assign(new EventEmitter(), own);

describe('limitConnect', () => {
  it('reports a request without a socket, once', () => {
    const { late } = limited();
    jest.advanceTimersByTime(4_999);
    expect(late).toEqual([]);
    jest.advanceTimersByTime(60_000);
    expect(late.map(({ code, message }) => [code, message])).toEqual([['ECONNECTTIMEOUT', 'no connection within 5 s']]);
  });

  it.each([
    ['a socket that is connected    ', { connecting: false }, undefined, 0],
    ['one that connects             ', { connecting: true }, 'connect', 0],
    ['one that does not             ', { connecting: true }, undefined, 1],
    ['TLS that is ready             ', { connecting: false, secureConnecting: false }, undefined, 0],
    ['TLS without its handshake     ', { connecting: false, secureConnecting: true }, 'connect', 1],
    ['TLS with its handshake        ', { connecting: true, secureConnecting: true }, 'secureConnect', 0],
  ])('with %s', (_, own, event, count) => {
    const { request, late } = limited();
    const connection = socket(own);
    request.emit('socket', connection);
    if (event !== undefined) connection.emit(event);
    jest.advanceTimersByTime(5_000);
    expect(late).toHaveLength(count);
  });

  it('reports nothing once the limit is lifted, and has no timer without a limit', () => {
    const lifted = limited();
    lifted.lift();
    const unlimited = limited(0);
    expect(jest.getTimerCount()).toBe(0);
    jest.advanceTimersByTime(60_000);
    expect([lifted.late, unlimited.late]).toEqual([[], []]);
  });
});
