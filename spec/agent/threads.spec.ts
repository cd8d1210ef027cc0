import { threads } from '../../src/agent/threads';
import { ConfigError } from '../../src/config';
import type { TurnOp } from '../../src/protocol';
import { NO_TOOLS } from '../../src/toolServers';
import { config, ids, turn } from './support';

const uuid = '0199a213-81c0-7800-8aa1-bbab2a035a53';
const model = () => undefined as never;
const wanted = (op: TurnOp, id: string, turnId: string, opens: boolean) => ({
  kind: 'wanted',
  turn: { op, thread: { id, config: config(), model }, turnId, opens, tools: NO_TOOLS },
});
const refused = (message: string) => ({ kind: 'refused', callId: 'b', message });
const around = (own: Partial<Parameters<typeof threads>[0]> = {}) => {
  const logged: unknown[][] = [];
  const log = (...record: unknown[]) => void logged.push(record);
  return { find: threads({ configure: () => config(), modelOf: () => model, newId: ids(), log, ...own }), logged };
};
const [one, two] = [turn('a', { start: {} }), turn('o', { start: {} })];

describe('threads', () => {
  it('begins a thread, and finds it by its id', () => {
    const { find } = around();
    const reply = turn('b', { id: 'n1' });
    expect([find(one), find(two), find(reply)]).toEqual([
      wanted(one, 'n1', 'n2', true),
      wanted(two, 'n3', 'n4', true),
      wanted(reply, 'n1', 'n5', false),
    ]);
  });

  it('configures a thread as its call wants it, and makes its model for its provider', () => {
    const asked: unknown[] = [];
    const configure = (settings: unknown) => {
      asked.push(settings);
      return config();
    };
    const modelOf = (provider: unknown) => {
      asked.push(provider);
      return model;
    };
    around({ configure, modelOf }).find(turn('a', { start: { model: 'x' } }));
    expect(asked).toEqual([{ model: 'x' }, config().provider]);
  });

  it('takes the thread that was spoken to last for the newest', () => {
    const { find } = around();
    const newest = turn('b', { newest: true });
    find(one);
    find(two);
    expect(find(newest)).toEqual(wanted(newest, 'n3', 'n5', false));
    find(turn('c', { id: 'n1' }));
    expect(find(newest)).toEqual(wanted(newest, 'n1', 'n7', false));
  });

  it.each([uuid, uuid.toUpperCase(), uuid.replaceAll('-', ''), `urn:uuid:${uuid}`, `{${uuid}}`])(
    'reads %s as the same id',
    (id) => {
      const { find } = around({ newId: () => uuid });
      find(one);
      const reply = turn('b', { id });
      expect(find(reply)).toEqual(wanted(reply, uuid, uuid, false));
    },
  );

  it.each([
    [{ id: 'n1' }, 'Session not found for thread_id: n1. Start one with the tool codex.'],
    [{ id: uuid.toUpperCase() }, `Session not found for thread_id: ${uuid}. Start one with the tool codex.`],
    [
      { newest: true } as const,
      'There is no thread on this connection yet. Start one with the tool codex, or pass a threadId.',
    ],
  ])('refuses a reply to %j, which is not there', (ref, message) => {
    expect(around().find(turn('b', ref))).toEqual(refused(message));
  });

  it('refuses a thread whose configuration is wrong, and says what is', () => {
    const configure = () => {
      throw new ConfigError('model: expected string');
    };
    const { find, logged } = around({ configure });
    const message = 'Failed to load Codex configuration: model: expected string';
    expect(find(turn('b', { start: {} }))).toEqual(refused(message));
    expect(logged).toEqual([]);
    expect(find(turn('b', { newest: true }))).toMatchObject({ kind: 'refused' });
  });

  it('refuses and logs a fault of ours', () => {
    const bug = new Error('boom');
    const modelOf = () => {
      throw bug;
    };
    const { find, logged } = around({ modelOf });
    expect(find(turn('b', { start: {} }))).toEqual(refused('internal error: boom'));
    expect(logged).toEqual([
      ['error', 'a thread could not begin by a fault of ours', { callId: 'b', stack: bug.stack }],
    ]);
  });
});
