import type { Sign } from '../../../src/tapes/diagram/chart';
import { assignLetters } from '../../../src/tapes/diagram/toChart';

const small = (of: string): Extract<Sign, { kind: 'letter' }> => ({ kind: 'letter', of, size: 'small' });
const capital = (of: string): Sign => ({ kind: 'letter', of, size: 'capital' });

describe('assignLetters', () => {
  it('gives a name one letter, in the case that is asked for', () => {
    expect(assignLetters([small('ping'), capital('ping'), small('ping')])).toEqual(['p', 'P', 'p']);
  });

  it('takes the first free letter of the last part of a name, else the next of the alphabet', () => {
    expect(assignLetters([small('tools/call codex'), small('cc'), small('cc/call')])).toEqual(['c', 'a', 'l']);
  });

  it('never takes x, and goes on in other alphabets', () => {
    const names = Array.from({ length: 52 }, (_, i) => small(`x${i}`));
    expect(assignLetters(names).join('')).toBe('abcdefghijklmnopqrstuvwyzγδθλξπσφψωбджзийлцчшщыэюяàá');
    expect(assignLetters(names.map(({ of }) => capital(of))).join('')).toMatch(/YZΓΔΘΛΞΠΣΦΨΩБДЖ.*ÀÁ$/);
  });

  it('has eleven thousand letters, and one sign for all names after', () => {
    const names = Array.from({ length: 11_600 }, (_, i) => small(`x${i}`));
    const letters = assignLetters(names);
    const given = letters.filter((letter) => letter !== '*');
    expect([given.length, new Set(given).size, letters.at(-1)]).toEqual([11_540, 11_540, '*']);
    expect(letters.every((letter) => letter.length === 1)).toBe(true);
  });

  it('leaves fixed signs as they are', () => {
    expect(assignLetters([{ kind: 'fixed', text: '!' }, small('!')])).toEqual(['!', 'a']);
  });
});
