import { toFindingLines } from '../../../src/cli/doctor/finding';

describe('toFindingLines', () => {
  it('is a line for what is well, with its time', () => {
    expect(toFindingLines({ check: 'server', state: 'ok', text: 'answers', ms: 7 })).toEqual([
      'ok  server      answers (7 ms)',
    ]);
  });

  it('puts the lines of a reason and of its remedy below each other, so that none is taken for a finding', () => {
    const found = { check: 'config', state: 'fault', text: 'one\r\nok  login  \u001b[1m\n', remedy: 'a\nb' } as const;
    expect(toFindingLines(found)).toEqual([
      'NO  config      one',
      '                ok  login  \\x1b[1m',
      '                → a',
      '                  b',
    ]);
  });

  it('breaks long lines between words in a terminal, below each other', () => {
    const found = { check: 'login', state: 'warning', text: 'none of them', remedy: 'codex-rx login' } as const;
    expect(toFindingLines(found, 27)).toEqual([
      ' !  login       none of',
      '                them',
      '                → codex-rx',
      '                  login',
    ]);
  });
});
