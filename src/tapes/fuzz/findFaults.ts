/** Finds the faults of a server in a session, whatever its client sent: crashes, hangs, floods, breaks of the protocol, internal errors, stack traces. */
import { toObject, wordOf } from '../../protocol/jsonrpc/json';
import { labelOf } from '../../protocol/jsonrpc/parseLine';
import { clip } from '../../streams/text/trim';
import { checkSession } from '../check/checkSession';
import { RULES } from '../check/finding';
import { type Call, type IndexedMessage, type SessionIndex, toServerEnd } from '../session/sessionIndex';
import type { EndedBy } from '../sessions/playSession';
import { FLOOD } from '../sessions/verifySession';

/** The kinds of faults. */
export type FaultKind = 'crash' | 'hang' | 'flood' | 'noise' | 'protocol' | 'internal error' | 'stack trace';

/** A fault of a server. */
export type ServerFault = {
  kind: FaultKind;
  /** The request that brought it about, such as `tools/call add`. */
  what: string;
  text: string;
  /** The id of that request; undefined if it is unknown. */
  id?: unknown;
  /** Faults with the same key are the same. */
  key: string;
};

/** A server owes its client a result or an error for anything; what it answers to a wrong request is its own affair. */
export const findFaults = (index: SessionIndex, endedBy: EndedBy): ServerFault[] => {
  const ended = findEnd(index, endedBy);
  const broken = checkSession(index, { allowed: RULES.filter((rule) => !BROKEN.includes(rule)), forbidden: [] });
  const faults = [
    ...(ended === undefined ? [] : [ended]),
    ...index.calls.flatMap((call) => findInResponse(index, call)),
    ...broken.map(({ rule, what, text, lineNumber }): ServerFault => {
      const request = requestOfLine(index, lineNumber);
      return toFault({ kind: rule === 'noise' ? 'noise' : 'protocol', what, text }, request, toPattern(text));
    }),
  ];
  return [...new Map(faults.toReversed().map((fault) => [fault.key, fault])).values()].toReversed();
};

const BROKEN: readonly string[] = ['noise', 'protocol'];

const toFault = (
  fault: Omit<ServerFault, 'key' | 'id'>,
  request: IndexedMessage | undefined,
  detail = '',
): ServerFault => {
  const { message } = request ?? {};
  const key = [fault.kind, fault.what, detail].join(' ');
  return {
    ...fault,
    text: fault.text.replace(/\s+/g, ' '),
    key,
    ...(message?.kind === 'request' && { id: message.id }),
  };
};

/** A text without what differs from request to request: quoted texts and numbers. */
const toPattern = (text: string): string => clip(text.replace(/"(?:[^"\\]|\\.)*"|'[^']*'|\d+/g, '#'), 100);

/** The last request of the client before a line of the server. */
const requestOfLine = ({ messages, calls }: SessionIndex, lineNumber: number): IndexedMessage | undefined => {
  const at = messages.findIndex((one) => one.lineNumber === lineNumber);
  const owner = calls[messages[at]?.owner ?? -1];
  if (owner !== undefined) return messages[owner.request];
  return messages.slice(0, at).findLast(({ from, message }) => from === 'client' && message.kind === 'request');
};

/** How the server left requests without a response. If it waits for the client, that is no hang. */
const findEnd = (index: SessionIndex, endedBy: EndedBy): ServerFault | undefined => {
  const { calls, messages, exit } = index;
  const own = calls.filter(({ from }) => from === 'client');
  const open = own.findLast(({ outcome }) => outcome === 'open') ?? (endedBy === 'flood' ? own.at(-1) : undefined);
  const request = messages[open?.request ?? -1];
  const end = exit === undefined ? undefined : toServerEnd(exit);
  const isCrash = end !== undefined && (endedBy === 'server' || (exit?.signal != null && end.isFailure));
  const what = request === undefined ? 'the server' : labelOf(request.message);
  if (isCrash)
    return toFault({ kind: 'crash', what, text: `the server ended ${end.text}${lastWords(index)}` }, request);
  if (endedBy === 'flood') return toFault({ kind: 'flood', what, text: FLOOD }, request);
  const isWaiting = calls.some(({ from, outcome }) => from === 'server' && outcome === 'open');
  if (request === undefined || isWaiting) return undefined;
  return toFault({ kind: 'hang', what, text: 'the server did not respond in time' }, request);
};

/** Of the text of a fault: a whole error, and not a whole list that a server repeats in it. */
const MAX_CHARS = 2_000;

/** The error that a program names on stderr at its end, else its last line there. */
const lastWords = ({ entries }: SessionIndex): string => {
  const lines = entries.flatMap(({ entry: { dir, line } }) =>
    dir === 'err' && line.trim() !== '' ? [line.trim()] : [],
  );
  const last = lines.findLast((line) => NAMED_ERROR.test(line)) ?? lines.at(-1);
  return last === undefined ? '' : ` (${clip(last, MAX_CHARS)})`;
};

/** Source: uncaught errors of Node, Python, Java; panics of Rust and Go. */
const NAMED_ERROR = /^[\w.]{0,100}(?:Error|Exception|panic)\b.{0,40}:|panicked at/;

const INTERNAL = -32_603;

const findInResponse = (index: SessionIndex, { from, request, response }: Call): ServerFault[] => {
  const [asked, answer] = [index.messages[request], index.messages[response ?? -1]];
  if (from !== 'client' || asked === undefined || answer?.message.kind !== 'response') return [];
  const what = labelOf(asked.message);
  const { code, message, data } = toObject(answer.message.body.error);
  const status = index.serverLines[answer.line]?.status ?? 0;
  const trace = traceIn([message, data, answer.message.body.result]);
  return [
    ...(code === INTERNAL || status >= 500
      ? [
          toFault(
            { kind: 'internal error', what, text: `${wordOf(code ?? status)}: ${clip(wordOf(message), MAX_CHARS)}` },
            asked,
          ),
        ]
      : []),
    ...(trace === undefined ? [] : [toFault({ kind: 'stack trace', what, text: clip(trace, MAX_CHARS) }, asked)]),
  ];
};

/** Lines of stack traces. Each repeats at most so often, as the server wrote the text. Source: V8, CPython, Rust, Go, the JVM, .NET. */
const TRACE = [
  /\n {1,20}at [^\n]{1,300}:\d{1,9}:\d{1,9}/,
  /Traceback \(most recent call last\)/,
  /thread '[^'\n]{0,100}' (?:\(\d{1,9}\) )?panicked at/,
  /goroutine \d{1,9} \[/,
  /\sat [\w.$]{1,200}\([\w$]{1,100}\.(?:java|kt):\d{1,9}\)/,
  /\sat [^\n]{1,200} in [^\n]{1,200}:line \d{1,9}/,
];

/** The place of a stack trace in the texts of a value; undefined if there is none. */
const traceIn = (value: unknown): string | undefined => {
  if (typeof value === 'string') {
    const text = value.slice(0, MAX_SEARCHED);
    return TRACE.map((trace) => trace.exec(text)?.[0].trim()).find((found) => found !== undefined);
  }
  if (typeof value !== 'object' || value === null) return undefined;
  for (const part of Object.values(value)) {
    const found = traceIn(part);
    if (found !== undefined) return found;
  }
  return undefined;
};

/** Further text is not searched. */
const MAX_SEARCHED = 20_000;
