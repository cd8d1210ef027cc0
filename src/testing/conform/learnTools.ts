/** Calls each tool of `--tool` once, and learns what such a call is like: which cases need a tool that asks, or one whose call becomes a task. */
import { concatMap, from, map, type Observable, of, toArray } from 'rxjs';
import { isObject, toObject } from '../../protocol/jsonrpc/json';
import { parseLine } from '../../protocol/jsonrpc/parseLine';
import { MODERN_VERSION } from '../../protocol/mcp/mcp';
import { TASKS_EXTENSION } from '../../protocol/mcp/tasks';
import type { ObservedLine, Offer, Revision } from './conformCase';
import { awaited, response } from './expecting';
import type { HarmlessTool, LearnedTool } from './needs';
import { type CaseDeps, playRows, resultIn } from './playCase';
import { openingOf, toGiven } from './speaking';

/** A client that can be asked, and knows tasks. It declares no roots: many servers ask for them at once, whatever is called. */
const CAPABLE = { elicitation: {}, sampling: {}, extensions: { [TASKS_EXTENSION]: {} } };

/** Longer than this a call is slow, in ms. */
const SLOW_MS = 1_000;

/** Emits the offer with what was learned, the quick tools first, and completes. */
export const learnTools = (deps: CaseDeps, offer: Offer, tools: readonly HarmlessTool[]): Observable<Offer> =>
  from(tools).pipe(
    concatMap((tool) => learnTool(deps, offer, tool)),
    toArray(),
    map((learned) => ({ ...offer, tools: learned.toSorted((a, b) => Number(a.isSlow) - Number(b.isSlow)) })),
  );

type Called = { ms: number; asks?: string; task?: LearnedTool['task'] };

const learnTool = (deps: CaseDeps, offer: Offer, tool: HarmlessTool): Observable<LearnedTool> => {
  const legacy = offer.revisions.findLast((revision) => revision !== MODERN_VERSION);
  const modern = offer.revisions.find((revision) => revision === MODERN_VERSION);
  return from([legacy, modern].filter((one) => one !== undefined)).pipe(
    concatMap((revision) => call(deps, offer, { tool, revision })),
    toArray(),
    map((called) => {
      const asks = called.find((one) => one.asks !== undefined)?.asks;
      const task = called.find((one) => one.task !== undefined)?.task;
      const isSlow = called.some(({ ms }) => ms > SLOW_MS);
      return { ...tool, isSlow, ...(asks !== undefined && { asks }), ...(task !== undefined && { task }) };
    }),
  );
};

const call = (
  deps: CaseDeps,
  offer: Offer,
  { tool, revision }: { tool: HarmlessTool; revision: Revision },
): Observable<Called> => {
  const given = toGiven(offer, revision, { declared: CAPABLE });
  const values = { c: given.request('tools/call', { ...tool }), C: response('c') };
  const phases = [...openingOf(given, {}, CAPABLE), { client: 'c-', server: '-C', values }];
  return playRows(deps, phases).pipe(
    concatMap(({ state, lines }) => {
      const outcome = toObject(resultIn(state, 'c'));
      if (outcome.resultType === 'task') return follow(deps, offer, tool);
      const asks = askedIn(lines) ?? askedBy(outcome.inputRequests);
      return of({ ms: durationOf(lines), ...(asks !== undefined && { asks }) });
    }),
  );
};

/** A call that becomes a task, until it asks or ends. */
const follow = (deps: CaseDeps, offer: Offer, tool: HarmlessTool): Observable<Called> => {
  const { request } = toGiven(offer, MODERN_VERSION, { declared: CAPABLE });
  const created = response('c');
  const holesIn = (message: unknown) => ({ $task: toObject(toObject(message).result).taskId });
  const values = {
    c: request('tools/call', { ...tool }),
    C: { ...(created as object), holesIn },
    g: request('tasks/get', { taskId: '<string $task>' }),
    G: awaited(response('g'), ({ result }) => toObject(result).status === 'working'),
  };
  return playRows(deps, [{ client: 'c-g-', server: '-C-G', values }]).pipe(
    map(({ state, lines }): Called => {
      const asks = askedBy(toObject(resultIn(state, 'g')).inputRequests);
      const ms = durationOf(lines);
      return asks === undefined ? { ms, task: 'ends' } : { ms, asks, task: 'asks' };
    }),
  );
};

/** The method of the first question in a result of 2026-07-28. */
const askedBy = (requests: unknown): string | undefined => {
  const [first] = Object.values(toObject(requests));
  const { method } = toObject(first);
  return typeof method === 'string' ? method : undefined;
};

/** The method of the first request of the server after the call, but for pings. */
const askedIn = (lines: readonly ObservedLine[]): string | undefined =>
  lines
    .slice(lines.findIndex(({ dir, line }) => dir === 'in' && isCall(line)))
    .filter(({ dir }) => dir === 'out')
    .flatMap(({ line }) => parseLine(line).messages)
    .flatMap((message) => (message.kind === 'request' && message.method !== 'ping' ? [message.method] : []))[0];

const durationOf = (lines: readonly ObservedLine[]): number => {
  const begun = lines.find(({ dir, line }) => dir === 'in' && isCall(line))?.t ?? 0;
  return (lines.findLast(({ dir }) => dir === 'out')?.t ?? 0) - begun;
};

const isCall = (line: string): boolean => {
  const { value } = parseLine(line);
  return isObject(value) && value.method === 'tools/call';
};
