import { scriptOf } from '../../../src/agent/safety/script';

describe('scriptOf', () => {
  it.each([
    [['bash', '-lc', 'ls'], 'ls'],
    [['bash', '-lc', ''], ''],
    [['bash', '-lc'], undefined],
    [['bash', '-lc', 'ls', 'x'], undefined],
    [['bash', '-c', 'ls'], undefined],
    [['bash', '-cl', 'ls'], undefined],
    [['sh', '-lc', 'ls'], undefined],
    [['/bin/bash', '-lc', 'ls'], undefined],
  ])('of %j is %j', (argv, script) => {
    expect(scriptOf(argv)).toBe(script);
  });
});
