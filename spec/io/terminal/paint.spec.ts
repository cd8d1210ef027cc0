import { colours, noColours, toTerminalLine } from '../../../src/io/terminal/paint';
import { faultsOf, HOSTILE } from '../../support/hostile';

describe('colours', () => {
  it('begin a style and end it', () => {
    expect(colours('red', 'text')).toBe('\u001b[31mtext\u001b[0m');
  });

  it('let nothing else in a text command the terminal', () => {
    expect(colours('red', 'a\u001b[2Jb')).toBe('\u001b[31ma\\x1b[2Jb\u001b[0m');
  });
});

describe('noColours', () => {
  it('leave the text as it is, but for what would command the terminal', () => {
    expect([noColours('red', 'text'), noColours('red', '\u009b2J')]).toEqual(['text', '\\u009b2J']);
  });
});

describe('toTerminalLine', () => {
  it('keeps the sequences of colours and no others', () => {
    const painted = `${colours('red', 'a')} b ${colours('dim', 'c')}`;
    expect(toTerminalLine(painted)).toBe(painted);
    expect(toTerminalLine('\u001b[8mhidden\u001b[0m')).toBe('\\x1b[8mhidden\u001b[0m');
    expect(faultsOf(toTerminalLine(HOSTILE.replaceAll('\u001b[31m', '')))).toEqual([]);
  });
});
