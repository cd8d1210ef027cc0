import { firstValueFrom, lastValueFrom, NEVER, of, Subject, toArray } from 'rxjs';
import { loadEngine } from '../../../src/app/engines/loadEngine';
import { startsInTurns } from '../../../src/streams/pausing';
import type { Tape } from '../../../src/tapes/format/tape';
import { SAYS_HI, scriptedToml, turn, wired } from '../../agent/wiring/wiring';
import { removeHomes } from '../../support/home';

afterAll(removeHomes);

/** What only commands and patches need, once it is loaded. */
const mockLoaded: string[] = [];

jest.mock('../../../src/agent/safety/loadGrammar', () => {
  mockLoaded.push('grammar');
  return {};
});
jest.mock('../../../src/executor/localPatch/patchHere', () => {
  mockLoaded.push('patches');
  return {};
});

/** An engine whose parts take more than a turn of the event loop each; `turns` counts the later ones. */
const loading = (recorded: { tape?: Tape } = {}, wait?: (ms: number) => Subject<0>) => {
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
  const besides = () => void mockLoaded.push('besides');
  return { ...loadEngine({ wiring, first, starts, besides, ...(wait && { wait }) }), counted };
};

describe('loadEngine', () => {
  it('lets the event loop turn between the parts of the engine, and runs the first call then', async () => {
    const { engine, counted } = loading();
    const events = await firstValueFrom(engine(() => NEVER)(of(turn('hello'))).pipe(toArray()));
    expect(events.at(-1)).toMatchObject({ msg: { type: 'task_complete' } });
    expect(counted.begun).toBe(1);
    expect(counted.turns).toBeGreaterThanOrEqual(4);
    expect(mockLoaded).toEqual([]);
  });

  it('makes the engine of a recorded session at once, as a tape has no time at which it was ready', async () => {
    const { engine, counted } = loading({ tape: () => {} });
    await firstValueFrom(engine(() => NEVER)(of(turn('hello'))).pipe(toArray()));
    expect(counted.turns).toBe(0);
  });

  it('makes the engine in advance, before any call, and loads what later calls need some time after it', async () => {
    const later$ = new Subject<0>();
    const { warm$, counted } = loading({}, () => later$);
    const isWaiting = jest.spyOn(later$, 'subscribe');
    const done = lastValueFrom(warm$, { defaultValue: 'done' });
    while (isWaiting.mock.calls.length === 0) await new Promise(setImmediate);
    expect(mockLoaded).toEqual([]);
    later$.next(0);
    expect(await done).toBe('done');
    expect(mockLoaded).toEqual(['besides', 'patches', 'grammar']);
    expect(counted.begun).toBe(0);
  });
});
