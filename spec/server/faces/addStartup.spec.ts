import type { EventMsg, McpStartupStatus } from '../../../src/protocol/codex/eventMsg';
import { addStartup, addStartupBefore, addThread, addUpdate, addWarning } from '../../../src/server/faces/addStartup';
import { newTurn0153, type Turn0153 } from '../../../src/server/faces/turn0153';

type Of<T extends EventMsg['type']> = Extract<EventMsg, { type: T }>;
const turn = newTurn0153([{ type: 'text', text: 'go' }]);

describe('addThread, addWarning, addStartup', () => {
  const configured = (mcp_servers?: string[] | 'reported') =>
    ({ type: 'session_configured', mcp_servers }) as unknown as Of<'session_configured'>;
  const startup = (ready: string[], failed: object[] = []) => ({
    ...{ type: 'mcp_startup_complete', ready, failed, cancelled: [] },
  });
  const warning = (message: string): Of<'warning'> => ({ type: 'warning', message });

  it('reports at once that there are no servers', () => {
    expect(addThread(turn, configured())).toEqual({ turn, msgs: [configured(), startup([])] });
  });

  it('reports once which servers have started, when it is known', () => {
    const { turn: starting, msgs } = addThread(turn, configured(['a', 'b']));
    expect(msgs).toEqual([configured(['a', 'b'])]);
    const failure = warning('MCP client for `b` failed to start: no\nprogram');
    const failed = addWarning(starting, failure);
    expect(failed.msgs).toEqual([failure]);
    const reported = addStartup(failed.turn);
    expect(reported).toEqual({ turn, msgs: [startup(['a'], [{ server: 'b', error: 'no\nprogram' }])] });
    expect(addStartup(reported.turn)).toEqual({ turn, msgs: [] });
  });

  it('passes any other warning, and one of a server outside the start', () => {
    const other = addThread(turn, configured(['a'])).turn;
    expect(addWarning(other, warning('w'))).toEqual({ turn: other, msgs: [warning('w')] });
    const late = warning('MCP client for `a` failed to start: no');
    expect(addWarning(turn, late)).toEqual({ turn, msgs: [late] });
  });

  const update = (server: string, status: McpStartupStatus): Of<'mcp_startup_update'> => ({
    ...{ type: 'mcp_startup_update', server, status },
  });
  const startingOf = (...names: string[]): Turn0153 =>
    names.reduce(
      (before, name) => addUpdate(before, update(name, { state: 'starting' })).turn,
      addThread(turn, configured('reported')).turn,
    );
  const started = (before: Turn0153): Turn0153 => ({ ...before, startedMs: 1 });

  it('waits for servers that are reported one by one, and passes what is reported of each', () => {
    const bad = update('b', { state: 'failed', error: 'no program' });
    const first = addUpdate(startingOf('a', 'b'), bad);
    expect(first.msgs).toEqual([bad]);
    expect(addStartupBefore(first.turn, 'task_started').msgs).toEqual([]);
    expect(addStartupBefore(started(first.turn), 'agent_message').msgs).toEqual([]);
    const good = update('a', { state: 'ready' });
    const last = addUpdate(started(first.turn), good);
    expect(last.msgs).toEqual([good, startup(['a'], [{ server: 'b', error: 'no program' }])]);
    expect(last.turn).toEqual(started(turn));
    expect(addUpdate(last.turn, good)).toEqual({ turn: last.turn, msgs: [good] });
  });

  it('knows all that are reported one by one when the turn starts, not before', () => {
    const { turn: early, msgs } = addUpdate(startingOf('a'), update('a', { state: 'cancelled' }));
    expect(msgs).toHaveLength(1);
    expect(addStartupBefore(early, 'task_started').msgs).toEqual([{ ...startup([]), cancelled: ['a'] }]);
    expect(addStartupBefore(startingOf(), 'task_started').msgs).toEqual([startup([])]);
  });

  it.each(['task_complete', 'turn_aborted'] as const)('names those of which it is known before %s', (type) => {
    const half = addUpdate(started(startingOf('a', 'b')), update('b', { state: 'ready' })).turn;
    expect(addStartupBefore(half, type).msgs).toEqual([startup(['b'])]);
  });

  it('takes no warning for a report where each server is reported', () => {
    const { turn: next } = addWarning(startingOf('a'), warning('MCP client for `z` failed to start: no'));
    expect(addStartupBefore(next, 'task_complete').msgs).toEqual([startup([])]);
  });

  it.each([
    ['task_started', []],
    ['warning', []],
    ['agent_message', [startup(['a'])]],
  ] as const)('names servers that were named at the begin before the first event of the turn: %s', (type, expected) => {
    expect(addStartupBefore(addThread(turn, configured(['a'])).turn, type).msgs).toEqual(expected);
  });
});
