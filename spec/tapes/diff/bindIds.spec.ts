import { createHash } from 'node:crypto';
import { bindIds, type LaneLines, type PairedIds, pairIds } from '../../../src/tapes/diff/bindIds';
import { toCanonical } from '../../../src/tapes/matching/matchKey';
import type { SessionIndex } from '../../../src/tapes/session/sessionIndex';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { sessionFrom } from '../../support/tapes';

const [A, B, C, D] = ['9f86d081884c7d65', 'a3f5c0b11e7d942c', '0c7d1e4f5a6b9382', 'e1d2c3b4a5968778'] as const;
const compared = (value: object) => ({ lineNumber: 1, value, text: toCanonical(value), label: 'response' });
const lane = (recorded: object[], now: object[]): LaneLines => ({
  recorded: recorded.map(compared),
  now: now.map(compared),
});
/** The sessions that have these lanes; the client sends `sent`, now `sentNow`. */
const indexesOf = (lanes: readonly LaneLines[], sent: object = {}, sentNow: object = sent) => {
  const indexOf = (side: keyof LaneLines): SessionIndex =>
    toSessionIndex(
      sessionFrom(
        [0, 'in', { id: 1, method: 'a', params: side === 'now' ? sentNow : sent }],
        ...lanes.flatMap((one) => one[side].map(({ value }): [number, string, object] => [1, 'out', value as object])),
      ),
    );
  return { recorded: indexOf('recorded'), now: indexOf('now') };
};
const valuesOf = (lanes: readonly LaneLines[], sent?: object) =>
  bindIds(lanes, indexesOf(lanes, sent)).map(({ recorded, now }) =>
    [recorded, now].map((all) => all.map(({ value }) => value)),
  );

describe('bindIds', () => {
  it('puts the same placeholder in the place of both ids, wherever they are', () => {
    expect(valuesOf([lane([{ id: A }], [{ id: B }]), lane([{ about: A }], [{ about: B }])])).toEqual([
      [[{ id: '<id 1>' }], [{ id: '<id 1>' }]],
      [[{ about: '<id 1>' }], [{ about: '<id 1>' }]],
    ]);
    const text = (word: string, other: string) => ({ text: `session ${word} of ${other}` });
    const both = [text('<id 1>', '<id 2>'), { id: '<id 2>' }];
    expect(valuesOf([lane([text(C, A), { id: A }], [text(D, B), { id: B }])])).toEqual([[both, both]]);
  });

  it('leaves lanes as they are where there is nothing to bind', () => {
    const lanes = [lane([{ id: A }], [{ id: A }]), lane([{ text: 'a' }], [{ text: 'b' }])];
    expect(bindIds(lanes, indexesOf(lanes))).toBe(lanes);
  });

  it.each([A, B])('leaves ids of which the client sends one in one of the sessions: %s', (id) => {
    const lanes = [lane([{ id: A }], [{ id: B }])];
    expect(bindIds(lanes, indexesOf(lanes, { of: id }, {}))).toBe(lanes);
    expect(bindIds(lanes, indexesOf(lanes, {}, { of: id }))).toBe(lanes);
  });

  it('puts it in the place of a number', () => {
    expect(valuesOf([lane([{ id: 483920117 }], [{ id: 917364052 }])])).toEqual([
      [[{ id: '<id 1, a number>' }], [{ id: '<id 1, a number>' }]],
    ]);
  });

  it('has a text for the values with placeholders', () => {
    const lanes = [lane([{ id: A }], [{ id: B }])];
    const [bound] = bindIds(lanes, indexesOf(lanes));
    expect([bound?.recorded[0]?.text, bound?.now[0]?.text]).toEqual(['{"id":"<id 1>"}', '{"id":"<id 1>"}']);
  });

  it.each<[string, LaneLines[], object]>([
    ['stands for two', [lane([{ id: A }, { id: A }], [{ id: B }, { id: C }])], {}],
    ['has two that stand for it', [lane([{ id: A }, { id: C }], [{ id: B }, { id: B }])], {}],
    ['changed its place with another', [lane([{ id: A }, { id: B }], [{ id: B }, { id: A }])], {}],
    ['is the same elsewhere', [lane([{ id: A }], [{ id: B }]), lane([{ text: `x ${A}` }], [{ text: `x ${A}` }])], {}],
    ['was there before', [lane([{ id: A }], [{ id: B }]), lane([{ text: `x ${B}` }], [{ text: 'x' }])], {}],
    ['has a placeholder for its copy now', [lane([{ id: A }, { at: A }], [{ id: B }, { at: '<id 1>' }])], {}],
    ['the client sends', [lane([{ id: A }], [{ id: B }])], { of: A }],
    ['the client sends now', [lane([{ id: A }], [{ id: B }])], { of: B }],
  ])('leaves an id that %s', (_, lanes, sent) => {
    expect(bindIds(lanes, indexesOf(lanes, sent))).toBe(lanes);
  });

  it('does not take a text for a number', () => {
    const [[recorded, now] = []] = valuesOf([
      lane([{ id: 718293645 }, { of: 718293645 }], [{ id: 564738291 }, { of: '564738291' }]),
    ]);
    expect(recorded?.[0]).toEqual(now?.[0]);
    expect(recorded?.[1]).not.toEqual(now?.[1]);
  });

  it('binds what is beside a difference, unless other lines bind it otherwise', () => {
    const beside = lane([{ id: A, x: 1 }, { id: C }], [{ id: B, x: 2 }, { id: D }]);
    expect(valuesOf([beside])).toEqual([
      [
        [{ id: '<id 1>', x: 1 }, { id: '<id 2>' }],
        [{ id: '<id 1>', x: 2 }, { id: '<id 2>' }],
      ],
    ]);
    expect(valuesOf([beside, lane([{ id: C }], [{ id: B }])])).toEqual([
      [
        [{ id: A, x: 1 }, { id: '<id 1>' }],
        [{ id: '<id 1>', x: 2 }, { id: D }],
      ],
      [[{ id: '<id 1>' }], [{ id: '<id 1>' }]],
    ]);
  });

  it('binds many ids, and finds those that occur elsewhere, also within a word', () => {
    const id = (i: number, side: string): string =>
      createHash('sha256').update(`${side} ${i}`).digest('hex').slice(0, 20);
    const lanes = Array.from({ length: 80 }, (_, i) => lane([{ id: id(i, 'a') }], [{ id: id(i, 'b') }]));
    const countBound = (all: readonly LaneLines[]): number =>
      bindIds(all, indexesOf(all)).filter(({ recorded, now }) => recorded[0]?.text === now[0]?.text).length;
    expect(countBound(lanes)).toBe(80);
    for (const now of [`x\n${id(3, 'a')}`, `x_${id(3, 'a')}`, `${id(3, 'a')}0`])
      expect(countBound([...lanes, lane([{ text: 'x' }], [{ text: now }])])).toBe(79);
  });
});

describe('pairIds', () => {
  const [A, B] = ['9f86d081884c7d65', 'a3f5c0b11e7d942c'];
  const [S, T] = ['sess_9fK2mQ8xT1', 'sess_Lw7Bz04RcY'];
  const one: PairedIds = { pairs: [{ recorded: A, now: B }], isAll: true };
  const none: PairedIds = { pairs: [], isAll: false };

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
    ['an id wherever else it stands', { id: A, etag: A, text: `of ${A}` }, { id: B, etag: B, text: `of ${B}` }, one],
    [
      'an id of an agent, whatever its form',
      { method: 'session/update', params: { toolCallId: 'call 1', raw: { call: 'call 1' } } },
      { method: 'session/update', params: { toolCallId: 'call 2', raw: { call: 'call 2' } } },
      { pairs: [{ recorded: 'call 1', now: 'call 2' }], isAll: true },
    ],
    [
      'the id that a model gave a call, whatever its form',
      { method: 'codex/event', params: { msg: { type: 'exec_command_begin', call_id: 'call_76_60' } } },
      { method: 'codex/event', params: { msg: { type: 'exec_command_begin', call_id: 'call_93_60' } } },
      { pairs: [{ recorded: 'call_76_60', now: 'call_93_60' }], isAll: true },
    ],
    [
      'the same in the question about the call',
      { method: 'elicitation/create', params: { codex_call_id: 'call_76_60' } },
      { method: 'elicitation/create', params: { codex_call_id: 'call_93_60' } },
      { pairs: [{ recorded: 'call_76_60', now: 'call_93_60' }], isAll: true },
    ],
    ['no id of that form elsewhere', { toolCallId: 'call 1' }, { toolCallId: 'call 2' }, none],
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
