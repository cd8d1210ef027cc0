import { numberedLines } from '../../../src/threads/lines/numberedLines';

const entry = { type: 'event_msg', payload: { type: 'error' } } as const;
const ordinals = (toLine: (one: typeof entry) => string) =>
  [entry, entry].map((one) => JSON.parse(toLine(one)).ordinal as unknown);

describe('numberedLines', () => {
  it('counts on where the lines before are counted, and counts nowhere else', () => {
    expect(ordinals(numberedLines({ now: () => 0, nextOrdinal: 7 }))).toEqual([7, 8]);
    expect(ordinals(numberedLines({ now: () => 0 }))).toEqual([undefined, undefined]);
  });

  it('ends a line', () => {
    expect(numberedLines({ now: () => 0 })(entry)).toBe(
      '{"timestamp":"1970-01-01T00:00:00.000Z","type":"event_msg","payload":{"type":"error"}}\n',
    );
  });
});
