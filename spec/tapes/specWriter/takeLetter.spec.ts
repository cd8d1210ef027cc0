import {
  hasFree,
  keepLetters,
  type LetterRequest,
  NO_LETTERS,
  takeLetter,
} from '../../../src/tapes/specWriter/writeLine';

const requestOf = (text: string, more: Partial<LetterRequest> = {}): LetterRequest => ({
  ...{ side: 'client', text, preferred: '', inUse: [], ...more },
});

describe('takeLetter', () => {
  it('gives a text the same letter every time, and returns new letters', () => {
    const first = takeLetter(NO_LETTERS, requestOf('one', { preferred: 'Ping' }));
    expect(first).toMatchObject({ letter: 'p', isNew: true });
    expect(takeLetter(first.letters, requestOf('one'))).toEqual({ letters: first.letters, letter: 'p', isNew: false });
    expect(NO_LETTERS.taken.size).toBe(0);
  });

  it('takes the first preferred letter that is free, else the next of the alphabet, in the case of the side', () => {
    const { letters } = takeLetter(NO_LETTERS, requestOf('one', { preferred: 'p' }));
    expect(takeLetter(letters, requestOf('two', { preferred: 'pi' })).letter).toBe('i');
    expect(takeLetter(letters, requestOf('two', { preferred: 'p' })).letter).toBe('a');
    expect(takeLetter(letters, requestOf('two', { side: 'server', preferred: 'p' })).letter).toBe('P');
  });

  it('gives a text another letter while its first belongs to a request that waits', () => {
    const { letters } = takeLetter(NO_LETTERS, requestOf('one', { preferred: 'p' }));
    expect(takeLetter(letters, requestOf('one', { preferred: 'p', inUse: ['p'] }))).toMatchObject({
      letter: 'a',
      isNew: true,
    });
  });

  it.each(['client', 'server'] as const)(
    'has more letters for the %s than the alphabets, then names the remedy',
    (side) => {
      const texts = Array.from({ length: 400 }, (_, i) => `text ${i}`);
      const all = texts.reduce((letters, text) => takeLetter(letters, requestOf(text, { side })).letters, NO_LETTERS);
      expect(all.taken.size).toBe(400);
      const full = { ...all, taken: { has: () => true } as unknown as ReadonlySet<string> };
      expect(() => takeLetter(full, requestOf('one more', { side }))).toThrow('select a part of the session');
    },
  );
});

describe('keepLetters', () => {
  it('frees all letters but those that are kept, which stand for nothing any more', () => {
    const one = takeLetter(NO_LETTERS, requestOf('one', { preferred: 'p' })).letters;
    const two = takeLetter(one, requestOf('two', { preferred: 'q' })).letters;
    const kept = keepLetters(two, ['q']);
    expect(takeLetter(kept, requestOf('three', { preferred: 'p' })).letter).toBe('p');
    expect(takeLetter(kept, requestOf('two', { preferred: 'q' }))).toMatchObject({ letter: 'a', isNew: true });
  });
});

describe('hasFree', () => {
  it('counts the letters of the side that has fewer', () => {
    expect([hasFree(NO_LETTERS, 51), hasFree(NO_LETTERS, 52)]).toEqual([true, false]);
  });
});
