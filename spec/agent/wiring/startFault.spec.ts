import { startFault } from '../../../src/agent/wiring/wiring';

const NO_FOLDER = '/nonexistent-codex-home';
const wiringWith = (overrides: readonly string[]) =>
  ({
    processInfo: {
      env: {},
      cwd: process.cwd(),
      codexHome: NO_FOLDER,
      dist: '/dist',
      node: process.execPath,
      platform: 'linux',
      arch: 'x64',
      version: '0.1.0',
    },
    options: {
      engine: 'native',
      tape: { speed: 'max', match: 'strict' },
      modelTimeoutMs: 1,
      turnTimeoutMs: 1,
      overrides,
    },
  }) as const;

describe('startFault', () => {
  it('is undefined if the configuration can be used', () =>
    expect(startFault(wiringWith(['model="m"']))).toBeUndefined());

  it('names what cannot be used', () => {
    expect(startFault(wiringWith(['novalue']))).toContain('novalue');
    expect(startFault(wiringWith(['approval_policy="sometimes"']))).toContain('approval_policy');
  });
});
