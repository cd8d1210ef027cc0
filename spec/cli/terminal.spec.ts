import { hasColours, tapeLinesFor } from '../../src/cli/terminal';
import { faultsOf, HOSTILE } from '../support/hostile';

describe('tapeLinesFor', () => {
  it('shows on a terminal what would command it, and leaves a file as it is', () => {
    const text = `${JSON.stringify({ line: HOSTILE })}\nno JSON \u009b2J`;
    expect(faultsOf(tapeLinesFor({ isTTY: true }, text))).toEqual([]);
    expect(JSON.parse(tapeLinesFor({ isTTY: true }, text).split('\n')[0] ?? '')).toEqual({ line: HOSTILE });
    expect(tapeLinesFor({ isTTY: false }, text)).toBe(text);
  });
});

describe('hasColours', () => {
  const stdout = (isTTY: boolean) => ({ isTTY }) as NodeJS.Process['stdout'];

  it.each([
    [true, {}, true],
    [false, {}, false],
    [true, { NO_COLOR: '1' }, false],
    [true, { TERM: 'dumb' }, false],
  ])('on a terminal (%s) with %j: %s', (isTTY, env, expected) => {
    expect(hasColours({ stdout: stdout(isTTY), env })).toBe(expected);
  });
});
