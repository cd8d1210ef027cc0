import fc from 'fast-check';
import { bindHandles, handlesIn, replaceHandles, toHandleNames } from '../../../src/tapes/handles/replaceHandles';

const handles = new Map([
  ['GlRZtPut', { id: 2, origin: '0.2' }],
  ['47672', { id: 3, origin: '0.3' }],
  ['sess_1a2b3c', { id: 0, origin: '0.0' }],
  ['= 7', { id: 1, origin: '0.1' }],
]);

describe('replaceHandles', () => {
  it('replaces whole texts, tokens in texts and numbers in members for handles, not the id of the message', () => {
    const message = { id: 7, result: { a: 'sess_1a2b3c', b: 'in sess_1a2b3c!', pid: 7, count: 7, c: 'xsess_1a2b3c' } };
    const now = ['sess_ffff99', '8'];
    expect(replaceHandles(handles, message, ({ id }) => now[id])).toEqual({
      id: 7,
      result: { a: 'sess_ffff99', b: 'in sess_ffff99!', pid: 8, count: 7, c: 'xsess_1a2b3c' },
    });
  });

  it('replaces a long number in any member', () => {
    expect(replaceHandles(handles, { result: { of: 47_672, text: 'at 47672' } }, () => '5')).toEqual({
      result: { of: 5, text: 'at 5' },
    });
  });

  it.each([
    ['a text', 'abc'],
    ['a number that a double cannot hold', '1234567890123456'],
    ['a fraction', '1.5'],
  ])('writes %s in the place of a number as a text', (_, now) => {
    expect(replaceHandles(handles, { result: { of: 47_672 } }, () => now)).toEqual({ result: { of: now } });
    expect(replaceHandles(handles, { result: { of: 47_672 } }, () => '-5')).toEqual({ result: { of: -5 } });
  });

  it('leaves any message as it is where no handle has another text', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const message = { result: value };
        expect(JSON.stringify(replaceHandles(handles, message, () => undefined))).toBe(JSON.stringify(message));
      }),
    );
  });
});

describe('handlesIn', () => {
  it('finds whole handles and words of texts, in their order', () => {
    const message = { result: { text: 'at GlRZtPut', of: 47_672, count: 7 } };
    expect(handlesIn(handles, message).map(({ id }) => id)).toEqual([2, 3]);
  });
});

describe('toHandleNames', () => {
  it('takes the first member that is for handles, or else the first', () => {
    const messages = [
      { result: { text: 'GlRZtPut', of: 47_672 } },
      { result: { note: 'sess_1a2b3c GlRZtPut', item: 'GlRZtPut', sessionId: 'GlRZtPut' } },
    ];
    expect([...toHandleNames(handles, messages)]).toEqual([
      [2, 'sessionId'],
      [3, 'of'],
    ]);
  });
});

describe('bindHandles', () => {
  const text = (line: string) => ({ content: [{ type: 'text', text: line }] });
  const handles = new Map([
    ['GlRZtPut', { id: 2, origin: '0.2' }],
    ['47672', { id: 3, origin: '0.3' }],
    ['sess_1a2b3c', { id: 0, origin: '0.0' }],
    ['= 7', { id: 1, origin: '0.1' }],
  ]);

  it.each<[string, object, object, object[]]>([
    ['in the same member', { id: 'sess_1a2b3c' }, { id: 'other' }, [{ id: 0, text: 'other' }]],
    [
      'in a text of as many tokens',
      text('open sess_1a2b3c 10ms1234'),
      text('open sess_9z9z9z 9ms12345'),
      [{ id: 0, text: 'sess_9z9z9z' }],
    ],
    [
      'behind the same words',
      text('opened sess_1a2b3c'),
      text('at 17:00:123 opened sess_9z9z9z'),
      [{ id: 0, text: 'sess_9z9z9z' }],
    ],
    ['of a number', { pid: 7 }, { pid: 9 }, [{ id: 1, text: '9' }]],
    ['of letters', text('opened GlRZtPut'), text('opened a1b2c3'), [{ id: 2, text: 'a1b2c3' }]],
    ['that has joints around it now', text('opened GlRZtPut'), text('opened _a1b2'), [{ id: 2, text: '_a1b2' }]],
    ['between joints', text('opened _GlRZtPut_'), text('opened _a1b2_'), [{ id: 2, text: 'a1b2' }]],
    ['but not in a number that stands for a text', { id: 'a sess_1a2b3c' }, { id: 5 }, []],
    ['that is not there', { id: 'sess_1a2b3c' }, {}, []],
  ])('finds what stands for a handle %s', (_, recorded, now, expected) => {
    expect(bindHandles(handles, { result: recorded }, { result: now })).toEqual(expected);
  });
});
