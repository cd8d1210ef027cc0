import { toChart } from '../../../src/tapes/diagram/toChart';
import { toDiagram } from '../../../src/tapes/diagram/toDiagram';
import { compare } from '../../../src/tapes/diff/compare';
import { ALL_MASKS } from '../../../src/tapes/matching/mask';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { sessionFrom } from '../../support/tapes';

/**
 * A session with an agent that speaks the Agent Client Protocol: a prompt, a tool with a permission, a prompt that is cancelled.
 * @param run what the agent makes up in each run
 * @param usage how often it reports its usage
 */
const spoken = (run: string, usage = 1, pieces = ['Hel', 'lo']) =>
  toSessionIndex(
    sessionFrom(
      ...[
        ['in', ask(0, 'initialize', { protocolVersion: 1, clientInfo: { name: 'editor', version: '1' } })],
        ['out', answer(0, { protocolVersion: 1, agentInfo: { name: 'agent', version: '2' } })],
        ['in', ask(1, 'session/new', { cwd: '/w', mcpServers: [] })],
        ['out', answer(1, { sessionId: `s-${run}-4711` })],
        ['out', update(run, { sessionUpdate: 'available_commands_update', availableCommands: [] })],
        ['in', prompt(2, run)],
        ...pieces.flatMap((text) => [
          ['out', update(run, { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } })],
          ...Array.from({ length: usage }, () => ['out', update(run, { sessionUpdate: 'usage_update', used: 1 })]),
        ]),
        ['out', update(run, { sessionUpdate: 'tool_call', toolCallId: `shell_${run}`, title: `run shell_${run}` })],
        ['out', ask(0, 'session/request_permission', { ...of(run), toolCall: { toolCallId: `shell_${run}` } })],
        ['in', answer(0, { outcome: { outcome: 'selected', optionId: 'yes' } })],
        ['out', answer(2, { stopReason: 'end_turn' })],
        ['out', update(run, { sessionUpdate: 'session_info_update', title: 'Late' })],
        ['in', prompt(3, run)],
        [
          'out',
          update(run, {
            sessionUpdate: 'agent_message_chunk',
            content: { type: 'text', text: 'On and on'.slice(0, 2 + usage) },
          }),
        ],
        ['in', { method: 'session/cancel', params: of(run) }],
        ['out', answer(3, { stopReason: 'cancelled' })],
      ].map(([dir, message], t): [number, string, object] => [t, dir as string, message as object]),
    ),
  );
const ask = (id: number, method: string, params: object) => ({ jsonrpc: '2.0', id, method, params });
const answer = (id: number, result: object) => ({ jsonrpc: '2.0', id, result });
const of = (run: string) => ({ sessionId: `s-${run}-4711` });
const update = (run: string, change: object) => ({ method: 'session/update', params: { ...of(run), update: change } });
const prompt = (id: number, run: string) => ask(id, 'session/prompt', { ...of(run), prompt: [] });

const differing = (one: ReturnType<typeof spoken>, other: ReturnType<typeof spoken>): string[] =>
  compare(one, other, ALL_MASKS).flatMap(({ label, difference }) => (difference ? [label] : []));

describe('a session with an agent of ACP', () => {
  it('names the agent, the client and the protocol', () => {
    expect(spoken('ab12cd34').parties).toEqual({
      client: { name: 'editor', version: '1' },
      server: { name: 'agent', version: '2' },
      protocol: 'ACP 1',
    });
  });

  it('is drawn with a lane for each kind of update; a run of chunks is one marble, a cancel is x', () => {
    const { lanes, marbles } = toChart(spoken('ab12cd34', 0));
    const named = marbles.map((marble) => ({ ...marble, lane: lanes[marble.lane]?.key ?? '' }));
    const drawing = { paint: (_: unknown, text: string) => text, width: 80 };
    expect(toDiagram(named, { ...drawing, lanes: lanes.map(({ key }) => ({ key, style: 'dim' as const })) })).toEqual([
      'request   i-n--p------p-x-|',
      'answer    -I-N------P----P|',
      'question  --------Rr------|',
      'available ----A-----------|',
      'agent     ------G------G--|',
      'tool      -------T--------|',
      'session   -----------S----|',
    ]);
  });

  it('gives what the agent sends to the prompt of its session, also after the response', () => {
    const { messages, calls } = spoken('ab12cd34', 0);
    const methodOf = (call: number | undefined) => {
      const { message } = messages[calls[call ?? -1]?.request ?? -1] ?? {};
      return message && 'method' in message ? message.method : undefined;
    };
    const owned = messages.filter(({ from, message }) => from === 'server' && message.kind !== 'response');
    expect(owned.map(({ owner }) => methodOf(owner))).toEqual(['session/new', ...Array(6).fill('session/prompt')]);
    expect(calls.map(({ outcome }) => outcome)).toEqual([
      ...['answered', 'answered', 'answered', 'answered'],
      'cancelled',
    ]);
  });

  it('is the same in another run: ids of tools, where a text is cut, also by a cancel, and when the state of the session changes', () => {
    expect(differing(spoken('ab12cd34'), spoken('zz'))).toEqual([]);
    expect(differing(spoken('ab12cd34'), spoken('ab12cd34', 1, ['H', 'ello']))).toEqual([]);
    expect(differing(spoken('ab12cd34', 0), spoken('ab12cd34', 0, ['Hello']))).toEqual([]);
  });

  it('differs by its texts, and by how often it sends its state', () => {
    expect(differing(spoken('a1'), spoken('a1', 1, ['Hel', 'p']))).toEqual(['session/prompt']);
    expect(differing(spoken('a1'), spoken('a1', 2))).toEqual(['usage_update of the session']);
  });
});
