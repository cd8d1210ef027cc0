/** What every thread store promises, whatever it keeps threads in. */
import { firstValueFrom, lastValueFrom, type Observable, toArray } from 'rxjs';
import { toStream } from '../../src/streams/awaitable';
import { parseLine } from '../../src/threads/lines/readRolloutLine';
import type { RolloutEntry } from '../../src/threads/lines/rolloutEntry';
import type { ThreadRecord } from '../../src/threads/threadRecord';
import type { ThreadStart, ThreadStore } from '../../src/threads/threadStore';

/**
 * `open` opens a store over the same threads as those before it in one spec, as another process would; `tick` moves its clock on by a
 * second; `crash` ends the process of a store without `close`.
 */
export type StoreWorld = { open: () => ThreadStore; tick: () => unknown; crash: (store: ThreadStore) => unknown };

const idOf = (last: number): string => `00000000-0000-4000-8000-${String(last).padStart(12, '0')}`;
const start = (last: number): ThreadStart => ({ id: idOf(last), cwd: '/work', provider: 'mock', own: {} });

const item = (role: string, text: string): RolloutEntry => ({
  type: 'response_item',
  payload: { type: 'message', role, content: [{ type: role === 'user' ? 'input_text' : 'output_text', text }] },
});
const prompt = (text: string): RolloutEntry[] => [
  item('user', text),
  { type: 'event_msg', payload: { type: 'user_message', message: text } },
];
const textsOf = (items: readonly object[]): string[] =>
  items.map((each) => ('content' in each ? (each.content as { text: string }[])[0]?.text : '') ?? '');

/** Registers the suite. `make` makes the world of one spec. */
export const threadStoreContract = (name: string, make: () => StoreWorld): void => {
  const done = (action$: Observable<never>) => lastValueFrom(action$, { defaultValue: undefined });
  const begin = (store: ThreadStore, last: number) => firstValueFrom(toStream(store.begin(start(last))));
  const stored = async (world: StoreWorld, last: number, text: string): Promise<ThreadStore> => {
    const store = world.open();
    const record = await begin(store, last);
    record.write(...prompt(text), item('assistant', `${text}!`));
    await done(record.endTurn());
    await done(record.close());
    world.tick();
    return store;
  };
  const resume = (store: ThreadStore, ref: string) => firstValueFrom(store.resume(ref));
  const ids = async (store: ThreadStore, archived = false, limit = 10): Promise<string[]> =>
    (await firstValueFrom(store.list({ limit, archived }))).map(({ id }) => id);

  describe(`the thread store ${name}`, () => {
    it('gives back a thread that another process wrote, and takes its next turns', async () => {
      const world = make();
      await stored(world, 1, 'one');
      const thread = await resume(world.open(), idOf(1));
      expect(thread).toMatchObject({ id: idOf(1), settings: { cwd: '/work', config: { model_provider: 'mock' } } });
      thread.record.write(...prompt('two'));
      await done(thread.record.close());
      const again = await resume(world.open(), idOf(1));
      expect(textsOf(again.items)).toEqual(['one', 'one!', 'two']);
    });

    it('keeps nothing of a thread without a line of its own until a turn ends or it is closed', async () => {
      const world = make();
      await begin(world.open(), 1);
      expect(await ids(world.open())).toEqual([]);
    });

    it('has what was written when a turn ended, though its process was killed', async () => {
      const world = make();
      const store = world.open();
      const record = await begin(store, 1);
      record.write(...prompt('one'));
      await done(record.endTurn());
      await world.crash(store);
      expect(textsOf((await resume(world.open(), idOf(1))).items)).toEqual(['one']);
    });

    it('refuses a thread that another process has, until that closes it', async () => {
      const world = make();
      const first = await stored(world, 1, 'one');
      const thread = await resume(first, idOf(1));
      const other = world.open();
      await expect(resume(other, idOf(1))).rejects.toThrow(/is in use by the process \d+/);
      await expect(firstValueFrom(other.remove(idOf(1)))).rejects.toThrow(/is in use/);
      await expect(firstValueFrom(other.archive(idOf(1)))).rejects.toThrow(/is in use/);
      await done(thread.record.close());
      await expect(resume(other, idOf(1))).resolves.toMatchObject({ id: idOf(1) });
      await done(other.close());
      await expect(resume(first, idOf(1))).resolves.toMatchObject({ id: idOf(1) });
    });

    it('lends a thread between its turns, and knows whether another process has continued it', async () => {
      const world = make();
      const first = await stored(world, 1, 'one');
      const { record } = await resume(first, idOf(1));
      const turn = async (own: ThreadRecord, text: string) => {
        const claimed = await firstValueFrom(toStream(own.claim()));
        if (claimed === 'current') own.write(...prompt(text));
        await done(own.endTurn());
        await done(own.rest());
        return claimed;
      };
      expect([await turn(record, 'two'), await turn(record, 'three')]).toEqual(['current', 'current']);
      const other = world.open();
      const thread = await resume(other, idOf(1));
      expect(textsOf(thread.items)).toEqual(['one', 'one!', 'two', 'three']);
      expect(await turn(thread.record, 'four')).toBe('current');
      expect(await firstValueFrom(toStream(record.claim()))).toBe('stale');
      await done(record.close());
      expect(textsOf((await resume(first, idOf(1))).items)).toEqual(['one', 'one!', 'two', 'three', 'four']);
    });

    it('lists what comes after a thread, also if that thread is gone', async () => {
      const world = make();
      for (const last of [1, 2, 3]) await stored(world, last, `prompt ${last}`);
      const store = world.open();
      const [after] = await firstValueFrom(store.list({ limit: 1, archived: false }));
      const idsAfter = async () =>
        (await firstValueFrom(store.list({ after: after?.path, limit: 10, archived: false }))).map(({ id }) => id);
      const rest = (await ids(store)).slice(1);
      expect(await idsAfter()).toEqual(rest);
      await firstValueFrom(store.remove(String(after?.id)));
      expect(await idsAfter()).toEqual(rest);
    });

    it('lists the newest first, so many as are asked for', async () => {
      const world = make();
      const store = await stored(world, 1, 't1');
      await stored(world, 2, 't2');
      await stored(world, 3, 't3');
      expect(await ids(store)).toEqual([idOf(3), idOf(2), idOf(1)]);
      expect(await ids(store, false, 2)).toEqual([idOf(3), idOf(2)]);
      const [newest] = await firstValueFrom(store.list({ limit: 1, archived: false }));
      expect(newest).toMatchObject({ preview: 't3', cwd: '/work', provider: 'mock', archived: false });
      expect(newest?.writtenMs).toBe(Math.floor(newest?.writtenMs ?? 0.5));
    });

    it('finds a thread by the beginning of its id, and refuses one that several have', async () => {
      const world = make();
      const store = await stored(world, 1, 'one');
      expect((await firstValueFrom(store.read('00000000'))).summary.id).toBe(idOf(1));
      await stored(world, 2, 'two');
      await expect(firstValueFrom(store.read('00000000'))).rejects.toThrow(
        /2 threads begin with 00000000: .*Give more of the id/,
      );
      await expect(firstValueFrom(store.read('000'))).rejects.toThrow(/Session not found/);
    });

    it('gives the lines of a long thread in pieces, all and in their order', async () => {
      const world = make();
      const store = await stored(world, 1, 'one');
      const { record } = await resume(store, idOf(1));
      const texts = [2, 3, 4, 5].map((n) => `${n}`.repeat(1_100_000));
      for (const text of texts) record.write(item('assistant', text));
      await done(record.close());
      const pieces = await lastValueFrom(world.open().read(idOf(1)).pipe(toArray()));
      expect(pieces.length).toBeGreaterThan(1);
      expect(pieces.every(({ summary }) => summary.id === idOf(1))).toBe(true);
      const items = pieces.flatMap(({ lines }) => lines.flatMap(parseLine)).map(({ payload }) => payload as object);
      const found = items.filter((payload) => 'role' in payload);
      expect(textsOf(found)).toEqual(['one', 'one!', ...texts]);
    });

    it('names the nearest and the newest for an id that it does not know', async () => {
      const world = make();
      const store = await stored(world, 1, 'one');
      await stored(world, 222_222_222_222, 'two');
      await expect(resume(store, idOf(7))).rejects.toThrow(
        `Session not found for thread_id: ${idOf(7)}. The nearest is ${idOf(1)}. The newest is ${idOf(222_222_222_222)}. Start one with the tool codex.`,
      );
      await expect(resume(make().open(), 'none')).rejects.toThrow(
        'Session not found for thread_id: none. Start one with the tool codex.',
      );
    });

    it('forks a thread: the same past, an id of its own, and neither sees the other', async () => {
      const world = make();
      const store = await stored(world, 1, 'one');
      expect(await firstValueFrom(store.fork(idOf(1), idOf(2)))).toMatchObject({ id: idOf(2), preview: 'one' });
      const fork = await resume(store, idOf(2));
      fork.record.write(...prompt('two'));
      await done(fork.record.close());
      expect(textsOf((await resume(store, idOf(2))).items)).toEqual(['one', 'one!', 'two']);
      expect(textsOf((await resume(store, idOf(1))).items)).toEqual(['one', 'one!']);
    });

    it('archives, restores and removes', async () => {
      const world = make();
      const store = await stored(world, 1, 'one');
      expect(await firstValueFrom(store.archive(idOf(1)))).toMatchObject({ id: idOf(1), archived: true });
      expect([await ids(store), await ids(store, true)]).toEqual([[], [idOf(1)]]);
      await firstValueFrom(store.restore(idOf(1)));
      await expect(firstValueFrom(store.restore(idOf(1)))).rejects.toThrow(
        `The thread ${idOf(1)} is not archived, so it can be continued`,
      );
      expect([await ids(store), await ids(store, true)]).toEqual([[idOf(1)], []]);
      await firstValueFrom(store.remove(idOf(1)));
      expect([await ids(store), await ids(store, true)]).toEqual([[], []]);
    });
  });
};
