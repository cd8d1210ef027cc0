import fc from 'fast-check';
import {
  cutLabel,
  durationOf,
  labelFor,
  labelWidth,
  legendEntries,
  niceStep,
  placeLabel,
  spaceAfter,
  toShortCount,
  toTime,
} from '../../../src/tapes/page/labels';

describe('labelFor', () => {
  it.each([
    ['tools/call echo', 'request', 100, 'tools/call echo'],
    ['tools/call echo', 'request', 60, 'echo'],
    ['tools/call get-annotated-message', 'request', 80, 'get-annotat…'],
    ['error: tools/call echo', 'answer', 60, 'echo'],
    ['response to roots/list', 'question', 70, 'roots/list'],
    ['thread/status/changed', 'thread', 100, 'status/changed'],
    ['task_started', 'task', 50, 'started'],
    ['taskforce', 'task', 40, undefined],
    ['ping', 'request', 20, undefined],
    ['ping', 'request', 30, 'ping'],
    ['tools/call ', 'request', 50, 'tools/c…'],
  ])('is for %s on the lane %s in %i pixels %s', (name, key, room, label) => {
    expect(labelFor(name, key, room)).toBe(label);
  });
});

describe('cutLabel', () => {
  it('is never wider than its room, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.integer({ min: -20, max: 300 }), (text, room) => {
        const label = cutLabel(text, room);
        if (label !== undefined) expect(labelWidth(label)).toBeLessThanOrEqual(Math.max(room, 0));
      }),
    );
  });

  it('cuts a text of megabytes at once', () => {
    expect(cutLabel('a'.repeat(5_000_000), 63)).toBe(`${'a'.repeat(9)}…`);
  });
});

describe('labelWidth', () => {
  it('counts wide characters as wide', () => {
    expect(labelWidth('日本')).toBeGreaterThan(labelWidth('ab'));
  });
});

describe('spaceAfter', () => {
  it('is the way to the next of the lane, or to the end', () => {
    const items = [
      { lane: 0, x: 10 },
      { lane: 1, x: 20 },
      { lane: 0, x: 50 },
    ];
    expect(spaceAfter(items, 100)).toEqual([40, 80, 50]);
    expect(spaceAfter([], 100)).toEqual([]);
  });
});

describe('placeLabel', () => {
  const room = { room: 200, bar: undefined, before: 10, behind: 10 };
  it.each([
    ['has no bar', {}, { text: 'tools/call echo', x: 10 }],
    ['has room before the bar', { bar: 120 }, { text: 'tools/call echo', x: 10 }],
    ['has more room behind the bar', { bar: 40 }, { text: 'tools/call echo', x: 50 }],
    ['has as much before the bar as behind it', { bar: 60, room: 90 }, { text: 'echo', x: 10 }],
    ['has a bar behind the next of its lane', { room: 60, bar: 120 }, { text: 'echo', x: 10 }],
    ['has no room on either side', { room: 30, bar: 20 }, undefined],
  ])('of a name that %s is beside it, and never across the bar', (_, own, label) => {
    expect(placeLabel('tools/call echo', 'request', { ...room, ...own })).toEqual(label);
  });

  it('is left or right of a bar, whatever the room', () => {
    const px = fc.integer({ min: 0, max: 400 });
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), px, px, (name, all, bar) => {
        const label = placeLabel(name, 'k', { ...room, room: all, bar });
        if (label === undefined || bar > all) return;
        expect(label.x > bar || label.x + labelWidth(label.text) < bar).toBe(true);
      }),
    );
  });
});

describe('toTime', () => {
  it.each([
    [0.123, '0.12 ms'],
    [12.34, '12.3 ms'],
    [1234, '1.23 s'],
    [125_000, '2 min 5 s'],
    [179_600, '3 min 0 s'],
  ])('writes %d as %s', (ms, text) => expect(toTime(ms)).toBe(text));
});

describe('toShortCount', () => {
  it.each([
    [999, '999'],
    [1234, '1.2k'],
    [98_765, '99k'],
  ])('writes %d as %s', (count, text) => expect(toShortCount(count)).toBe(text));
});

describe('niceStep', () => {
  it.each([
    [0.3, 0.5],
    [1, 1],
    [1.1, 2],
    [60, 100],
  ])('takes %d up to %d', (least, step) => expect(niceStep(least)).toBeCloseTo(step));
});

describe('durationOf', () => {
  it.each([
    [0, '0 ms'],
    [999.4, '999 ms'],
    [1_000, '1 s'],
    [3_449, '3.4 s'],
    [60_000, '1 min 0 s'],
    [125_000, '2 min 5 s'],
    [179_600, '3 min 0 s'],
  ])('writes %d ms', (ms, text) => {
    expect(durationOf(ms)).toBe(text);
  });
});

const joined = (...marks: [symbol: string, name: string][]): string[] =>
  legendEntries(marks.map(([symbol, name]) => ({ symbol, name }))).map(
    ({ signs, name }) => `${signs.map(({ symbol }) => symbol).join(' ')} ${name}`,
  );

describe('legendEntries', () => {
  it('joins a request and its response, a question and its answer, each letter once, in their order', () => {
    expect(
      joined(
        ['i', 'initialize'],
        ['n', 'note'],
        ['I', 'initialize'],
        ['i', 'initialize'],
        ['R', 'q'],
        ['r', 'response to q'],
      ),
    ).toEqual(['i I initialize', 'n note', 'R r q']);
  });

  it('takes names of members that every object has', () => {
    expect(joined(['a', '__proto__'], ['b', 'constructor'])).toEqual(['a __proto__', 'b constructor']);
    expect(joined()).toEqual([]);
  });
});
