import { parseLine } from '../../../src/protocol/jsonrpc/parseLine';
import type { ServerLine } from '../../../src/tapes/session/sessionIndex';
import { openPhase, withLine, withServerEnd } from '../../../src/tapes/specWriter/phase';
import type { LanedLine } from '../../../src/tapes/specWriter/toLanes';

const place = { entry: 0, lineNumber: 1, t: 0 };
const client = (message: object): LanedLine => ({
  side: 'client',
  index: 0,
  line: { ...place, kind: 'line', ...parseLine(JSON.stringify(message)) },
});
const server = (message: object, lane: number): LanedLine => ({
  side: 'server',
  lane,
  line: { ...place, ...parseLine(JSON.stringify(message)) } as ServerLine,
});
const end: LanedLine = {
  side: 'endOfInput',
  line: { ...place, kind: 'endOfInput', line: '', value: undefined, messages: [] },
};

const ping = client({ id: 0, method: 'ping' });
const call = client({ id: 1, method: 'tools/call', params: { name: 'codex' } });
const answer = server({ id: 0, result: {} }, 1);

describe('withLine', () => {
  it('adds a column: to the row of the client, or to the lane of the server', () => {
    const empty = openPhase(ping);
    const asked = withLine(empty, { line: ping, letter: 'p', value: ['p', 1] });
    expect(withLine(asked, { line: answer, letter: 'P' })).toEqual({
      name: 'ping',
      client: [{ frame: 0, symbol: 'p' }],
      server: [[], [{ frame: 1, symbol: 'P' }]],
      values: [['p', 1]],
      frames: 2,
      hasCall: false,
    });
    expect(empty.frames).toBe(0);
  });

  it('takes the name of the first call of a tool', () => {
    const once = withLine(openPhase(ping), { line: call, letter: 'c' });
    const other = client({ id: 2, method: 'tools/call', params: { name: 'codex-reply' } });
    expect(withLine(once, { line: other, letter: 'd' }).name).toBe('tools/call codex');
  });
});

describe('withServerEnd', () => {
  it('ends the server after the end of the input, and nowhere else', () => {
    const ended = withLine(openPhase(end), { line: end, letter: '|' });
    expect(withServerEnd(ended).server).toEqual([[{ frame: 1, symbol: '|' }]]);
    const open = withLine(openPhase(ping), { line: ping, letter: 'p' });
    expect(withServerEnd(open)).toBe(open);
  });
});

describe('openPhase', () => {
  it.each<[LanedLine, string]>([
    [call, 'tools/call codex'],
    [answer, 'going on'],
    [end, 'the end'],
    [server([], 0), 'lines that are not messages'],
  ])('is named for its first line', (line, name) => {
    expect(openPhase(line).name).toBe(name);
  });
});
