import { emptyAccount, emptySession, type OutputAccount, streamNeeds } from '../../../src/fleet/served/outputAccount';

const account = (): OutputAccount => emptyAccount(0, emptySession());
const unread = (seq: number) => ({ throughSeq: 1, bytes: 1, seq });
/** The needs of these processes, after messages of another one with these numbers, which were read. */
const needsAfter = (seqs: readonly number[], accounts: readonly OutputAccount[] = []) => {
  const needs = streamNeeds(() => accounts);
  for (const seq of seqs) needs.noteStored(account(), { seq, isKept: false });
  return needs;
};

describe('streamNeeds', () => {
  it('needs nothing that the stream has, where all of it was read', () => {
    expect(needsAfter([]).removalOf([])).toEqual({ seqs: [], own: 0, before: 1 });
    expect(needsAfter([7, 8, 9]).removalOf([7, 8])).toEqual({ seqs: [7, 8], own: 7, before: 10 });
  });

  it('needs what a reader has not acknowledged, of any process', () => {
    const [one, other] = [account(), account()];
    one.unread.push(unread(8), unread(10));
    other.unread.push(unread(9));
    expect(needsAfter([7, 8, 9, 10], [other, one]).removalOf([7]).before).toBe(8);
  });

  it('needs a message on its way, which may have any place behind those that were known when it was sent', () => {
    const sending = account();
    const needs = needsAfter([7], [sending]);
    needs.noteSending(sending);
    needs.noteStored(account(), { seq: 9, isKept: false });
    expect(needs.removalOf([7, 9]).before).toBe(8);
    needs.noteStored(sending, { seq: 8, isKept: false });
    expect(needs.removalOf([7, 8, 9]).before).toBe(9);
  });

  it('needs a message that is sent again from where it was sent first', () => {
    const sending = account();
    const needs = needsAfter([7], [sending]);
    needs.noteSending(sending);
    needs.noteStored(account(), { seq: 9, isKept: false });
    needs.noteSending(sending);
    expect(needs.removalOf([7, 9]).before).toBe(8);
  });

  it('needs all from the first message on that nobody acknowledges', () => {
    const needs = needsAfter([7, 8]);
    needs.noteStored(account(), { seq: 9, isKept: true });
    needs.noteStored(account(), { seq: 10, isKept: true });
    expect(needs.removalOf([7, 8]).before).toBe(9);
  });

  it('does not know where a message on its way gets when the stream was made anew', () => {
    const [sending, next] = [account(), account()];
    const needs = needsAfter([700], [sending, next]);
    needs.noteSending(sending);
    needs.noteStored(account(), { seq: 2, isKept: false });
    expect([needs.removalOf([2]).before, needs.lastSeq()]).toEqual([1, 2]);
    needs.noteStored(sending, { seq: 1, isKept: false });
    needs.noteSending(next);
    expect(needs.removalOf([2]).before).toBe(2);
  });
});
