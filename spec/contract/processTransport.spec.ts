/** Real processes: noisy ones, hasty ones, ones that speak no UTF-8. */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { concat, concatMap, connect, filter, lastValueFrom, NEVER, type Observable, of, take, toArray } from 'rxjs';
import type { Started } from '../../src/executor/backend';
import { localBackend } from '../../src/executor/local/localBackend';
import { processTransport } from '../../src/executor/processTransport';
import type { ProcessEvent } from '../../src/protocol/exec/process';
import type { Notification } from '../../src/protocol/jsonrpc/messages';
import { noBackpressure } from '../../src/streams/backpressure';

const backend = localBackend({
  spawn,
  backpressure: noBackpressure,
  signals: constants.signals,
  watch: () => () => {},
});
const note = (method: string): Notification => ({ kind: 'notification', method, params: {} });
const isEvent = (event: Started | ProcessEvent): event is ProcessEvent => event.kind !== 'started';

/** Talks with a shell script; `records` are what its error output became. */
const talkWith = (script: string, out$: Observable<Notification> = NEVER) => {
  const records: unknown[] = [];
  const spec = { argv: ['/bin/sh', '-c', script], cwd: '/', env: { PATH: '/usr/bin:/bin' }, stdin: 'pipe' as const };
  const in$ = backend.start(spec).pipe(
    connect((life$) =>
      life$.pipe(
        filter((event) => event.kind === 'started'),
        concatMap(({ process }) =>
          out$.pipe(
            processTransport({
              ...process,
              event$: life$.pipe(filter(isEvent)),
              log: (level, _, fields) => level !== 'debug' && records.push(fields),
              program: 'sh',
              logPerSecond: 3,
            }),
          ),
        ),
      ),
    ),
  );
  return { in$, records };
};

describe('processTransport over localBackend', () => {
  it('reads from one that is noisy, and does not fill the log', async () => {
    const { in$, records } = talkWith(
      `yes 'a line as a noisy process has them' | head -n 50000 >&2; echo '{"jsonrpc":"2.0","method":"a"}'`,
    );
    expect(await lastValueFrom(in$.pipe(toArray()))).toEqual([note('a')]);
    expect(records.length).toBeLessThan(60);
    expect(records.at(-1)).toEqual({ program: 'sh', droppedLines: expect.any(Number) });
  });

  it('reads from one that exits at once, and the good line after bytes that are no UTF-8', async () => {
    const { in$ } = talkWith(`printf '\\377\\376\\n{"jsonrpc":"2.0","method":"a"}'`);
    expect(await lastValueFrom(in$.pipe(toArray()))).toEqual([note('a')]);
  });

  it('talks with 100 at once, and keeps them apart', async () => {
    const talks = Array.from({ length: 100 }, (_, i) => {
      const { in$ } = talkWith('read -r line; echo "$line"; echo "$line" >&2', concat(of(note(`m${i}`)), NEVER));
      return lastValueFrom(in$.pipe(toArray()));
    });
    expect(await Promise.all(talks)).toEqual(talks.map((_, i) => [note(`m${i}`)]));
  });

  it('answers each request, and exits', async () => {
    const { in$ } = talkWith('exec cat', of(note('a')));
    expect(await lastValueFrom(in$.pipe(take(1)))).toEqual(note('a'));
  });
});
