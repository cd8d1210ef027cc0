import { resolve } from 'node:path';
import { firstValueFrom, NEVER, of, toArray } from 'rxjs';
import type { ReadyEngine } from '../../../src/agent/wiring/wiring';
import { engines, enginesOf } from '../../../src/app/engines/engines';
import type { Ask, Engine } from '../../../src/protocol/codex/engine';
import type { Event } from '../../../src/protocol/codex/events';
import type { Op } from '../../../src/protocol/codex/operations';
import { atOnce } from '../../../src/streams/pausing';
import { type Given, SAYS_HI, scriptedToml, turn, wired } from '../../agent/wiring/wiring';
import { removeHomes } from '../../support/home';

afterAll(removeHomes);

const ask: Ask = () => NEVER;
const eventsFrom = (chosen: Engine, ...op: Op[]): Promise<Event[]> =>
  firstValueFrom(chosen(ask)(of(...op)).pipe(toArray()));
const warm = (warmUp: ReadyEngine['warmUp']): void => void (warmUp && atOnce(warmUp()));
const lastOf = (events: readonly Event[]): unknown => {
  const event = events.at(-1);
  if (event?.kind === 'rejected') return event.message;
  return event?.kind === 'event' && event.msg.type === 'task_complete' ? event.msg.last_agent_message : event;
};

/** A home whose model says hi. */
const withScript = (given: Given = {}) => {
  const made = wired({ toml: scriptedToml, ...given });
  made.home.write('.codex/answers.json', SAYS_HI);
  return made;
};

describe('engines', () => {
  it('with auto takes what this machine can use, and logs why, once', async () => {
    const { wiring, logged } = withScript();
    const { engine: chosen, warmUp } = engines(wiring);
    warm(warmUp);
    expect(lastOf(await eventsFrom(chosen, turn('a'), turn('b')))).toBe('hi');
    expect(logged.filter(([message]) => message === 'the engine is chosen')).toEqual([
      ['the engine is chosen', { engine: 'native', reason: 'the model provider script is scripted' }],
    ]);
  });

  it('takes the native engine if it is named, without a choice', async () => {
    const { wiring, logged } = withScript({ options: { engine: 'native' } });
    const { engine: chosen, warmUp } = engines(wiring);
    warm(warmUp);
    expect(lastOf(await eventsFrom(chosen, turn('a')))).toBe('hi');
    expect(logged).toEqual([]);
  });

  it('takes the app-server if it is named; without a Codex it names the remedy', async () => {
    const { wiring } = withScript({ options: { engine: 'app-server' } });
    const { engine: chosen, warmUp } = engines(wiring);
    warm(warmUp);
    expect(lastOf(await eventsFrom(chosen, turn('a')))).toBe(
      'No codex was found in /no/codex. Correct --codex or CODEX_BIN, or open its folder to this user.',
    );
  });

  it('takes a tape', async () => {
    const path = resolve(__dirname, '../../fixtures/tapes/codex-happy.jsonl');
    const { wiring } = wired({ options: { engine: 'tape', tape: { path, speed: 'max', match: 'next' } } });
    const { engine: chosen, warmUp } = engines(wiring);
    warm(warmUp);
    expect(lastOf(await eventsFrom(chosen, turn('anything')))).toEqual(expect.any(String));
  });

  it.each([
    ['that is not there', '/no/tape.jsonl', '/no/tape.jsonl cannot be read'],
    ['that was not named', undefined, 'cannot be read'],
  ])('refuses each call where the tape is one %s', async (_, path, message) => {
    const { wiring } = wired({ options: { engine: 'tape', tape: { path, speed: 'max', match: 'strict' } } });
    const events = await eventsFrom(engines(wiring).engine, turn('a'), { kind: 'interrupt', callId: 'x' }, turn('b'));
    expect(events).toEqual(Array(2).fill({ kind: 'rejected', callId: 'c', message: expect.stringContaining(message) }));
  });

  it.each([
    ['auto', true],
    ['native', true],
    ['app-server', false],
    ['tape', false],
  ] as const)('with %s makes the native engine ready beforehand: %s', (name, is) => {
    const newId = jest.fn(() => 'id');
    warm(engines({ ...wired({ options: { engine: name } }).wiring, newId }).warmUp);
    expect(newId.mock.calls.length > 0).toBe(is);
  });

  it('ends the reason and the remedy of its note with one full stop each', async () => {
    const events = await eventsFrom(engines(wired().wiring).engine, turn('a'));
    expect(JSON.stringify(events)).toContain('name it as model_provider. To use Codex, correct --codex or CODEX_BIN,');
  });

  it('goes on with a configuration that cannot be used: the call reports what is wrong', async () => {
    const { wiring, logged } = wired({ toml: 'approval_policy = 3' });
    const { engine: chosen, warmUp } = engines(wiring);
    warm(warmUp);
    expect(lastOf(await eventsFrom(chosen, turn('a')))).toContain('approval_policy is 3');
    expect(logged[0]).toMatchObject(['the engine is chosen', { engine: 'native' }]);
  });
});

describe('enginesOf', () => {
  it.each<[string, Given, object]>([
    ['a scripted model', { toml: scriptedToml }, { engine: 'native', reason: expect.stringContaining('is scripted') }],
    [
      'no Codex if one was named, and a key',
      { processInfo: { env: { PATH: '', OPENAI_API_KEY: 'sk-spec' } } },
      {
        engine: 'native',
        reason: 'the codex that was named is not there: /no/codex; the model provider openai can be used',
        remedy: 'correct --codex or CODEX_BIN, then restart this server',
      },
    ],
    [
      'no Codex if one was named, and no key',
      {},
      {
        engine: 'native',
        reason: expect.stringMatching(/^the codex that was named is not there: \/no\/codex; .*OPENAI_API_KEY/),
        remedy: 'correct --codex or CODEX_BIN, then restart this server',
      },
    ],
    [
      'an engine that is named',
      { options: { engine: 'app-server' } },
      { engine: 'app-server', reason: '--engine app-server' },
    ],
  ])('with %s', async (_, given, choice) => {
    expect(await firstValueFrom(enginesOf(wired(given).wiring).choice$)).toEqual(choice);
  });
});
