/** Checks a recorded session against rules. */
import { isObject, type JsonObject, wordOf } from '../../protocol/jsonrpc/json';
import { labelOf } from '../../protocol/jsonrpc/parseLine';
import { counted } from '../../streams/text/reasons';
import { clip } from '../../streams/text/trim';
import { compareOffers } from '../offers/compareOffers';
import { type Offers, offersReader } from '../offers/offers';
import { eventTypeOf } from '../session/pairingKey';
import { callsOf, type Part, type SessionFold, wholePart } from '../session/readParts';
import { type Call, type IndexedMessage, type SessionIndex, toServerEnd } from '../session/sessionIndex';
import { type Stats, tally } from '../stats/toStats';
import { ACP } from './acp';
import { taskChecker } from './checkTasks';
import {
  blameInjected,
  type CheckedSession,
  type CheckOptions,
  type Fault,
  type Finding,
  injectedInto,
  type MessageRules,
  type Protocol,
} from './finding';
import { JSON_RPC } from './jsonRpc';
import { MCP } from './mcp';

/** The protocols of tapes. A session is checked by each that it speaks. */
const PROTOCOLS: readonly Protocol[] = [JSON_RPC, MCP, ACP];

/** What is wrong with a session, in the order of its lines; findings about the whole session come last. */
export const checkSession = (index: SessionIndex, options: CheckOptions): Finding[] => {
  const check = checker(options);
  check.add(wholePart(index));
  return [...check.end().findings];
};

/** Checks a session part by part. */
export const checker = (options: CheckOptions): SessionFold<Pick<CheckedSession, 'calls' | 'findings'>> => {
  const found: Finding[] = [];
  const counts = tally();
  const tasks = taskChecker();
  const offers = offersReader();
  let calls = 0;
  let rules: MessageRules[] | undefined;
  const add = (part: Part): void => {
    const { index, isLast } = part;
    const over = callsOf(part).filter(({ outcome }) => isLast || outcome !== 'open');
    rules ??= PROTOCOLS.filter(({ speaks }) => speaks(index)).map((one) => one.rules());
    const findings = [...over.flatMap((call) => checkCall(index, call, options)), ...findInPart(part, rules)];
    for (const one of findings) if (!options.allowed.includes(one.rule) && found.length < MAX_FINDINGS) found.push(one);
    calls += over.length;
    offers.add(part);
    counts.add(part);
    tasks.add(part);
  };
  const end = () => {
    const ofAll = [...tasks.end(), ...findSlow(counts.end(), options), ...findDrift(offers.end(), options)];
    const findings = [...found, ...ofAll.filter(({ rule }) => !options.allowed.includes(rule))].toSorted(
      (a, b) => Math.sign(placeOf(a) - placeOf(b)) || 0,
    );
    return { calls, findings };
  };
  return { add, end };
};

const findInPart = ({ index, carried }: Part, rules: readonly MessageRules[]): Finding[] => [
  ...findCrash(index),
  ...findNoise(index),
  ...index.entries
    .slice(carried)
    .flatMap(({ messages }) => messages)
    .flatMap((one) => blameInjected(findInMessage(index, one, rules), injectedTwice(index, one))),
];

const findInMessage = (index: SessionIndex, one: IndexedMessage, rules: readonly MessageRules[]): Finding[] =>
  rules.flatMap((rule) => rule(one, index).map((fault) => toFinding(index, one, fault)));

/** What was injected into a request that has a second response. */
const injectedTwice = (index: SessionIndex, { message, owner = -1, index: at }: IndexedMessage): string | undefined =>
  message.kind === 'response' && index.calls[owner]?.response !== at ? injectedInto(index, owner) : undefined;

/** Nobody reads more, and they have to fit in memory. */
const MAX_FINDINGS = 10_000;

const placeOf = ({ lineNumber }: Finding): number => (lineNumber === 0 ? Number.POSITIVE_INFINITY : lineNumber);

const toFinding = ({ calls, messages }: SessionIndex, one: IndexedMessage, fault: Fault): Finding => {
  const { message, lineNumber, owner } = one;
  const asked = message.kind === 'response' ? messages[calls[owner ?? -1]?.request ?? -1]?.message : undefined;
  const kind = 'params' in message ? eventTypeOf(message.params) : '';
  const what = asked === undefined ? `${labelOf(message)} ${kind}`.trim() : `the response to ${labelOf(asked)}`;
  return { ...fault, lineNumber, what, text: clip(fault.text, MAX_CHARS) };
};

const checkCall = (index: SessionIndex, call: Call, { forbidden }: CheckOptions): Finding[] => {
  const request = index.messages[call.request] as IndexedMessage;
  const { lineNumber } = request;
  const what = labelOf(request.message);
  const tool = call.from === 'client' ? toolOf(request) : undefined;
  const isForbidden = tool !== undefined && forbidden.some((pattern) => pattern.test(tool));
  return [
    ...(isForbidden ? [{ rule: 'forbidden' as const, text: 'the client called a forbidden tool' }] : []),
    ...blameInjected(
      [...findOpen(index, call, request), ...findError(index, call, request)],
      injectedInto(index, request.call ?? -1),
    ),
  ].map((found) => ({ ...found, lineNumber, what }));
};

type Found = Pick<Finding, 'rule' | 'text'>;

const findOpen = (index: SessionIndex, { from, outcome }: Call, request: IndexedMessage): Found[] => {
  if (outcome !== 'open') return [];
  if (from === 'client') return hadNoTime(index, request) ? [] : [{ rule: 'hung', text: 'the server never responded' }];
  return endsSoonAfter(index, request) ? [] : [{ rule: 'unanswered', text: 'the client never responded' }];
};

/** A request that comes this shortly before the end may stay without a response. */
const ENDING_MS = 1_000;

const endsSoonAfter = ({ entries, inputEnded }: SessionIndex, { t }: IndexedMessage): boolean =>
  inputEnded !== undefined && (entries[inputEnded]?.entry.t ?? 0) - t < ENDING_MS;

/** Whether the client ended the session so soon after a request, and the server ended in order. */
const hadNoTime = (index: SessionIndex, { t }: IndexedMessage): boolean => {
  const { inputEnded, exit } = index;
  const isOfClient = inputEnded !== undefined || (exit?.signal ?? null) !== null;
  const isFailure = exit !== undefined && toServerEnd(exit).isFailure;
  return isOfClient && !isFailure && leftAt(index) - t < ENDING_MS;
};

/** A client of MCP that leaves ends its input, and sends a signal two seconds later. Source: the SDKs for TypeScript and Python. */
const LEAVING_MS = 3_000;

/** When the client waited no more: it left, or the session is over. */
const leftAt = ({ entries, inputEnded, signalled, exit }: SessionIndex): number => {
  const timeOf = (at: number): number => entries[at]?.entry.t ?? 0;
  const endedBy = signalled?.entry ?? (exit?.signal == null ? undefined : exit.entry);
  if (inputEnded !== undefined && endedBy !== undefined && timeOf(endedBy) - timeOf(inputEnded) < LEAVING_MS)
    return timeOf(inputEnded);
  return timeOf(entries.length - 1);
};

/** By this request a client finds out whether a server knows revision 2026-07-28; older servers reject it. Source: MCP 2026-07-28. */
const PROBE = 'server/discover';

const findError = ({ messages }: SessionIndex, { outcome, response }: Call, { message }: IndexedMessage): Found[] => {
  const answer = messages[response ?? -1]?.message;
  if (outcome !== 'failed' || answer?.kind !== 'response') return [];
  if (message.kind === 'request' && message.method === PROBE) return [];
  return [{ rule: 'error', text: errorText(answer.body) }];
};

/** A server that ended with a failure by itself, or crashed at any time. */
const findCrash = ({ entries, exit, inputEnded }: SessionIndex): Finding[] => {
  if (exit === undefined) return [];
  const { text, isFailure } = toServerEnd(exit);
  const isOwn = exit.signal !== null || inputEnded === undefined || inputEnded > exit.entry;
  if (!isFailure || !isOwn) return [];
  const lineNumber = entries[exit.entry]?.lineNumber ?? 0;
  const crash: Finding = { rule: 'crash', lineNumber, what: 'the server', text: `it ended ${text}` };
  return blameInjected([crash], injectedInto({ entries, exit, messages: [], calls: [] }, -1));
};

const toolOf = ({ message }: IndexedMessage): string | undefined =>
  message.kind === 'request' &&
  message.method === 'tools/call' &&
  isObject(message.params) &&
  typeof message.params.name === 'string'
    ? message.params.name
    : undefined;

const MAX_CHARS = 200;

const errorText = ({ error, result }: JsonObject): string => {
  if (isObject(error))
    return clip(
      `error${error.code === undefined ? '' : ` ${wordOf(error.code)}`}: ${wordOf(error.message)}`,
      MAX_CHARS,
    );
  const content = isObject(result) && Array.isArray(result.content) ? result.content : [];
  const texts = content.flatMap((part) => (isObject(part) && typeof part.text === 'string' ? [part.text] : []));
  return clip(texts.length === 0 ? 'the result is an error' : `the result is an error: ${texts.join(' ')}`, MAX_CHARS);
};

/** Lines on the standard output of the server that are not messages, which many clients cannot read. */
const findNoise = ({ serverLines }: SessionIndex): Finding[] =>
  serverLines
    .filter(({ messages: [message] }) => message?.kind === 'other')
    .map(({ lineNumber, line }) => ({
      rule: 'noise',
      lineNumber,
      what: 'a line that is not a message',
      text: clip(line, MAX_CHARS),
    }));

const findSlow = ({ methods }: Stats, { slowMs }: CheckOptions): Finding[] => {
  if (slowMs === undefined) return [];
  return methods.flatMap(({ who, method, answered, p99Ms }): Finding[] => {
    if (who !== 'client' || p99Ms === null || p99Ms <= slowMs) return [];
    const text = `p99 is ${p99Ms} ms of ${counted(answered, 'call')}, more than ${slowMs} ms`;
    return [{ rule: 'slow', lineNumber: 0, what: method, text }];
  });
};

/** How a server differs from what it must offer. */
const findDrift = (offers: Offers, { baseline }: CheckOptions): Finding[] =>
  compareOffers(baseline ?? {}, offers).map(({ what, effect, text }) => ({
    rule: 'drift',
    lineNumber: 0,
    what,
    text: `${effect}: ${text}`,
  }));
