import { columnsOf, hasColours } from '../../src/cli/terminal';

const colours = (isTTY: boolean, env: NodeJS.ProcessEnv = {}): boolean =>
  hasColours({ stdout: { isTTY } as NodeJS.WriteStream & { fd: 1 }, env });

describe('hasColours', () => {
  it('holds for a terminal', () => {
    expect([colours(true), colours(true, { NO_COLOR: '', TERM: 'xterm' })]).toEqual([true, true]);
  });

  it.each([
    ['a pipe', false, {}],
    ['NO_COLOR', true, { NO_COLOR: '1' }],
    ['a dumb terminal', true, { TERM: 'dumb' }],
  ])('does not hold for %s', (_, isTTY, env) => {
    expect(colours(isTTY, env)).toBe(false);
  });
});

describe('columnsOf', () => {
  it('are those of a terminal, 80 for a pipe', () => {
    expect([columnsOf({ columns: 132 }), columnsOf({}), columnsOf({ columns: 0 })]).toEqual([132, 80, 80]);
  });
});
