import { bindHandles } from '../../../src/tapes/handles/bindHandles';

const text = (line: string) => ({ content: [{ type: 'text', text: line }] });

const handles = new Map([
  ['GlRZtPut', { id: 2, origin: '0.2' }],
  ['47672', { id: 3, origin: '0.3' }],
  ['sess_1a2b3c', { id: 0, origin: '0.0' }],
  ['= 7', { id: 1, origin: '0.1' }],
]);

describe('bindHandles', () => {
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
