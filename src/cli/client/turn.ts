/** One turn of an agent, as a person in a terminal sees it. */
import { concatMap, endWith, map, type Observable, type OperatorFunction, scan } from 'rxjs';
import type { ServerEvent } from '../../io/serverProcess/serverProcess';
import { decodeMessage } from '../../protocol/jsonrpc/decodeMessage';
import { isObject, type JsonObject, textOf, toObject } from '../../protocol/jsonrpc/json';
import { connectPeers } from '../../streams/connectPeers';
import { ofKind } from '../../streams/ofKind';

/** What is shown. */
export type Shown =
  /** What the agent does, or a line of the server's log. */
  | { kind: 'progress' | 'log'; text: string }
  /** The result of the call; `isError` if the turn failed. `work` is what the turn used, changed and did not do, as its structured result says. */
  | { kind: 'result'; text: string; isError: boolean; threadId?: string; work: JsonObject }
  /** Why there is no result. */
  | { kind: 'trouble'; text: string };

/**
 * Runs a client that makes one call against a server. Emits what is shown, each progress once; the last before the end of the server is a result or a trouble.
 * Completes with the server. Never errors by itself.
 *   client i--c-----|
 *   server -I---PPR-x|
 *   out    -----P-R--|
 */
export const runTurn = (
  client: OperatorFunction<string, string>,
  server: OperatorFunction<string, ServerEvent>,
): Observable<Shown> => {
  const near: OperatorFunction<ServerEvent, string> = (event$) =>
    event$.pipe(
      ofKind('line'),
      map(({ line }) => line),
      client,
    );
  return connectPeers(near, server).pipe(
    concatMap((traffic) => (traffic.from === 'far' ? toShown(traffic.item) : [])),
    endWith<Shown>({ kind: 'trouble', text: 'the server ended before the turn was done' }),
    scan(once, { shown: [], progress: '', isDone: false }),
    concatMap(({ shown }) => shown),
  );
};

type Sum = { shown: Shown[]; progress: string; isDone: boolean };

/** Only the first end counts: what follows is the end of the server. */
const once = ({ progress, isDone }: Sum, one: Shown): Sum => {
  if (one.kind === 'progress') return { shown: one.text === progress ? [] : [one], progress: one.text, isDone };
  if (one.kind === 'log') return { shown: [one], progress, isDone };
  return { shown: isDone ? [] : [one], progress, isDone: true };
};

/** The result, or a progress, has the same reason. */
const REPEATED = /^\S+ (?:error a turn failed|warning (?:a call was rejected|the connection to the model was lost)) /;

const toShown = (event: ServerEvent): Shown[] => {
  if (event.kind === 'log') return REPEATED.test(event.line) ? [] : [{ kind: 'log', text: event.line }];
  if (event.kind === 'ended') return event.trouble === '' ? [] : [{ kind: 'trouble', text: event.trouble }];
  const message = decodeMessage(event.line);
  if (message.kind === 'notification' && message.method === 'notifications/progress') {
    const text = textOf(message.params.message);
    return text === '' ? [] : [{ kind: 'progress', text }];
  }
  if (message.kind !== 'response') return [];
  if ('error' in message) return [{ kind: 'trouble', text: message.error.message }];
  return 'result' in message ? toResult(toObject(message.result)) : [];
};

/** What results say to a client of the tools, and what a person at a terminal reads instead. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/\bStart one with the tool codex\.$/, 'codex-rx run PROMPT starts one, codex-rx threads lists them.'],
  [/(?<=^Not done: .*: )the client declined it$/gm, 'you declined it'],
  [
    /(?<=^Not done: .*: )the client cannot be asked \(it declared no elicitation\)$/gm,
    'nobody can be asked without a terminal',
  ],
  [/(?<=^The turn was stopped\.\n(?:.*\n)*.*: )the client declined it$/gm, 'you declined it'],
];

/** Other results than that of a call have no content. */
const toResult = ({ content, structuredContent, isError }: JsonObject): Shown[] => {
  if (!Array.isArray(content)) return [];
  const { threadId, content: answer, ...work } = toObject(structuredContent);
  const answerText = typeof answer === 'string' ? answer : textOf(content.find(isObject)?.text);
  const text = WORDS.reduce((all, [pattern, words]) => all.replace(pattern, words), answerText);
  return [{ kind: 'result', text, isError: isError === true, ...(typeof threadId === 'string' && { threadId }), work }];
};
