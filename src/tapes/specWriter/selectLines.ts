/** Selects the lines of a part of a session: a span of time, or a thread. The handshake is always included. */
import { type Handles, toHandles } from '../handles/handles';
import { handlesIn } from '../handles/replaceHandles';
import type { ClientLine, ServerLine, SessionIndex } from '../session/sessionIndex';

/** A part of a session. */
export type Selection = {
  /** A time of the tape, included. */
  fromMs?: number;
  /** A time of the tape, included. */
  toMs?: number;
  /** The id of a thread, or a part of an id. */
  thread?: string;
};

/** A line of either side, or the end of the client's input. `index` counts the lines of its side. */
export type SelectedLine =
  | { side: 'client'; line: ClientLine; index: number }
  | { side: 'server'; line: ServerLine }
  | { side: 'endOfInput'; line: ClientLine };

const HANDSHAKE = ['initialize', 'notifications/initialized'];

type Selecting = {
  session: SessionIndex;
  selection: Selection;
  /** Indices into the threads of the session; undefined for lines of any thread. */
  threads: ReadonlySet<number> | undefined;
  handles: Handles;
};

/** The lines of a part: what the client sends in it, and all that the server sends because of that. Undefined if only the handshake is left. */
export const selectLines = (session: SessionIndex, selection: Selection): SelectedLine[] | undefined => {
  const { clientLines, serverLines } = session;
  const selecting = { session, selection, threads: threadsIn(session, selection), handles: toHandles(session) };
  const selected = withSources(selecting);
  const fromServer = serverLines.filter((line) => isServerLineSelected(selecting, selected, line));
  const hasMore = clientLines.some((line, index) => selected.has(index) && !isHandshake(line));
  if (!hasMore && selection.fromMs !== undefined) return undefined;
  if (selected.size === 0 && fromServer.length === 0) return undefined;
  const fromClient = clientLines.flatMap((line, index): SelectedLine[] => {
    if (line.kind === 'endOfInput') return [{ side: 'endOfInput', line }];
    return selected.has(index) ? [{ side: 'client', line, index }] : [];
  });
  const all = [...fromClient, ...fromServer.map((line): SelectedLine => ({ side: 'server', line }))];
  return all.sort((a, b) => a.line.entry - b.line.entry);
};

const threadsIn = ({ threads }: SessionIndex, { thread }: Selection): ReadonlySet<number> | undefined =>
  thread === undefined ? undefined : new Set(threads.flatMap((id, index) => (id.includes(thread) ? [index] : [])));

const isHandshake = ({ messages }: ClientLine): boolean =>
  messages.some((message) => 'method' in message && HANDSHAKE.includes(message.method));

const isInSpan = (t: number, { fromMs = 0, toMs = Number.POSITIVE_INFINITY }: Selection): boolean =>
  t >= fromMs && t <= toMs;

/** The selected lines of the client, and the lines that created what these refer to, such as the call that began a thread. */
const withSources = (selecting: Selecting): ReadonlySet<number> => {
  let needed: ReadonlySet<number> = new Set();
  for (;;) {
    const selected = selectClientLines(selecting, needed);
    const missing = [...selected]
      .flatMap((index) => sourcesOf(selecting, index))
      .filter((source) => !selected.has(source));
    if (missing.length === 0) return selected;
    needed = new Set([...needed, ...missing]);
  }
};

/** The lines of the client for which the server first sent what this line sends back. */
const sourcesOf = ({ session: { clientLines }, handles }: Selecting, index: number): number[] =>
  handlesIn(handles, clientLines[index]?.value).flatMap(({ origin }) =>
    /^\d/.test(origin) ? [Number.parseInt(origin, 10)] : [],
  );

const selectClientLines = (selecting: Selecting, needed: ReadonlySet<number>): ReadonlySet<number> => {
  const selected = new Set<number>();
  selecting.session.clientLines.forEach((line, index) => {
    if (line.kind === 'endOfInput') return;
    if (needed.has(index) || isHandshake(line) || isClientLineSelected(selecting, selected, line)) selected.add(index);
  });
  return selected;
};

/** A response is selected with the request that it answers, at any time; a cancel with its request, within the span. */
const isClientLineSelected = (selecting: Selecting, selected: ReadonlySet<number>, line: ClientLine): boolean => {
  const { session, selection } = selecting;
  if (line.answers !== undefined) return selected.has(session.serverLines[line.answers]?.owner ?? -1);
  const goesWithRequest = selected.has(requestLineOf(session, line) ?? -1);
  return isInSpan(line.t, selection) && (goesWithRequest || isOfThread(selecting, line));
};

const requestLineOf = ({ entries, calls, messages }: SessionIndex, { entry }: ClientLine): number | undefined => {
  const requests = entries[entry]?.messages.flatMap(({ owner }) => messages[calls[owner ?? -1]?.request ?? -1] ?? []);
  return requests?.find(({ from }) => from === 'client')?.line;
};

const isOfThread = ({ session, threads }: Selecting, { entry }: { entry: number }): boolean =>
  threads === undefined || (session.entries[entry]?.messages.some(({ thread }) => threads.has(thread ?? -1)) ?? false);

const isServerLineSelected = (selecting: Selecting, selected: ReadonlySet<number>, line: ServerLine): boolean =>
  line.link === 'named'
    ? selected.has(line.owner)
    : isInSpan(line.t, selecting.selection) && isOfThread(selecting, line);
