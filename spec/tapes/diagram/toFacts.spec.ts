import { join } from 'node:path';
import { sessionFrom, sessionOf } from '../../support/tapes';
import { draw } from './tapes';

describe('toFacts', () => {
  it('names the parties, the time and the size of a session', () => {
    const session = sessionOf(join(__dirname, '../../fixtures/tapes/exec-approval-parallel.jsonl'));
    expect(draw(session).facts).toEqual([
      ['client', 'drive 1.0.0'],
      ['server', 'codex-mcp-server 0.28.0'],
      ['protocol', '2025-06-18'],
      ['lasted', '635 ms'],
      ['lines', '33'],
      ['calls', '5'],
      ['failed', '0'],
    ]);
  });

  it('finds parties that introduce themselves without a handshake', () => {
    const _meta = {
      'io.modelcontextprotocol/clientInfo': { name: 'new' },
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    };
    const session = sessionFrom([0, 'in', { id: 1, method: 'tools/list', params: { _meta } }]);
    expect(draw({ ...session, meta: { server: 'of the meta', started: 'then' } }).facts).toEqual([
      ['client', 'new'],
      ['server', 'of the meta'],
      ['protocol', '2026-07-28'],
      ['started', 'then'],
      ['lasted', '0 ms'],
      ['lines', '1'],
      ['calls', '1'],
      ['failed', '0'],
    ]);
  });

  it('cuts what is very long', () => {
    const session = sessionFrom([0, 'in', { method: 'a' }]);
    const { facts } = draw({ ...session, meta: { server: 'x'.repeat(5_000) } });
    expect(facts).toContainEqual(['server', 'x'.repeat(200)]);
  });

  it('counts calls between client and server, and inner ones apart from them', () => {
    const { entries } = sessionFrom([0, 'in', '{}'], [1, 'in', { id: 1, method: 'a' }], [2, 'note', 'failed: no']);
    const withSeam = entries.map((one, i) =>
      i === 1 ? one : { ...one, entry: { ...one.entry, seam: 'model', call: 1 } },
    );
    expect(draw({ meta: {}, entries: withSeam }).facts.slice(-3)).toEqual([
      ['calls', '1'],
      ['inner calls', '1'],
      ['failed', '1'],
    ]);
  });

  it('shows when it began to the minute, and how a server ended that did not end by itself', () => {
    const factsOf = (exit: string) => {
      const session = sessionFrom([0, 'in', { method: 'a' }], [1, 'exit', exit]);
      return draw({ ...session, meta: { started: '2026-11-23T04:48:39.292Z' } }).facts;
    };
    expect(factsOf('{"code":null,"sig":"SIGTERM"}')).toContainEqual(['ended', 'by SIGTERM']);
    expect(factsOf('{"code":0}').map(([label]) => label)).not.toContain('ended');
    expect(factsOf('{"code":0}')[0]).toEqual(['started', '2026-11-23 04:48 UTC']);
  });
});
