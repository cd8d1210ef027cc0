/** Owns a recorded app-server as a transport: what a request of one kind brought about then, it brings about now. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { concatMap, defer, delay, merge, NEVER, type Observable, type OperatorFunction, of } from 'rxjs';
import type { Heard, Sent } from '../../src/executor';
import { decodeBareMessage, type RequestId } from '../../src/protocol';

type Line = { dir: 'in' | 'out'; message: Heard };

const linesOf = (name: string): Line[] =>
  readFileSync(join(__dirname, 'tapes', `${name}.jsonl`), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ dir }) => dir === 'in' || dir === 'out')
    .map(({ dir, line }) => ({ dir, message: decodeBareMessage(line) as Heard }));

const keyOf = (message: Heard | Sent): string => ('method' in message ? message.method : 'answer');

/**
 * What the client says is looked for from where the tape is now; what the server told from there up to the client's next
 * line follows after a millisecond, the answer under the id of the request. What the recorded client asked besides is
 * passed over with its answers. `said` collects what the client says.
 */
export const tapeServer =
  (name: string, said: Sent[] = []): OperatorFunction<Sent, Heard> =>
  (out$) =>
    defer(() => {
      const lines = linesOf(name);
      let at = 0;
      const answerTo = (sent: Sent): Observable<Heard> => {
        said.push(sent);
        const key = keyOf(sent);
        const found = lines.findIndex(({ dir, message }, i) => i >= at && dir === 'in' && keyOf(message) === key);
        if (found === -1) return sent.kind === 'request' ? of(ok(sent.id)) : of();
        const next = lines.findIndex(({ dir }, i) => i > found && dir === 'in');
        const passed = lines.slice(at, next === -1 ? undefined : next);
        const asked = lines[found]?.message as Heard & { id?: unknown };
        at = next === -1 ? lines.length : next;
        return of(...passed.flatMap(({ dir, message }) => (dir === 'in' ? [] : told(message, asked, sent)))).pipe(
          delay(1),
        );
      };
      return merge(NEVER, out$.pipe(concatMap(answerTo)));
    });

const ok = (id: RequestId): Heard => ({ kind: 'response', id, result: {} });

const told = (message: Heard, asked: { id?: unknown }, sent: Sent): Heard[] => {
  if (message.kind !== 'response') return [message];
  return sent.kind === 'request' && message.id === asked.id ? [{ ...message, id: sent.id }] : [];
};
