import { backoff, type Loss } from '../../../src/protocol/rpc/reconnect';

describe('backoff', () => {
  it('doubles the wait from 100 ms to 2 s, and counts the time since the loss', () => {
    const waits: unknown[] = [];
    let loss: Loss | undefined;
    let nowMs = 5_000;
    for (let i = 0; i < 7; i += 1) {
      const next = backoff(loss, nowMs);
      waits.push([next.waitMs, next.elapsedMs]);
      loss = next.loss;
      nowMs += next.waitMs + 10; // an attempt takes 10 ms
    }
    expect(waits).toEqual([
      [100, 100],
      [200, 310],
      [400, 720],
      [800, 1_530],
      [1_600, 3_140],
      [2_000, 5_150],
      [2_000, 7_160],
    ]);
    expect(loss).toEqual({ atMs: 5_000, attempts: 7 });
  });

  it('leaves the loss it was given as it is', () => {
    const loss = Object.freeze({ atMs: 0, attempts: 1 });
    expect(backoff(loss, 50)).toEqual({ loss: { atMs: 0, attempts: 2 }, waitMs: 200, elapsedMs: 250 });
  });
});
