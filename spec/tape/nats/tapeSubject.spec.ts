import fc from 'fast-check';
import { tapeName, tapeSubject, tapesStream, tapesSubject } from '../../../src/tape/nats/tapeSubject';

const link = { prefix: 'codex-rx' };

describe('tapeSubject', () => {
  it.each([
    ['nightly', 'codex-rx.tapes.nightly'],
    ['a/b c.jsonl', 'codex-rx.tapes.a%2Fb%20c%2Ejsonl'],
    ['*', 'codex-rx.tapes.%2A'],
    ['>', 'codex-rx.tapes.%3E'],
  ])('of %s', (name, subject) => {
    expect(tapeSubject(link, name)).toBe(subject);
  });

  it('is one token of any name, and names it again', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (name) => {
        const subject = tapeSubject(link, name);
        expect(subject).toMatch(/^codex-rx\.tapes\.[^.*>\s\0]+$/);
        expect(tapeName(link, subject)).toBe(name);
      }),
    );
  });

  it('refuses a tape without a name', () => {
    expect(() => tapeSubject(link, '')).toThrow('nats://HOST/NAME');
  });
});

describe('tapesStream', () => {
  it('holds all tapes of the prefix', () => {
    expect([tapesStream(link), tapesSubject(link)]).toEqual(['codex-rx-tapes', 'codex-rx.tapes.*']);
  });
});
