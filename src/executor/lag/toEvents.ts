/** Turns a page of retained output into the events it stands for. */
import type { OutputPage, ProcessEvent } from '../../protocol/exec/process';
import type { Hole } from './hole';

/** How far a reader is: the last seq it has, whether it knows of the exit, and how many bytes of output came up to there, if known. */
export type Reader = { seq: number; exited: boolean; bytes: number | undefined };

/**
 * The events after `seq` that a page stands for, ascending, without holes: what is no longer retained is a `gap`. It has its
 * bytes if the executor reports how many were evicted: those, less what the reader has.
 * A page has no seq for exit and close, so they are found: the close is the highest number, the exit the highest
 * that no chunk has, for only the oldest chunks are ever missing.
 * Source: codex exec-server 0.142.0, process/read; in 0.130.0 `nextSeq` does not count exit and close.
 */
export const toEvents = ({ seq, exited, bytes }: Reader, page: OutputPage): ProcessEvent[] => {
  const chunks = page.chunks.filter((chunk) => chunk.seq > seq);
  const lastChunk = chunks.at(-1)?.seq ?? seq;
  const holes = holesOf(seq, chunks, page.nextSeq - 1);
  const top = holes.at(-1)?.to ?? lastChunk;
  const closedAt = page.closed && top > lastChunk ? pop(holes) : undefined;
  const exitedAt = page.exited && !exited ? pop(holes) : undefined;
  const events: ProcessEvent[] = [
    ...holes.map((hole) => toGap(hole, bytes, page)),
    ...chunks.map((chunk) => ({ kind: 'output' as const, ...chunk })),
    ...(exitedAt === undefined ? [] : [toExited(exitedAt, page)]),
  ].sort((a, b) => a.seq - b.seq);
  const nextSeq = () => (events.at(-1)?.seq ?? seq) + 1;
  if (page.exited && !exited && exitedAt === undefined) events.push(toExited(nextSeq(), page));
  if (page.closed) events.push({ kind: 'closed', seq: closedAt ?? nextSeq() });
  return events;
};

/** The oldest output goes first, so all that was evicted is in one hole. */
const toGap = ({ from, to }: Hole, bytes: number | undefined, { evicted }: OutputPage): ProcessEvent => ({
  kind: 'gap',
  seq: to,
  missing: to - from + 1,
  ...(evicted && bytes !== undefined && from <= evicted.throughSeq && { missingBytes: evicted.bytes - bytes }),
});

const toExited = (seq: number, { exitCode }: OutputPage): ProcessEvent => ({
  kind: 'exited',
  seq,
  exitCode: exitCode ?? -1,
});

/** The numbers up to `top` that no chunk of the page has. */
const holesOf = (seq: number, chunks: readonly { seq: number }[], top: number): Hole[] =>
  [...chunks.map((chunk) => chunk.seq), top + 1].flatMap((at, i) => {
    const from = (i === 0 ? seq : (chunks[i - 1] as { seq: number }).seq) + 1;
    return at > from ? [{ from, to: at - 1 }] : [];
  });

/** Takes the highest number out of the holes. */
const pop = (holes: Hole[]): number | undefined => {
  const last = holes.pop();
  if (last && last.to > last.from) holes.push({ from: last.from, to: last.to - 1 });
  return last?.to;
};
