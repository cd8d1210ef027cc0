import { NEVER } from 'rxjs';
import { idsAndClocks } from '../../src/app/serve';
import type { Entry } from '../../src/tapes/format/tape';
import type { PlayedSeams } from '../../src/tapes/seams/ports';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('idsAndClocks', () => {
  it('draws ids that differ, times, and one key of 32 bytes for the whole run', () => {
    const { newId, newCallId, key, now, clockMs } = idsAndClocks({});
    expect([newId(), newCallId()]).toEqual([expect.stringMatching(UUID), expect.stringMatching(UUID)]);
    expect(newId()).not.toBe(newId());
    expect(key()).toHaveLength(32);
    expect(key()).toBe(key());
    expect(now()).toBeGreaterThan(1_600_000_000_000);
    expect(clockMs()).toBeLessThan(now());
  });

  it('records what it draws, each source by a name of its own', () => {
    const lines: string[] = [];
    const { newId, newCallId, key, now, clockMs, workMs } = idsAndClocks({
      tape: ({ line }: Partial<Entry>) => lines.push(String(line)),
    });
    for (const draw of [newId, newCallId, key, now, clockMs, workMs]) draw();
    for (const name of ['id', 'callId', 'key', 'time', 'callClock', 'workClock'])
      expect(lines.join('\n')).toContain(`"${name}"`);
  });

  it('gives what a rerun has, timers too', () => {
    const names: string[] = [];
    const seams = {
      chance: (name: string) => {
        names.push(name);
        return () => (name === 'key' ? '00ff' : name);
      },
      after: () => NEVER,
    } as unknown as PlayedSeams;
    const { newId, newCallId, key, now, clockMs, workMs, after } = idsAndClocks({ seams });
    expect([newId(), newCallId(), now(), clockMs(), workMs()]).toEqual([
      'id',
      'callId',
      'time',
      'callClock',
      'workClock',
    ]);
    expect([...key()]).toEqual([0, 255]);
    expect(after).toBe(seams.after);
    expect(new Set(names).size).toBe(6);
  });
});
