import { answerHandshake } from '../../../src/tapes/sessions/answerHandshake';
import { sessionFrom } from '../../support/tapes';

const text = (message: object): string => JSON.stringify(message);
const result = { serverInfo: { name: 's' } };
const answer = answerHandshake(sessionFrom([0, 'in', { id: 0, method: 'initialize' }], [1, 'out', { id: 0, result }]));

describe('answerHandshake', () => {
  it('answers initialize as the server did, and ignores the notification', () => {
    expect(answer(text({ id: 7, method: 'initialize', params: {} }))).toEqual({
      kind: 'answer',
      line: text({ jsonrpc: '2.0', id: 7, result }),
    });
    expect(answer(text({ method: 'notifications/initialized' }))).toEqual({ kind: 'ignored' });
  });

  it('passes everything else, and all where nothing was initialized', () => {
    for (const line of [text({ id: 1, method: 'tools/list' }), text({ id: 1, result: {} }), 'no JSON']) {
      expect(answer(line)).toEqual({ kind: 'line', line });
    }
    const line = text({ id: 7, method: 'initialize' });
    expect(answerHandshake(sessionFrom())(line)).toEqual({ kind: 'line', line });
  });
});
