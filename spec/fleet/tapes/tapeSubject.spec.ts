import fc from 'fast-check';
import { tapeName, tapeSubject, tapesStream, tapesSubject } from '../../../src/fleet/tapes/tapeWrites';

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

  it('refuses a tape without a name, and one whose name is longer than a subject may be', () => {
    expect(() => tapeSubject(link, '')).toThrow('nats://HOST/NAME');
    expect(tapeSubject(link, 'x'.repeat(1_024))).toHaveLength(1_039);
    expect(() => tapeSubject(link, 'x'.repeat(1_025))).toThrow(/too long: 1024/);
    expect(() => tapeSubject(link, '/'.repeat(342))).toThrow(/too long/);
  });
});

describe('tapeName', () => {
  it('of a subject that no recorder has made is what stands there', () => {
    expect(tapeName(link, 'codex-rx.tapes.%zz')).toBe('%zz');
  });
});

describe('tapesStream', () => {
  it('holds all tapes of the prefix', () => {
    expect([tapesStream(link), tapesSubject(link)]).toEqual(['codex-rx-tapes', 'codex-rx.tapes.*']);
  });
});
