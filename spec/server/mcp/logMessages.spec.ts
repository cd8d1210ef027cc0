import { NEVER } from 'rxjs';
import type { LogRecord } from '../../../src/protocol/log';
import type { McpLogLevel } from '../../../src/protocol/mcp/mcp';
import type { CallOutput } from '../../../src/server/calls/step';
import type { Caller } from '../../../src/server/mcp/caller';
import { logMessages } from '../../../src/server/mcp/serveCalls';
import { marbles } from '../../support/marbles';
import { legacy, modern, outputsOf } from '../../support/mcpCalls';

const response = { kind: 'response', id: 'l', json: '{}' } as const;
const level = (name: McpLogLevel) => ({ kind: 'level' as const, level: name, response });
const levels = { w: level('warning'), d: level('debug') };

const records: Record<string, LogRecord> = {
  i: { level: 'info', message: 'small', fields: { callId: 'c' } },
  j: { level: 'info', message: 'small', fields: { callId: 'other' } },
  e: { level: 'error', message: 'grave hunter2' },
  b: { level: 'debug', message: 'tiny', fields: { callId: 'c' } },
};

const wanting = outputsOf({ ...modern, era: { ...modern.era, logLevel: 'info' } });
const outputs: Record<string, CallOutput<Caller>> = {
  b: wanting.begun,
  d: wanting.deltas,
  r: wanting.resumed,
  q: wanting.question,
  s: wanting.suspended,
  x: wanting.cancelled,
  z: wanting.finished,
  y: wanting.busy,
  w: wanting.withdrawn,
  o: outputsOf(legacy).begun,
};

const shown = (name: string, data: object) => ({
  kind: 'notification',
  method: 'notifications/message',
  params: { level: name, logger: 'codex-rx', data },
});
const messages = {
  L: response,
  I: shown('info', { message: 'small', callId: 'c' }),
  E: shown('error', { message: 'grave ***' }),
};

/** Stands for what takes secrets out. */
const cleanRecord = (record: LogRecord): LogRecord => ({
  ...record,
  message: record.message.replace('hunter2', '***'),
});

describe('logMessages', () => {
  it(
    'sends a legacy client the records at its level and above, from the response on',
    marbles(({ hot, expectObservable }) => {
      const level$ = hot('   --w------d---|', levels);
      const record$ = hot('  e---i-e----i-|', records);
      const expected = '     --L---E--L-I-|';
      expectObservable(level$.pipe(logMessages({ record$, cleanRecord, output$: hot('-------------|') }))).toBe(
        expected,
        messages,
      );
    }),
  );

  it(
    'sends a request of 2026-07-28 the records of its call at its level, as long as it waits',
    marbles(({ hot, expectObservable }) => {
      const output$ = hot('  -b-d----q-s---r---z-|', outputs);
      const record$ = hot('  i--i-jeb-i-i-i---i--i|', records);
      const expected = '     ---I-----I-------I---|';
      expectObservable(hot<never>('|').pipe(logMessages({ record$, cleanRecord, output$ }))).toBe(expected, messages);
    }),
  );

  it(
    'goes on for a request that waits, when another one for its call is rejected',
    marbles(({ hot, expectObservable }) => {
      const output$ = hot('  b-y--w---z-|', outputs);
      const record$ = hot('  -i-i--i---i|', records);
      const expected = '     -I-I--I----|';
      expectObservable(hot<never>('|').pipe(logMessages({ record$, cleanRecord, output$ }))).toBe(expected, messages);
    }),
  );

  it(
    'sends nothing of a call that was cancelled, or that named no level',
    marbles(({ hot, expectObservable }) => {
      const output$ = hot('  b-x--o--|', outputs);
      const record$ = hot('  ---i--i-|', records);
      const expected = '     --------|';
      expectObservable(hot<never>('|').pipe(logMessages({ record$, cleanRecord, output$ }))).toBe(expected, messages);
    }),
  );

  it(
    'unsubscribes all its sources',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const record$ = hot('  ---', records);
      const output$ = hot('  ---', outputs);
      expectObservable(NEVER.pipe(logMessages({ record$, cleanRecord, output$ })), '^-!').toBe('---');
      expectSubscriptions(record$.subscriptions).toBe('^-!');
      expectSubscriptions(output$.subscriptions).toBe('^-!');
    }),
  );
});
