import { keyOfCall } from '../../../src/tapes/seams/keyOfCall';
import { toSpecLine } from '../../../src/tapes/seams/recordPorts';

const key = (argv: string[], more: object = {}) =>
  keyOfCall({ seam: 'executor', line: JSON.stringify({ argv, cwd: '/w', env: [], ...more }) });

describe('keyOfCall', () => {
  it('compares command and folder of a process, not the descriptors of the daemon that starts it', () => {
    const sandboxed = (descriptor: string) => key(['bash', descriptor, 'ls']);
    expect(sandboxed('/proc/17752/fd/18')).toBe(sandboxed('/proc/14323/fd/19'));
    expect(sandboxed('/proc/1/fd/2')).not.toBe(sandboxed('/proc/1/status'));
    expect(key(['ls'], { env: ['A'] })).toBe(key(['ls']));
    expect(key(['ls'], { cwd: '/x' })).not.toBe(key(['ls']));
    expect(key(['ls'])).not.toBe(key(['pwd']));
  });

  it('finds a process on a tape whose arguments were written with their secrets', () => {
    const written = toSpecLine({ argv: ['server', '--token', 'abc123'], cwd: '/w', env: {} });
    expect(keyOfCall({ seam: 'executor', line: written })).toBe(key(['server', '--token', 'abc123']));
    expect(key(['server', '--port', '1'])).not.toBe(key(['server', '--port', '2']));
  });

  it('compares requests at other seams as they are', () => {
    expect(keyOfCall({ seam: 'model', line: '{"a":1}' })).toBe('{"a":1}');
  });
});
