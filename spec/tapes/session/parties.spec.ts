import { trackParties, withParties } from '../../../src/tapes/session/parties';

const [client, server] = [
  { name: 'c', version: '1' },
  { name: 's', version: '2' },
];
const asked = { id: 0, method: 'initialize', params: { clientInfo: client } };
const answered = { id: 0, result: { serverInfo: server, protocolVersion: '2025-06-18' } };
/** Revision 2026-07-28: each request names its client, each result its server. */
const modern = {
  asked: {
    method: 'tools/list',
    params: {
      _meta: {
        'io.modelcontextprotocol/clientInfo': client,
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      },
    },
  },
  answered: { result: { _meta: { 'io.modelcontextprotocol/serverInfo': server } } },
};

describe('withParties', () => {
  it('learns who talks from a handshake', () => {
    expect([asked, answered].reduce(withParties, {})).toEqual({ client, server, protocol: '2025-06-18' });
  });

  it('learns it without a handshake', () => {
    expect([modern.asked, modern.answered].reduce(withParties, {})).toEqual({ client, server, protocol: '2026-07-28' });
  });

  it('learns it from the handshake of an agent, whose version is a number', () => {
    const agent = { id: 0, result: { agentInfo: server, protocolVersion: 1 } };
    expect([asked, agent].reduce(withParties, {})).toEqual({ client, server, protocol: 'ACP 1' });
  });

  it('takes the revision that was agreed on, not that of a probe before', () => {
    const refused = { id: 1, error: { code: -32601, message: 'Method not found' } };
    const all = [modern.asked, refused, asked, answered].reduce(withParties, {});
    expect(all).toEqual({ client, server, protocol: '2025-06-18' });
    expect(withParties({ client, protocol: '2025-06-18' }, { result: { protocolVersion: '2025-06-18' } })).toEqual({
      client,
      protocol: '2025-06-18',
    });
  });

  it('keeps the first introduction of each', () => {
    const known = { client, protocol: 'x' };
    expect(withParties(known, { params: { clientInfo: { name: 'other' } }, result: { serverInfo: server } })).toEqual({
      client,
      server,
      protocol: 'x',
    });
  });

  it.each([[{ params: { clientInfo: 'c' }, result: 7 }], [[asked]], [undefined], ['text']])(
    'gives back what was known for %j',
    (message) => {
      const known = {};
      expect(withParties(known, message)).toBe(known);
    },
  );
});

describe('trackParties', () => {
  const line = (message: object, seam?: string) => ({ dir: 'in', line: JSON.stringify(message), seam });

  it('gives the parties each time more is known of them, else nothing', () => {
    const track = trackParties();
    expect([line(asked), line(asked), line(answered), line({})].map(track)).toEqual([
      { client },
      undefined,
      { client, server, protocol: '2025-06-18' },
      undefined,
    ]);
  });

  it('passes over inner seams, lines that are no JSON, and very long ones', () => {
    const track = trackParties();
    const long = { ...asked, text: 'x'.repeat(65_536) };
    expect([line(asked, 'model'), { dir: 'in', line: 'hm' }, line(long), line(asked, 'mcp')].map(track)).toEqual([
      undefined,
      undefined,
      undefined,
      { client },
    ]);
  });

  it('looks at the first 32 lines only', () => {
    const track = trackParties();
    for (let i = 0; i < 32; i += 1) track(line({}));
    expect(track(line(asked))).toBeUndefined();
  });
});
