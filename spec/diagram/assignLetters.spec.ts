import { assignLetters } from '../../src/diagram/assignLetters';
import type { Sign } from '../../src/diagram/chart';

const small = (of: string): Sign => ({ kind: 'letter', of, size: 'small' });
const capital = (of: string): Sign => ({ kind: 'letter', of, size: 'capital' });

describe('assignLetters', () => {
  it('gives a name one letter, in the case that is asked for', () => {
    expect(assignLetters([small('ping'), capital('ping'), small('ping')])).toEqual(['p', 'P', 'p']);
  });

  it('takes the first free letter of the last part of a name, else the next of the alphabet', () => {
    expect(assignLetters([small('tools/call codex'), small('cc'), small('cc/call')])).toEqual(['c', 'a', 'l']);
  });

  it('never takes x, and takes one sign for all where no letter is left', () => {
    const names = Array.from({ length: 27 }, (_, i) => small(`x${i}`));
    expect(assignLetters(names).join('')).toBe('abcdefghijklmnopqrstuvwyz**');
  });

  it('leaves fixed signs as they are', () => {
    expect(assignLetters([{ kind: 'fixed', text: '!' }, small('!')])).toEqual(['!', 'a']);
  });
});
