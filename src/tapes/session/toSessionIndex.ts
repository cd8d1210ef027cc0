/** Builds the index of a session. */
import { parseObject } from '../../protocol/jsonrpc/parseJson';
import type { Session } from '../format/tape';
import { assignThreads } from './assignThreads';
import { type PairedCalls, pairCalls } from './pairCalls';
import { pairSeamCalls } from './pairSeamCalls';
import { type Parties, withParties } from './parties';
import { type ReadEntry, type ReadMessage, readEntries } from './readEntries';
import type { Exit, IndexedMessage, SessionIndex } from './sessionIndex';
import { toLines } from './toLines';

/**
 * Indexes a session: pure, and linear in its length. Blank entries are left out. The index and its arrays are frozen;
 * values of messages are shared with it and must not be written to. See `SessionIndex` for how to use it.
 */
export const toSessionIndex = (session: Session): SessionIndex => {
  const { entries, messages: read } = readEntries(session);
  const paired = pairCalls(read);
  const seams = pairSeamCalls(entries);
  const { threads, ofMessage, ofSeamCall } = assignThreads(entries, paired, seams);
  const messages = read.map((one) => toIndexed(one, paired, ofMessage[one.index]));
  const { clientLines, serverLines } = toLines(entries, paired);
  return freeze({
    meta: session.meta,
    entries: entries.map(({ lineNumber, entry, messages: own }, i) => {
      const seamCall = seams.seamCall[i];
      const indexed = { lineNumber, entry, messages: own.map(({ index }) => messages[index] as IndexedMessage) };
      return seamCall === undefined ? indexed : { ...indexed, seamCall };
    }),
    messages,
    clientLines,
    serverLines,
    calls: paired.calls,
    seamCalls: seams.seamCalls.map((call, i) => ({ ...call, thread: ofSeamCall[i] })),
    threads,
    parties: read.reduce<Parties>((known, { value }) => withParties(known, value), {}),
    ...endsOf(entries),
  });
};

/** Members are written out, which is faster than a spread: a tape has very many messages. */
const toIndexed = (one: ReadMessage, { opened, owner }: PairedCalls, thread: number | undefined): IndexedMessage => {
  const { index, from, entry, line, part, t, lineNumber, message, value } = one;
  const [call, owned] = [opened[index], owner[index]];
  const single = { index, from, entry, line, t, lineNumber, message, value, call, owner: owned, thread };
  return part === undefined ? single : { ...single, part };
};

const endsOf = (entries: readonly ReadEntry[]): Pick<SessionIndex, 'inputEnded' | 'exit'> => {
  const inputEnded = entries.findLastIndex(({ kind }) => kind === 'endOfInput');
  const exited = entries.findLastIndex(({ entry }) => entry.dir === 'exit');
  const exit = entries[exited];
  return {
    ...(inputEnded >= 0 && { inputEnded }),
    ...(exit && { exit: { entry: exited, ...toExit(exit.entry.line) } }),
  };
};

/** The code and the signal of an `exit` line; null for both where the line cannot be read. */
export const toExit = (line: string): Pick<Exit, 'code' | 'signal'> => {
  const { code, sig } = parseObject(line) ?? {};
  return { code: typeof code === 'number' ? code : null, signal: typeof sig === 'string' ? sig : null };
};

const freeze = (index: SessionIndex): SessionIndex => {
  for (const part of Object.values(index)) if (Array.isArray(part)) Object.freeze(part);
  return Object.freeze(index);
};
