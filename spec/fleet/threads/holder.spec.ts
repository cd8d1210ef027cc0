import fc from 'fast-check';
import { inUse, leaseOver, readHolder, takenOver, toLeaseData } from '../../../src/fleet/threads/lease';

const holder = { host: 'h', pid: 7, store: 's', token: 't' };

describe('toLeaseData', () => {
  it('is read as it was written', () => {
    const one = fc.record({ host: fc.string(), pid: fc.nat(), store: fc.string(), token: fc.string() });
    fc.assert(fc.property(one, (written) => expect(readHolder(toLeaseData(written))).toEqual(written)));
  });

  it('reads what another program wrote as nobody', () => {
    expect(readHolder(new Uint8Array([255]))).toEqual({ host: '', pid: 0, store: '', token: '' });
  });
});

describe('inUse', () => {
  it('names who has the thread, and when it is free', () => {
    expect(inUse('a', holder, { store: 'other', leaseMs: 20_000 }).message).toBe(
      'The thread a is in use by the process 7 of the host h. Call again when the turn there has ended; if that process has died, in 20 s.',
    );
    expect(inUse('a', holder, { store: 's', leaseMs: 20_000 }).message).toMatch(/is open in this server/);
    expect(inUse('a', { ...holder, pid: 0 }, { store: '', leaseMs: 1 }).message).toMatch(/in use by another program/);
  });
});

describe('takenOver', () => {
  it('names who has the thread now, and what became of the turn', () => {
    expect(takenOver('a', holder).message).toMatch(
      /^The thread a was taken over by the process 7 of the host h, .*not in the thread/,
    );
    expect(takenOver('a', undefined).message).toMatch(/taken over by another process/);
  });
});

describe('leaseOver', () => {
  it('names the server and the time of a lease', () => {
    expect(leaseOver('a', 'nats://b', 20_000).message).toMatch(
      /nats:\/\/b did not let it be renewed in time \(20 s\)\. The turn is stopped/,
    );
  });
});
