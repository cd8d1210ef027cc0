import { type Thread, threads } from '../../src/appServer/threads';
import type { ThreadRef, TurnOp } from '../../src/protocol/codex';

const ID = '01a1fada-969a-7822-8e80-61778f67d168';
const op = (thread: ThreadRef): TurnOp => ({
  kind: 'turn',
  callId: 'c',
  eventId: 'e',
  thread,
  prompt: 'p',
  askable: true,
});

const open = () => {
  const { address, keep, drop } = threads();
  const find = (ref: ThreadRef) => {
    const addressed = address(op(ref));
    return addressed.kind === 'wanted' ? addressed.turn.thread : addressed;
  };
  return { find, keep, drop };
};

describe('threads', () => {
  it('begins a thread with its settings, each time another', () => {
    const { find } = open();
    const settings = { model: 'm' };
    const first = find({ start: settings });
    expect(first).toEqual({ settings });
    expect(find({ start: settings })).not.toBe(first);
  });

  it('refuses a reply where there is no thread', () => {
    expect(open().find({ newest: true })).toEqual({
      kind: 'rejected',
      callId: 'c',
      message: expect.stringContaining('Start one with the tool codex'),
    });
  });

  it('takes the newest, whether it was begun here or named', () => {
    const { find } = open();
    const begun = find({ start: {} });
    expect(find({ newest: true })).toBe(begun);
    const named = find({ id: ID });
    expect(find({ newest: true })).toBe(named);
  });

  it('takes the one before where the newest could not be begun, until it could', () => {
    const { find, keep, drop } = open();
    const begun = find({ start: {} }) as Thread;
    keep(begun);
    const lost = find({ id: ID }) as Thread;
    drop(lost);
    expect(find({ newest: true })).toBe(begun);
    expect(find({ id: ID })).not.toBe(lost);
    keep(lost);
    expect(find({ newest: true })).toBe(lost);
    drop(lost);
    drop(begun);
    drop(find({ newest: true }) as Thread);
    expect(find({ newest: true })).toMatchObject({ kind: 'rejected' });
  });

  it('takes one thread for one however its id is written', () => {
    const { find } = open();
    const thread = find({ id: ID });
    expect(thread).toEqual({ id: ID });
    expect(find({ id: ID.toUpperCase() })).toBe(thread);
    expect(find({ id: ID.replaceAll('-', '') })).toBe(thread);
  });

  it('finds a thread that was begun here by the id that it got', () => {
    const { find, keep } = open();
    const thread = find({ start: {} }) as { id?: string };
    keep(thread);
    expect(find({ id: ID })).not.toBe(thread);
    thread.id = ID;
    keep(thread);
    expect(find({ id: ID })).toBe(thread);
  });
});
