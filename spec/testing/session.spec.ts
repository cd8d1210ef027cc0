/** A server that is held to its marbles: in order, and in virtual time. */
import { concatMap, delay, map, type Observable, of } from 'rxjs';
import { answer, notification, request, type Server, session, type Values } from '../../src/testing';

type Wire = { id?: number | string; method?: string; params?: { name?: string }; result?: unknown };

const say = (message: object): string => JSON.stringify({ jsonrpc: '2.0', ...message });

/** Notes of a person: `add` says what it does and is done; `clear` asks first. */
const notes: Server = (line$: Observable<string>) => {
  let asking: Wire['id'];
  return line$.pipe(
    map((line) => JSON.parse(line) as Wire),
    concatMap(({ id, method, params, result }) => {
      if (method === 'initialize') return of(say({ id, result: { serverInfo: { name: 'notes' } } }));
      if (params?.name === 'add') {
        return of(
          say({ method: 'notifications/message', params: { data: 'adding' } }),
          say({ id, result: { ok: true } }),
        );
      }
      if (params?.name === 'clear') {
        asking = id;
        return of(say({ id: 'q1', method: 'elicitation/create', params: { message: 'Sure?' } }));
      }
      return result === undefined ? of<string>() : of(say({ id: asking, result: { gone: result } }));
    }),
  );
};

const values: Values = {
  i: request('initialize', { clientInfo: { name: 'spec', version: '1' } }),
  I: answer('i', { serverInfo: { name: 'notes' } }),
  n: notification('notifications/initialized'),
  a: request('tools/call', { name: 'add' }),
  A: answer('a', { ok: true }),
  M: notification('notifications/message', { data: 'adding' }),
  c: request('tools/call', { name: 'clear' }),
  Q: request('elicitation/create', { message: 'Sure?' }),
  y: answer('Q', { action: 'accept' }),
  C: answer('c', { gone: { action: 'accept' } }),
};

describe('session.plays', () => {
  it('holds a server to the order of its marbles', () =>
    session(notes).plays({
      client: 'i-n-a---c---y---|',
      server: '-I----MA--Q---C-|',
      values,
    }));

  it('draws what differs', async () => {
    const played = session(notes).plays({
      client: 'i-n-c---y---|',
      server: '-I----Q---D-|',
      values: { ...values, D: answer('c', { gone: { action: 'decline' } }) },
    });
    await expect(played).rejects.toThrow(/client/);
  });
});

describe('session.playsInTime', () => {
  it('holds a server to the time of its marbles', () => {
    const slow: Server = (line$) =>
      line$.pipe(
        concatMap((line) => of(line).pipe(delay(3))),
        notes,
      );
    session(slow).playsInTime({
      client: 'i-n-----c---y---|   ',
      server: '---I-------Q---C|',
      values,
    });
    expect(() =>
      session(slow).playsInTime({
        client: 'i-n-----c---y---|   ',
        server: '---I-------Q----C|',
        values,
      }),
    ).toThrow('x');
  });
});
