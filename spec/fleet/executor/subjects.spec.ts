import { execSubjects } from '../../../src/fleet/executor/subjects';
import { RpcError } from '../../../src/protocol/jsonrpc/messages';

describe('execSubjects', () => {
  it('keeps what an executor serves and stores under its own name', () => {
    const own = execSubjects('p');
    const name = { executor: 'e', instance: 'i', connection: 'c' };
    expect([own.status('e'), own.pool('l'), own.calls(name), own.callsOfAll(name), own.client('c')]).toEqual([
      'p.exec.e',
      'p.pool.l',
      'p.exec.e.i.c',
      'p.exec.e.i.*',
      'p.client.c',
    ]);
    expect([own.events('e', 's', 'a.b'), own.eventsOfSession('e', 's'), own.eventsOfAll('e'), own.stream('e')]).toEqual(
      ['p.events.e.s.a%2Eb', 'p.events.e.s.*', 'p.events.e.>', 'p-exec-e'],
    );
  });

  it('refuses the id of a process that no server takes', () => {
    const toSubject = () => execSubjects('p').events('e', 's', 'x'.repeat(1_025));
    expect(toSubject).toThrow(RpcError);
    expect(toSubject).toThrow(/too long: 1024/);
  });
});
