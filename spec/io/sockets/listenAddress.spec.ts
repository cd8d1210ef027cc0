import { isLoopback, toListenAddress } from '../../../src/io/sockets/listenAddress';

describe('toListenAddress', () => {
  it.each([
    ['stdio', 'stdio'],
    ['stdio://', 'stdio'],
    ['ws://127.0.0.1:0', { host: '127.0.0.1', port: 0 }],
    ['ws://[::1]:4500', { host: '::1', port: 4500 }],
    ['ws://0.0.0.0:65535/', { host: '0.0.0.0', port: 65_535 }],
    ['unix:///run/x', { path: '/run/x' }],
  ])('reads %s', (listen, address) => {
    expect(toListenAddress(listen)).toEqual(address);
  });

  it.each([
    'ws://localhost:0',
    'ws://127.0.0.1',
    'ws://127.0.0.1:65536',
    'ws://127.0.0.1:x',
    'ws://::1:1',
    'ws://[127.0.0.1]:1',
    'ws://1.2.3.4.5:1',
    'ws://127.0.0.1:1/path',
    'wss://127.0.0.1:1',
    'http://127.0.0.1:1',
    'unix://x',
    '',
  ])('refuses %s', (listen) => {
    expect(() => toListenAddress(listen)).toThrow(`--listen must be stdio, ws://IP:PORT, such as`);
  });
});

describe('isLoopback', () => {
  it.each([
    ['127.0.0.1', true],
    ['127.9.9.9', true],
    ['::1', true],
    ['::ffff:127.0.0.1', true],
    ['0.0.0.0', false],
    ['::', false],
    ['10.0.0.5', false],
    ['12.7.0.1', false],
  ])('reads %s: %s', (host, answer) => {
    expect(isLoopback({ host, port: 1 })).toBe(answer);
  });
});
