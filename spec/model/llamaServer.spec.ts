/**
 * What llama-server answered, in both dialects, and what is read of it.
 * Source: recorded from llama.cpp 0.7.0 (build 11669) of Debian, 23 November 2026, whose model was a small one made for this: each line
 * of the cases is one answer. It reports an answer that it cut off as a whole one in the Responses dialect.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { catchError, from, lastValueFrom, of, toArray } from 'rxjs';
import { models } from '../../src/model';
import { ModelError, type ModelEvent } from '../../src/protocol/model';
import { answer, httpDeps, provider, question, serverOf } from '../support/models';

type Case = { name: string; wire_api: 'chat' | 'responses'; status: number; content_type: string; body: string };

const cases: Case[] = readFileSync(join(__dirname, 'cases/llama_server.jsonl'), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line));

const STATUS_TEXTS: Record<number, string> = {
  200: 'OK',
  400: 'Bad Request',
  401: 'Unauthorized',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

/** An event as one line: deltas without their texts, which the message repeats. */
const toLine = (event: ModelEvent | ModelError): string[] => {
  if (event instanceof ModelError) return [`error ${event.message}`];
  if (event.kind === 'deltas') return event.deltas.flatMap(toLine);
  if (event.kind === 'completed') return [`completed ${event.usage?.input_tokens} ${event.usage?.output_tokens}`];
  if (event.kind !== 'item') return [event.kind];
  const { item } = event;
  if (item.type === 'message')
    return [`message ${item.content.map((part) => ('text' in part ? part.text : '')).join()}`];
  return [item.type === 'function_call' ? `call ${item.name} ${item.arguments}` : item.type];
};

const once = (lines: string[]): string[] => lines.filter((line, n) => line !== lines[n - 1]);

const read = async ({ wire_api, status, content_type, body }: Case): Promise<string[]> => {
  const body$ = from(body.match(/[\s\S]{1,113}/g) ?? []); // cut where a network might
  const statusText = STATUS_TEXTS[status] ?? '';
  const { post } = serverOf([of(answer(body$, { status, statusText, headers: { 'content-type': content_type } }))]);
  const model = models({ ...httpDeps(post, { statusTexts: 'whole' }), readFile: () => '', version: '1' })(
    provider({ wireApi: wire_api }),
  );
  const events = await lastValueFrom(
    model(question()).pipe(
      catchError((error: ModelError) => of(error)),
      toArray(),
    ),
  );
  return once(events.flatMap(toLine));
};

const TOO_LONG = /^error unexpected status 400 Bad Request: .*exceeds the available context size \(2048 tokens\)/;
const CALLS = ['call shell {"command": ["echo", "one"]}', 'call shell {"command": ["echo", "two"]}'];
const REAL = 'call shell {"command": ["sh", "-c", "echo real"]}';

const READ: Record<string, (string | RegExp)[]> = {
  'text chat': ['text', 'message Hello from a real server!', /^completed \d+ 5$/],
  'call chat': [REAL, /^completed \d+ 7$/],
  'two_calls chat': ['text', 'message Two calls:\n', ...CALLS, /^completed \d+ 10$/],
  'thoughts chat': ['rawReasoning', 'text', 'message An answer, thought through.', /^completed \d+ 7$/],
  'nothing chat': ['nothing', /^completed \d+ 1$/],
  'cut_text chat': ['text', /^message la/, 'error Incomplete response returned, reason: length'],
  'cut_call chat': ['error Incomplete response returned, reason: length'],
  'text responses': ['text', 'message Hello from a real server!', /^completed \d+ 5$/],
  'call responses': [REAL, /^completed \d+ 7$/],
  'two_calls responses': ['text', 'message Two calls:\n', ...CALLS, /^completed \d+ 10$/],
  'thoughts responses': [
    'rawReasoning',
    'text',
    'reasoning',
    'message An answer, thought through.',
    /^completed \d+ 7$/,
  ],
  'nothing responses': [/^completed \d+ 1$/],
  'cut_text responses': ['text', /^message la/, /^completed \d+ 6$/],
  'cut_call responses': [/^call shell \{"command": \["ec/, /^completed \d+ 12$/],
  'too_long chat': [TOO_LONG],
  'too_long responses': [TOO_LONG],
  'no_key chat': [/^error unexpected status 401 Unauthorized: .*Invalid API Key.*no env_key/],
  'no_jinja chat': [
    /^error unexpected status 500 .*tools param requires --jinja flag.*; start llama-server with --jinja and without/,
  ],
  'loading chat': [/^error exceeded retry limit, last status: 503 .*Loading model/],
};

describe('an answer of llama-server', () => {
  it('is stated for each case', () => {
    expect(Object.keys(READ)).toEqual(cases.map(({ name, wire_api }) => `${name} ${wire_api}`));
  });

  it.each(cases.map((one) => [`${one.name} ${one.wire_api}`, one] as const))('%s', async (name, one) => {
    const expected = READ[name]?.map((line) => (line instanceof RegExp ? expect.stringMatching(line) : line));
    expect(await read(one)).toEqual(expected);
  });
});
