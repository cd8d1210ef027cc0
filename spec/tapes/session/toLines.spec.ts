import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { sessionFrom } from '../../support/tapes';

const lines = (...sent: [dir: string, message: object | string][]) => {
  const session = sessionFrom(...sent.map(([dir, one], t): [number, string, object | string] => [t, dir, one]));
  const { clientLines, serverLines } = toSessionIndex(session);
  return {
    client: clientLines.map(({ kind, lineNumber, answers }) => ({ kind, lineNumber, answers })),
    server: serverLines.map(({ lineNumber, owner, link, clientLinesBefore, answeredBy }) => ({
      lineNumber,
      owner,
      link,
      clientLinesBefore,
      answeredBy,
    })),
  };
};
const request = (id: number, params: object = {}) => ({ id, method: 'go', params });
const response = (id: number) => ({ id, result: {} });

describe('toLines', () => {
  it('relates each line of the server to the line of the client that it names, else to the one before it', () => {
    expect(
      lines(
        ['out', { method: 'hello' }],
        ['in', request(1)],
        ['in', request(2)],
        ['out', { method: 'note' }],
        ['out', response(1)],
        ['note', 'standard input closed'],
        ['out', response(2)],
        ['out', { method: 'bye' }],
      ),
    ).toEqual({
      client: [
        { kind: 'line', lineNumber: 2, answers: undefined },
        { kind: 'line', lineNumber: 3, answers: undefined },
        { kind: 'endOfInput', lineNumber: 6, answers: undefined },
      ],
      server: [
        { lineNumber: 1, owner: -1, link: 'order', clientLinesBefore: 0, answeredBy: undefined },
        { lineNumber: 4, owner: 1, link: 'order', clientLinesBefore: 2, answeredBy: undefined },
        { lineNumber: 5, owner: 0, link: 'named', clientLinesBefore: 2, answeredBy: undefined },
        { lineNumber: 7, owner: 1, link: 'named', clientLinesBefore: 3, answeredBy: undefined },
        { lineNumber: 8, owner: 2, link: 'order', clientLinesBefore: 3, answeredBy: undefined },
      ],
    });
  });

  it('relates a question of the server and its answer, each question once', () => {
    expect(
      lines(
        ['in', request(1)],
        ['out', { id: 0, method: 'ask', params: { requestId: 1 } }],
        ['in', response(0)],
        ['in', response(0)],
      ),
    ).toEqual({
      client: [
        { kind: 'line', lineNumber: 1, answers: undefined },
        { kind: 'line', lineNumber: 3, answers: 0 },
        { kind: 'line', lineNumber: 4, answers: undefined },
      ],
      server: [{ lineNumber: 2, owner: 0, link: 'named', clientLinesBefore: 1, answeredBy: 1 }],
    });
  });

  it('lets a cancel of the server go with its request, also where a request of the client has the same id', () => {
    const cancel = { method: 'notifications/cancelled', params: { requestId: 1 } };
    const { server } = lines(
      ['in', request(1)],
      ['in', request(2)],
      ['out', { id: 1, method: 'ask', params: { _meta: { requestId: 2 } } }],
      ['out', { id: 7, method: 'ask' }],
      ['out', cancel],
      ['out', { ...cancel, params: { requestId: 7 } }],
    );
    expect(server.slice(2)).toEqual([
      { lineNumber: 5, owner: 1, link: 'named', clientLinesBefore: 2, answeredBy: undefined },
      { lineNumber: 6, owner: 1, link: 'order', clientLinesBefore: 2, answeredBy: undefined },
    ]);
  });

  it('relates a batch by the first of its messages that names a request', () => {
    const { server } = lines(
      ['in', [request(1), request(2)]],
      ['in', request(3)],
      ['out', [{ method: 'n' }, response(2)]],
    );
    expect(server).toEqual([{ lineNumber: 3, owner: 0, link: 'named', clientLinesBefore: 2, answeredBy: undefined }]);
  });
});
