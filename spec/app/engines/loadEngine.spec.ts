import { firstValueFrom, lastValueFrom, NEVER, of, toArray } from 'rxjs';
import { loadEngine } from '../../../src/app/engines/loadEngine';
import { startsInTurns } from '../../../src/streams/pausing';
import type { Tape } from '../../../src/tapes/format/tape';
import { SAYS_HI, scriptedToml, turn, wired } from '../../agent/wiring/wiring';
import { removeHomes } from '../../support/home';

afterAll(removeHomes);

/** An engine whose parts take more than a turn of the event loop each; `turns` counts the later ones. */
const loading = (recorded: { tape?: Tape } = {}) => {
  const { wiring: plain, home } = wired({ toml: scriptedToml });
  const wiring = { ...plain, ...recorded };
  home.write('.codex/answers.json', SAYS_HI);
  const counted = { turns: 0, begun: 0, nowMs: 0 };
  const starts = startsInTurns({
    now: () => (counted.nowMs += 10),
    soon: (run) => {
      counted.turns += 1;
      setImmediate(run);
    },
  });
  const first = <T>(make: () => T): T => {
    counted.begun += 1;
    return make();
  };
  return { ...loadEngine({ wiring, first, starts }), counted };
};

describe('loadEngine', () => {
  it('lets the event loop turn between the parts of the engine, and runs the first call then', async () => {
    const { engine, counted } = loading();
    const events = await firstValueFrom(engine(() => NEVER)(of(turn('hello'))).pipe(toArray()));
    expect(events.at(-1)).toMatchObject({ msg: { type: 'task_complete' } });
    expect(counted.begun).toBe(1);
    expect(counted.turns).toBeGreaterThanOrEqual(4);
  });

  it('makes the engine of a recorded session at once, as a tape has no time at which it was ready', async () => {
    const { engine, counted } = loading({ tape: () => {} });
    await firstValueFrom(engine(() => NEVER)(of(turn('hello'))).pipe(toArray()));
    expect(counted.turns).toBe(0);
  });

  it('makes the engine in advance, before any call', async () => {
    const { warm$, counted } = loading();
    expect(await lastValueFrom(warm$, { defaultValue: 'done' })).toBe('done');
    expect(counted.begun).toBe(0);
  });
});
