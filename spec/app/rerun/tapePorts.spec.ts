import { keyOfCall } from '../../../src/app/rerun/tapePorts';

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

  it('compares requests at other seams as they are', () => {
    expect(keyOfCall({ seam: 'model', line: '{"a":1}' })).toBe('{"a":1}');
  });
});
