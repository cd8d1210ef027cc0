/** Plants faults in a server: what it sends is changed. */
import { toObject } from '../../../src/protocol/jsonrpc/json';
import type { Fault } from './servers';

/** A JSON object. */
export type Json = Readonly<Record<string, unknown>>;
/** A fault, and the cases that find it. */
export type Planted = { fault: Fault; found: readonly string[] };

export const read = (text: string): Json => {
  try {
    return toObject(JSON.parse(text));
  } catch {
    return {};
  }
};

export const is = (line: string, method: string, params: Json = {}): boolean => {
  const message = read(line);
  const own = toObject(message.params);
  return message.method === method && Object.entries(params).every(([name, value]) => own[name] === value);
};

/** Changes the responses to a request. */
export const changed =
  (method: string, change: (response: Json, request: Json) => Json, params?: Json): Fault =>
  (good) =>
  (line) =>
    is(line, method, params) ? good(line).map((text) => JSON.stringify(change(read(text), read(line)))) : good(line);

export const withResult = (method: string, change: (result: Json, params: Json) => Json): Fault =>
  changed(method, (response, request) =>
    'result' in response
      ? { ...response, result: change(toObject(response.result), toObject(request.params)) }
      : response,
  );

/** A result for a request with these params, whatever the server says to it. */
export const answered = (method: string, params: Json, result: Json): Fault =>
  changed(method, ({ error, ...response }) => ({ ...response, result }), params);

export const withCode = (method: string, code: number): Fault =>
  changed(method, ({ error, ...response }) => ({ ...response, error: { ...toObject(error), code } }));

/** Sends a line before the response to a request. */
export const before =
  (method: string, text: string): Fault =>
  (good) =>
  (line) => [...(is(line, method) ? [text] : []), ...good(line)];

export const message = (members: object): string => JSON.stringify({ jsonrpc: '2.0', ...members });

/** Changes what is sent. */
export const sent =
  (change: (text: string, value: Json) => string[]): Fault =>
  (good) =>
  (line) =>
    good(line).flatMap((text) => change(text, read(text)));

/** Changes the stop reasons of an agent. */
export const stopped = (change: (reason: string) => string): Fault =>
  sent((text) => [text.replace(/"stopReason":"(\w+)"/, (_, reason: string) => `"stopReason":"${change(reason)}"`)]);
