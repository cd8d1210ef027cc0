import { type AnnouncedEnd, turnEndOf } from '../../../../src/agent/appServer/turns/turnMessages';
import type { JsonObject } from '../../../../src/protocol/jsonrpc/json';

const turn = (status: string, error?: unknown): JsonObject => ({ turn: { id: 't', status, error } });
const failed = (message: string, isConfirmed: boolean): AnnouncedEnd => ({
  end: { kind: 'failed', message },
  isConfirmed,
});
const completed: AnnouncedEnd = { end: { kind: 'completed' }, isConfirmed: true };

describe('turnEndOf', () => {
  it.each<[string, string, JsonObject, AnnouncedEnd | undefined]>([
    ['an item', 'item/completed', turn('completed'), undefined],
    ['an error that is retried', 'error', { willRetry: true, error: { message: 'again' } }, undefined],
    ['a final error', 'error', { error: { message: 'over' } }, failed('over', false)],
    ['one without a message', 'error', {}, failed('The turn failed.', false)],
    ['the end', 'turn/completed', turn('completed'), completed],
    ['an end of an unknown kind', 'turn/completed', {}, completed],
    [
      'an end that was asked for',
      'turn/completed',
      turn('interrupted'),
      { end: { kind: 'interrupted' }, isConfirmed: true },
    ],
    [
      'a failure, with all that is known of it',
      'turn/completed',
      turn('failed', { message: 'no model', additionalDetails: 'HTTP 500' }),
      failed('no model\nHTTP 500', true),
    ],
  ])('reads %s', (_, method, params, end) => {
    expect(turnEndOf({ method, params })).toEqual(end);
  });
});
