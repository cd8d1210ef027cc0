import fc from 'fast-check';
import type { Session } from '../../../src/tapes/format/tape';
import { sessionSearcher, type Wanted } from '../../../src/tapes/search/searchSession';
import { readParts, wholePart } from '../../../src/tapes/session/readParts';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { sessionFrom } from '../../support/tapes';

const SESSION: Session = {
  ...sessionFrom(
    [0, 'in', { id: 0, method: 'initialize', params: { clientInfo: { name: 'Zed', version: '1' } } }],
    [1, 'in', { id: 1, method: 'tools/call', params: { name: 'read', arguments: { path: 'C:\\Notes "A".txt' } } }],
    [2, 'out', { id: 1, result: { isError: true, content: [{ type: 'text', text: 'No such\nfile' }] } }],
    [3, 'in', { id: 2, method: 'tools/call', params: { name: 'write', arguments: {} } }],
    [4, 'out', { id: 2, error: { code: -1, message: 'Permission denied' } }],
    [5, 'err', 'warning: no such luck'],
    [6, 'out', 'not a message, such as this'],
  ),
  meta: { started: '2026-11-30T12:00:00.000Z' },
};

const found = (wanted: Partial<Wanted>, session = SESSION): string[] => {
  const search = sessionSearcher({ text: '', most: 100, ...wanted });
  search.add(wholePart(toSessionIndex(session)));
  return search.end().map(({ lineNumber, who, what, place, text }) => `${lineNumber} ${who} ${what} ${place}: ${text}`);
};

describe('sessionSearcher', () => {
  it('finds a text in any case, in messages, in stderr and in lines that are no messages', () => {
    expect(found({ text: 'SUCH LUCK' })).toEqual(['6 stderr err : warning: no such luck']);
    expect(found({ text: 'such' })).toEqual([
      '3 server tools/call read result.content[0].text: No such file',
      '6 stderr err : warning: no such luck',
      '7 server a line that is not a message : not a message, such as this',
    ]);
  });

  it('finds what is escaped on the line', () => {
    expect(found({ text: 'notes "a"' })).toEqual(['2 client tools/call read params.arguments.path: C:\\Notes "A".txt']);
  });

  it('finds names of members, and a response by the name of its request', () => {
    expect(found({ text: 'clientinfo' })).toEqual([
      '1 client initialize params.clientInfo: {"name":"Zed","version":"1"}',
    ]);
    expect(found({ text: 'read' }).map((line) => line.slice(0, 8))).toEqual(['2 client', '3 server']);
  });

  it('finds calls of a tool, errors, and lines from a time on', () => {
    expect(found({ tool: /^write$/ })).toEqual([
      '4 client tools/call write method: tools/call',
      '5 server tools/call write error.message: Permission denied',
    ]);
    expect(found({ outcome: 'failed' })).toHaveLength(2);
    expect(found({ tool: /^read$/, outcome: 'failed' })).toEqual([
      '3 server tools/call read result.content[0].text: No such file',
    ]);
    expect(found({ sinceMs: Date.parse('2026-11-30T12:00:00.005Z') })).toHaveLength(2);
    expect(found({ sinceMs: 0 }, { ...SESSION, meta: {} })).toEqual([]);
  });

  it('finds sessions of a client', () => {
    expect(found({ client: 'zed' })).toHaveLength(7);
    expect(found({ client: 'cursor' })).toEqual([]);
  });

  it('shows a part of a long text, and finds no more than asked for', () => {
    const long = sessionFrom([
      0,
      'in',
      { id: 1, method: 'm', params: ['x'.repeat(500), 'needle', 'y'.repeat(500)].join(' ') },
    ]);
    const [text = ''] = found({ text: 'needle' }, long);
    expect(text).toMatch(/^1 client m params: …x{39} needle y+…$/);
    expect(text.length).toBeLessThan(200);
    expect(found({ most: 3 })).toHaveLength(3);
  });

  it('finds in parts what it finds in the whole', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), fc.constantFrom('such', 'tools', ''), (entries, text) => {
        const parts = readParts(SESSION.meta, sessionSearcher({ text, most: 100 }), { entries, chars: 10_000 });
        for (const entry of SESSION.entries) parts.add(entry);
        expect(parts.end().map(({ lineNumber }) => lineNumber)).toEqual(
          found({ text }).map((line) => Number(line.split(' ')[0])),
        );
      }),
    );
  });
});
