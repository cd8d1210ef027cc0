import { colours, noColours } from '../../src/terminal';

describe('colours', () => {
  it('begin a style and end it', () => {
    expect(colours('red', 'text')).toBe('\u001b[31mtext\u001b[0m');
  });
});

describe('noColours', () => {
  it('leave the text as it is', () => {
    expect(noColours('red', 'text')).toBe('text');
  });
});
