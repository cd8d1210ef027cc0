import { type PairedIds, pairIds } from '../../../src/tapes/diff/bindIds';

const [A, B] = ['9f86d081884c7d65', 'a3f5c0b11e7d942c'];
const [S, T] = ['sess_9fK2mQ8xT1', 'sess_Lw7Bz04RcY'];
const one: PairedIds = { pairs: [{ recorded: A, now: B }], isAll: true };
const none: PairedIds = { pairs: [], isAll: false };

describe('pairIds', () => {
  it.each<[string, unknown, unknown, PairedIds]>([
    ['nothing in what is the same', { id: A }, { id: A }, { pairs: [], isAll: true }],
    ['a member', { result: { id: A, name: 'x' } }, { result: { id: B, name: 'x' } }, one],
    ['an item of a member', { ids: ['x', A] }, { ids: ['x', B] }, one],
    [
      'a number',
      { id: 483920117 },
      { id: 917364052 },
      { pairs: [{ recorded: '483920117', now: '917364052' }], isAll: true },
    ],
    ['a word of a text', { text: `session ${A} is open` }, { text: `session ${B} is open` }, one],
    ['a part of an address', { uri: `app://x/sessions/${A}?a=1` }, { uri: `app://x/sessions/${B}?a=1` }, one],
    [
      'what its beginning names',
      { text: `see ${S}.` },
      { text: `see ${T}.` },
      { pairs: [{ recorded: S, now: T }], isAll: true },
    ],
    ['no member for something else', { etag: A }, { etag: B }, none],
    ['no content in a member for ids', { id: `sha256:${A}` }, { id: `sha256:${B}` }, none],
    ['no word of a text behind another', { text: `file ${A}` }, { text: `file ${B}` }, none],
    [
      'no text with another word',
      { text: `session ${A} is open` },
      { text: `session ${B} is shut` },
      { ...one, isAll: false },
    ],
    ['no text with a word more', { text: `session ${A}` }, { text: `session ${B} now` }, none],
    ['a member beside one that is gone', { id: A, a: 1 }, { id: B }, { ...one, isAll: false }],
    ['a member beside one that is new', { id: A }, { id: B, a: 1 }, { ...one, isAll: false }],
    ['an item beside one that is gone', { ids: [A, 'x'] }, { ids: [B] }, { ...one, isAll: false }],
    ['a member beside one that has another name', { id: A, a: 1 }, { id: B, b: 1 }, { ...one, isAll: false }],
    ['an item beside one that is new', { ids: [A] }, { ids: [B, 'x'] }, { ...one, isAll: false }],
    ['no other type', { id: 483920117 }, { id: '917364052' }, none],
    ['no list for an object', { id: [A] }, { id: { 0: B } }, none],
    ['nothing of null', { id: null }, { id: B }, none],
  ])('finds %s', (_, recorded, now, found) => {
    expect(pairIds(recorded, now)).toEqual(found);
  });
});
