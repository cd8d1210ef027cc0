/** Parts of what an agent sends in a session, as its rules read them. */
import { isObject, toObject } from '../../../../protocol/jsonrpc/json';
import type { Observed } from '../../conformCase';
import { messagesOf, responsesOf } from '../../observed';

/** A JSON object. */
export type Json = Readonly<Record<string, unknown>>;

/** The objects of a list; none of another value. */
export const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** The updates, each with the id of its session. */
export const updatesOf = (observed: Observed): Json[] =>
  messagesOf(observed, 'out').flatMap(({ method, params }) => {
    const { sessionId, update } = toObject(params);
    return method === 'session/update' ? [{ ...toObject(update), sessionId }] : [];
  });

/** Names a tool call; ids are unique within a session. */
export const toolOf = ({ sessionId, toolCallId }: Json): string => JSON.stringify([sessionId, toolCallId]);

/** Tool calls, in updates and in questions. */
export const toolCallsOf = (observed: Observed): Json[] => [
  ...updatesOf(observed).filter(({ toolCallId }) => toolCallId !== undefined),
  ...messagesOf(observed, 'out').flatMap(({ params }) => {
    const { toolCall } = toObject(params);
    return isObject(toolCall) ? [toolCall] : [];
  }),
];

/** Results and updates that have members of a session. */
export const statesOf = (observed: Observed): Json[] => [
  ...responsesOf(observed).flatMap(({ result }) => (isObject(result) ? [result] : [])),
  ...updatesOf(observed),
];

/** Their options. */
export const optionsOf = (observed: Observed): Json[] =>
  statesOf(observed).flatMap(({ configOptions }) => listOf(configOptions));

/** Paths of files and folders. */
export const pathsOf = (observed: Observed): unknown[] => [
  ...toolCallsOf(observed).flatMap(({ locations, content }) => [
    ...listOf(locations).map(({ path }) => path),
    ...listOf(content).flatMap(({ type, path }) => (type === 'diff' ? [path] : [])),
  ]),
  ...statesOf(observed).flatMap(({ sessions }) => listOf(sessions).map(({ cwd }) => cwd)),
  ...messagesOf(observed, 'out').flatMap(({ method, params }) =>
    /^fs\//.test(String(method)) ? [toObject(params).path] : [],
  ),
];
