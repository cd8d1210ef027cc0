import { type Ended, isLikelyDenied } from '../../../src/executor/sandbox/isLikelyDenied';

const ended = (own: Partial<Ended>): Ended => ({ exitCode: 1, stdout: '', stderr: '', network: 'closed', ...own });

describe('isLikelyDenied', () => {
  it.each([
    ['touch', "touch: cannot touch '/etc/x': Read-only file system\n"],
    ['bash', 'bash: line 1: /etc/x: Permission denied\n'],
    ['python', 'PermissionError: [Errno 1] Operation not permitted\n'],
    ['node', "Error: EROFS: read-only file system, open '/etc/x'\n"],
    ['node, by its code alone', "code: 'EACCES'\n"],
    ['npm', 'npm error code EPERM\n'],
  ])('is true for a file kept from %s', (_, stderr) => {
    expect(isLikelyDenied(ended({ stderr }))).toBe(true);
    expect(isLikelyDenied(ended({ stderr, network: 'open' }))).toBe(true);
  });

  it.each([
    ['curl', 'curl: (6) Could not resolve host: example.com\n'],
    ['cargo', "error: Couldn't resolve host name\n"],
    ['git', 'ssh: Could not resolve hostname x: Temporary failure in name resolution\n'],
    ['python', '[Errno -2] Name or service not known\n'],
    ['node', 'Error: getaddrinfo EAI_AGAIN example.com\n'],
    ['go', 'dial tcp: lookup example.com: no such host\n'],
    ['java', 'java.net.UnknownHostException: example.com\n'],
    ['ping', 'connect: Network is unreachable\n'],
  ])('is true for the network kept from %s, if it is closed', (_, stderr) => {
    expect(isLikelyDenied(ended({ stderr }))).toBe(true);
    expect(isLikelyDenied(ended({ stderr, network: 'open' }))).toBe(false);
  });

  it.each([130, 137, 139, 143, 159])('is true for death by signal, exit code %d', (exitCode) => {
    expect(isLikelyDenied(ended({ exitCode }))).toBe(true);
  });

  it.each([
    ['success', ended({ exitCode: 0, stderr: 'warning: permission denied\n' })],
    ['a missing program', ended({ exitCode: 127, stderr: 'bash: line 1: x: Permission denied\n' })],
    ['a failure without words', ended({})],
    ['failing tests', ended({ stdout: '1 failed, 3 passed\n', stderr: 'Tests failed\n' })],
    ['a search that found nothing', ended({ exitCode: 1 })],
    ['bad usage', ended({ exitCode: 2, stderr: 'ls: unrecognized option\n' })],
    [
      'words on stdout of a program that says another thing',
      ended({ stdout: 'EACCES\n', stderr: 'assertion failed\n' }),
    ],
    ['the greatest exit code', ended({ exitCode: 255 })],
  ])('is false for %s', (_, end) => {
    expect(isLikelyDenied(end)).toBe(false);
  });

  it('reads stdout if stderr is empty', () => {
    expect(isLikelyDenied(ended({ stdout: 'Read-only file system\n', stderr: ' \n' }))).toBe(true);
  });
});
