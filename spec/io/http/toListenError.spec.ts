import { toListenError } from '../../../src/io/http/toListenError';

const errorOf = (code: string) => Object.assign(new Error(`listen ${code}`), { code, syscall: 'listen' });

describe('toListenError', () => {
  it.each([
    [
      '127.0.0.1',
      'EADDRINUSE',
      'cannot listen at 127.0.0.1:80 (EADDRINUSE); another program listens there: name another port, or end that program',
    ],
    ['::1', 'EACCES', 'cannot listen at [::1]:80 (EACCES); this user may not listen there: name a port from 1024 on'],
    [
      '10.0.0.9',
      'EADDRNOTAVAIL',
      'cannot listen at 10.0.0.9:80 (EADDRNOTAVAIL); this machine has no such address: name one of its own',
    ],
    ['::1', 'EMFILE', 'listen EMFILE'],
  ])('at %s, %s', (host, code, message) => {
    const error = toListenError({ host, port: 80 }, errorOf(code));
    expect([error.message, error.code]).toEqual([message, code]);
  });
});
