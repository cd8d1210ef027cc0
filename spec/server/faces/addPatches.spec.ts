import type { EventMsg } from '../../../src/protocol/codex/eventMsg';
import { addDeclined, addPatchBegin, addPatchEnd, addPatchQuestion } from '../../../src/server/faces/events0153';
import { newTurn0153, type ShownPatch, type Turn0153 } from '../../../src/server/faces/turn0153';

const deps = { now: () => 5, newId: () => 'new' };
const changes = { '/f': { add: { content: 'x' } } };
const turn = newTurn0153();
const shown = (patch: ShownPatch): Turn0153 => ({ ...turn, patches: new Map([['p', patch]]) });
type Of<T extends EventMsg['type']> = Extract<EventMsg, { type: T }>;

const msg = { type: 'apply_patch_approval_request', call_id: 'p', changes } as Of<'apply_patch_approval_request'>;
const begin: Of<'patch_apply_begin'> = { type: 'patch_apply_begin', call_id: 'p', auto_approved: false, changes };
const started = {
  ...{ type: 'item_started', started_at_ms: 5 },
  item: { type: 'FileChange', id: 'p', changes, auto_approved: false },
};
const ended = (status: string, own = { stdout: '', stderr: '' }, its: object = changes) => [
  {
    ...{ type: 'item_completed', completed_at_ms: 5 },
    item: { type: 'FileChange', id: 'p', changes: its, status, ...own },
  },
  { type: 'patch_apply_end', call_id: 'p', ...own, success: status === 'completed', changes: its, status },
];

describe('addPatchQuestion', () => {
  it('begins the patch before its question, once', () => {
    const added = addPatchQuestion(deps, turn, { msg, question: 7 });
    expect(added).toEqual({ turn: shown({ changes, question: 7 }), msgs: [started, begin, msg] });
    expect(addPatchQuestion(deps, added.turn, { msg, question: 8 })).toEqual({
      turn: shown({ changes, question: 8 }),
      msgs: [msg],
    });
  });
});

describe('addPatchBegin', () => {
  it('begins a patch that nobody was asked about, and closes the question of another', () => {
    expect(addPatchBegin(deps, turn, begin)).toEqual({ turn: shown({ changes }), msgs: [started, begin] });
    expect(addPatchBegin(deps, shown({ changes, question: 7 }), begin)).toEqual({ turn: shown({ changes }), msgs: [] });
  });
});

describe('addPatchEnd', () => {
  const own = { stdout: 'o', stderr: 'e' };
  const end = (success: boolean) =>
    ({ type: 'patch_apply_end', call_id: 'p', success, ...own }) as Of<'patch_apply_end'>;
  it.each([
    ['one that was applied       ', shown({ changes }), true, ended('completed', own)],
    ['one that failed            ', shown({ changes }), false, ended('failed', own)],
    ['one that was never begun   ', turn, true, ended('completed', own, {})],
  ])('ends %s', (_, before, success, msgs) => {
    expect(addPatchEnd(deps, before, end(success))).toEqual({ turn, msgs });
  });
});

describe('addDeclined', () => {
  const asked = shown({ changes, question: 7 });
  it.each([
    [
      'ends the patch of its question',
      asked,
      7,
      turn,
      ended('declined', { stdout: '', stderr: 'patch rejected by user' }),
    ],
    ['ends none of another question ', asked, 8, asked, []],
    ['ends none without a question  ', shown({ changes }), undefined, shown({ changes }), []],
  ])('%s', (_, before, question, after, msgs) => {
    expect(addDeclined(deps, before, question)).toEqual({ turn: after, msgs });
  });
});
