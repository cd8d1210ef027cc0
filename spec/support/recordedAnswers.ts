/** Recorded answers of model servers, and what the models read of them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { catchError, from, lastValueFrom, of, toArray } from 'rxjs';
import { models } from '../../src/agent/model/models';
import type { ModelEvent } from '../../src/protocol/model/events';
import { ModelError } from '../../src/protocol/model/model';
import { answer, httpDeps, provider, question, serverOf } from './models';

/** One answer as it was recorded. */
export type Case = { name: string; wire_api: 'chat' | 'responses'; status: number; content_type: string; body: string };

/** The answers of a file in `spec/agent/model/cases`. */
export const casesIn = (name: string): Case[] =>
  readFileSync(join(__dirname, '../agent/model/cases', name), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

const STATUS_TEXTS: Record<number, string> = {
  200: 'OK',
  404: 'Not Found',
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

/** What is read of an answer, as lines. */
export const read = async ({ wire_api, status, content_type, body }: Case): Promise<string[]> => {
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
