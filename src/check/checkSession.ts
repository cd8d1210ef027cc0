/** Checks a recorded session against rules. */
import { isObject, type JsonObject } from '../protocol/jsonrpc';
import { type Call, type IndexedMessage, labelOf, type SessionIndex } from '../session';
import { toStats } from '../stats';
import { clip, counted } from '../text';
import type { CheckOptions, Finding } from './finding';
import { findDrift, listedTools } from './listedTools';

/** What is wrong with a session, in the order of its lines; findings about the session as a whole come last. */
export const checkSession = (index: SessionIndex, options: CheckOptions): Finding[] => {
  const found = [
    ...index.calls.flatMap((call) => checkCall(index, call, options)),
    ...findNoise(index),
    ...findSlow(index, options),
    ...findToolDrift(index, options),
  ];
  const placeOf = ({ lineNumber }: Finding): number => (lineNumber === 0 ? Number.POSITIVE_INFINITY : lineNumber);
  return found
    .filter(({ rule }) => !options.allowed.includes(rule))
    .toSorted((a, b) => Math.sign(placeOf(a) - placeOf(b)) || 0);
};

const checkCall = ({ messages }: SessionIndex, call: Call, { forbidden }: CheckOptions): Finding[] => {
  const request = messages[call.request] as IndexedMessage;
  const { lineNumber } = request;
  const what = labelOf(request.message);
  const tool = call.from === 'client' ? toolOf(request) : undefined;
  const isForbidden = tool !== undefined && forbidden.some((pattern) => pattern.test(tool));
  const findings: Finding[] = isForbidden
    ? [{ rule: 'forbidden', lineNumber, what, text: 'the client called a forbidden tool' }]
    : [];
  if (call.outcome === 'open') {
    const finding: Finding =
      call.from === 'client'
        ? { rule: 'hung', lineNumber, what, text: 'the server never responded' }
        : { rule: 'unanswered', lineNumber, what, text: 'the client never responded' };
    return [...findings, finding];
  }
  const response = messages[call.response ?? -1]?.message;
  if (call.outcome !== 'failed' || response?.kind !== 'response') return findings;
  return [...findings, { rule: 'error', lineNumber, what, text: errorText(response.body) }];
};

const toolOf = ({ message }: IndexedMessage): string | undefined =>
  message.kind === 'request' &&
  message.method === 'tools/call' &&
  isObject(message.params) &&
  typeof message.params.name === 'string'
    ? message.params.name
    : undefined;

const MAX_CHARS = 200;

/** The code and the message of an error, or the text of a result that is one. */
const errorText = ({ error, result }: JsonObject): string => {
  if (isObject(error)) return clip(`error ${error.code}: ${error.message}`, MAX_CHARS);
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

const findSlow = (index: SessionIndex, { slowMs }: CheckOptions): Finding[] => {
  if (slowMs === undefined) return [];
  return toStats(index).methods.flatMap(({ who, method, answered, p99Ms }): Finding[] =>
    who === 'client' && p99Ms !== null && p99Ms > slowMs
      ? [
          {
            rule: 'slow',
            lineNumber: 0,
            what: method,
            text: `p99 is ${p99Ms} ms of ${counted(answered, 'call')}, more than ${slowMs} ms`,
          },
        ]
      : [],
  );
};

const findToolDrift = (index: SessionIndex, { baseline }: CheckOptions): Finding[] => {
  const tools = baseline && listedTools(index);
  return baseline && tools ? findDrift(baseline, tools) : [];
};
