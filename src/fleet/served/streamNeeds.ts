/** Which messages of its stream an executor still needs, as far as it knows. It changes in place, as each message is counted. */
import type { OutputAccount } from './outputAccount';

/** `seqs` are not needed any more. `own`: the first message of this executor's run; of those from there on, none before `before` is needed. */
export type Removal = { seqs: readonly number[]; own: number; before: number };

/** A message that the stream has. `isKept`: no reader acknowledges it, so only the limits of the stream remove it. */
export type StoredSeq = { seq: number; isKept: boolean };

/**
 * `noteSending` and `noteStored` follow the messages of a process, one after another; `lastSeq` is that of the last message which the stream has acknowledged.
 * `removalOf` adds which messages no account needs.
 */
export type StreamNeeds = {
  lastSeq: () => number;
  noteSending: (account: OutputAccount) => void;
  noteStored: (account: OutputAccount, stored: StoredSeq) => void;
  removalOf: (seqs: readonly number[]) => Removal;
};

/** @param accounts those of all processes, but for those that are over and read */
export const streamNeeds = (accounts: () => readonly OutputAccount[]): StreamNeeds => {
  let lastSeq = 0;
  let own = 0;
  let keptFrom = Number.POSITIVE_INFINITY;
  return {
    lastSeq: () => lastSeq,
    noteSending: (account) => {
      account.sentAfter ??= lastSeq; // of what is sent again, the first time counts
    },
    noteStored: (account, { seq, isKept }) => {
      account.sentAfter = undefined;
      if (seq < lastSeq) forgetPlaces(accounts());
      if (own === 0) own = seq;
      if (isKept) keptFrom = Math.min(keptFrom, seq);
      lastSeq = seq;
    },
    removalOf: (seqs) => ({ seqs, own, before: Math.min(lastSeq + 1, keptFrom, ...accounts().map(firstNeeded)) }),
  };
};

/** The first message that is unread, or may be the one on its way. */
const firstNeeded = ({ unread, sentAfter }: OutputAccount): number =>
  Math.min(
    unread[0]?.seq ?? Number.POSITIVE_INFINITY,
    sentAfter === undefined ? Number.POSITIVE_INFINITY : sentAfter + 1,
  );

/** A recreated stream begins with small numbers: a message on its way may get any of them. */
const forgetPlaces = (accounts: readonly OutputAccount[]): void => {
  for (const account of accounts) if (account.sentAfter !== undefined) account.sentAfter = 0;
};
