import { columnsOf, hasColours, inLocale, printOver } from '../../src/cli/terminal';

const colours = (isTTY: boolean, env: NodeJS.ProcessEnv = {}): boolean =>
  hasColours({ stdout: { isTTY } as NodeJS.WriteStream & { fd: 1 }, env });

describe('hasColours', () => {
  it('holds for a terminal', () => {
    expect([colours(true), colours(true, { NO_COLOR: '', TERM: 'xterm' })]).toEqual([true, true]);
  });

  it('holds for a pipe with FORCE_COLOR, and for nothing if that is 0', () => {
    expect([colours(false, { FORCE_COLOR: '1', NO_COLOR: '1' }), colours(true, { FORCE_COLOR: '0' })]).toEqual([
      true,
      false,
    ]);
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

describe('inLocale', () => {
  const shown = (env: NodeJS.ProcessEnv, isTTY = true): string => inLocale('→ a… ──▶ é', { isTTY }, env);

  it('writes its signs in ASCII on a terminal without UTF-8', () => {
    expect(shown({ LANG: 'C' })).toBe('-> a... --> é');
    expect(shown({ LANG: 'en_US.UTF-8', LC_ALL: 'POSIX' })).toBe('-> a... --> é');
  });

  it.each([[{}], [{ LANG: 'C.UTF-8' }], [{ LANG: 'de_DE.utf8' }], [{ LANG: 'C', LC_CTYPE: 'C.UTF-8' }]])(
    'keeps them with %j',
    (env) => {
      expect(shown(env)).toBe('→ a… ──▶ é');
    },
  );

  it('keeps them for a pipe', () => {
    expect(shown({ LANG: 'C' }, false)).toBe('→ a… ──▶ é');
  });
});

describe('printOver', () => {
  const written = (text: string, isTTY: boolean): unknown[] => {
    const texts: unknown[] = [];
    printOver(text, { isTTY, columns: 10, write: (one: unknown) => texts.push(one) } as never);
    return texts;
  };

  it('writes over a line of a terminal, at most as wide, and not to a file', () => {
    expect(written('a\u001b long text', true)).toEqual(['\r\u001b[2Ka\\x1b lon']);
    expect(written('text', false)).toEqual([]);
  });
});
