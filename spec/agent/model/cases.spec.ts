/**
 * What the recorded original did over HTTP, asked of both dialects by a small stand-in for the turn loop.
 * Source: Codex 0.28.0, 38 recorded runs; `events` are those of a whole turn, delays masked.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { concat, concatMap, defer, delay, from, type Observable, of, retry, tap, throwError, timer } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { models } from '../../../src/agent/model/models';
import type { HttpResponse } from '../../../src/io/http/httpRequest';
import type { ModelEvent } from '../../../src/protocol/model/events';
import type { ResponseItem } from '../../../src/protocol/model/items';
import type { ModelError } from '../../../src/protocol/model/model';
import { answer, httpDeps, provider, question, serverOf } from '../../support/models';

type Scripted = {
  drop_connection?: boolean;
  status?: number;
  headers?: Record<string, string>;
  body?: string;
  sse?: string;
  chunks?: [number, string][];
  end?: 'abort' | 'close';
};
type Emitted = { type: string; message?: string; call_id?: string; [key: string]: unknown };
type Case = {
  id: string;
  note: string;
  wire_api: 'responses' | 'chat';
  retries: number;
  provider_extra: string;
  script: Scripted[];
  requests: number;
  events: Emitted[];
};

/** Defects of the original that are not copied, with what is emitted instead. */
const MENDED: Record<string, { why: string; requests?: number; emitted: string[] }> = {
  mh02: {
    why: 'a refusal is not asked for again',
    requests: 1,
    emitted: ['error unexpected status 403 Forbidden: {"detail": "no"}'],
  },
  mh22: { why: 'a failure counts at once', emitted: ['error stream disconnected before completion: zzz'] },
  mh23: {
    why: 'an incomplete response says why',
    emitted: ['agent_message x', 'error Incomplete response returned, reason: max_output_tokens'],
  },
  mh26: { why: 'comments are signs of life', emitted: ['agent_message x', 'token_count 10 2 5 1 15'] },
  mh30: { why: 'response.completed is the end', emitted: ['agent_message x', 'token_count 10 2 5 1 15'] },
  mh40: {
    why: 'an answer that is cut off is no final answer',
    emitted: ['agent_message Hi', 'error Incomplete response returned, reason: length'],
  },
  mh41: {
    why: 'an answer that is withheld is no empty success',
    emitted: ['error Incomplete response returned, reason: content_filter'],
  },
  mh44: { why: 'no call of a chunk is lost', emitted: ['call a', 'call b', 'agent_message fin'] },
  mh46: { why: 'a call counts whatever the finish reason', requests: 2, emitted: ['call call_1', 'call call_1'] },
  mh49: { why: 'reasoning_content is emitted', emitted: ['raw think ', 'agent_message ans'] },
  mh50: { why: 'usage is emitted', emitted: ['agent_message a', 'token_count 3 null 1 null 4'] },
  mh52: {
    why: 'limits are reported in both dialects',
    emitted: ["error You've hit your usage limit. Try again later."],
  },
};

const cases: Case[] = readFileSync(join(__dirname, 'cases/model_http.jsonl'), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line));

const lost = (code: string) => Object.assign(new Error(code), { code });

const STATUS_TEXTS: Record<number, string> = {
  200: 'OK',
  400: 'Bad Request',
  403: 'Forbidden',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
};

const toAnswer = ({
  drop_connection,
  status = 200,
  headers = {},
  body,
  sse,
  chunks = [],
  end,
}: Scripted): Observable<HttpResponse> => {
  if (drop_connection) return throwError(() => lost('ECONNRESET'));
  const piece$ = from(chunks).pipe(concatMap(([ms, text]) => of(text).pipe(delay(ms))));
  const body$ = concat(of(body ?? sse ?? ''), piece$, end === 'abort' ? throwError(() => lost('ECONNRESET')) : of());
  return of(answer(body$, { status, statusText: STATUS_TEXTS[status] ?? '', headers }));
};

const toWord = (event: ModelEvent): string[] => {
  if (event.kind === 'rawReasoning') return [`raw ${event.delta}`];
  if (event.kind === 'completed') return event.usage ? [`token_count ${usageOf(event.usage)}`] : [];
  if (event.kind !== 'item') return [];
  if (event.item.type === 'function_call') return [`call ${event.item.call_id}`];
  return event.item.type === 'message'
    ? [`agent_message ${event.item.content.map((part) => 'text' in part && part.text).join('')}`]
    : [];
};

const usageOf = (emitted: Record<string, unknown>): string =>
  ['input_tokens', 'cached_input_tokens', 'output_tokens', 'reasoning_output_tokens', 'total_tokens']
    .map((name) => String(emitted[name]))
    .join(' ');

const toRecordedWord = (emitted: Emitted): string[] => {
  switch (emitted.type) {
    case 'agent_message':
    case 'error':
      return [`${emitted.type} ${emitted.message}`];
    case 'stream_error':
      return [`${emitted.type} ${emitted.message?.replace(/; retrying.*/, '')}`];
    case 'token_count':
      return [`token_count ${usageOf(emitted)}`];
    case 'agent_reasoning_raw_content_delta':
      return [`raw ${emitted.delta}`];
    case 'exec_command_begin':
      return [`call ${emitted.call_id}`];
    default:
      return [];
  }
};

/** Samples until no call is left open, asking again after retryable errors, at most twice over. */
const runTurn = (one: Case) => {
  const { post, sent } = serverOf(one.script.map(toAnswer));
  const words: string[] = [];
  const idleMs = /stream_idle_timeout_ms = (\d+)/.exec(one.provider_extra)?.[1];
  const own = {
    wireApi: one.wire_api,
    requestMaxRetries: one.retries,
    ...(idleMs ? { streamIdleTimeoutMs: Number(idleMs) } : {}),
  };
  const now = () => Date.parse('2026-10-21T07:28:00Z'); // the date that a recorded server names
  const deps = { ...httpDeps(post, { now }), version: '0', readFile: () => '' };
  const ask = models(deps)(provider(own));
  const sample = (input: ResponseItem[], round: number): Observable<unknown> =>
    defer(() => {
      const calls: ResponseItem[] = [];
      const collect = (event: ModelEvent) => {
        words.push(...toWord(event));
        if (event.kind === 'item' && event.item.type === 'function_call') calls.push(event.item);
      };
      return concat(
        ask(question({ input })).pipe(tap(collect)),
        defer(() => (calls.length > 0 && round === 0 ? sample([...input, ...calls], 1) : of())),
      );
    });
  const again = (error: ModelError) => {
    if (!error.retryable) return throwError(() => error);
    words.push(`stream_error stream error: ${error.message}`);
    return timer(200);
  };
  new TestScheduler(() => {}).run(({ flush }) => {
    sample([], 0)
      .pipe(retry({ count: one.retries, delay: again }))
      .subscribe({ error: (error) => words.push(`error ${error.message}`) });
    flush();
  });
  return { words, requests: sent.length };
};

describe('a model over HTTP', () => {
  it.each(cases.filter(({ id }) => !(id in MENDED)))('does as the original: $id $note', (one) => {
    expect(runTurn(one)).toEqual({ words: one.events.flatMap(toRecordedWord), requests: one.requests });
  });

  it.each(cases.filter(({ id }) => id in MENDED))('does better than the original: $id $note', (one) => {
    const { emitted, requests = one.requests } = MENDED[one.id]!;
    expect(runTurn(one)).toEqual({ words: emitted, requests });
    expect(emitted).not.toEqual(one.events.flatMap(toRecordedWord));
  });
});
