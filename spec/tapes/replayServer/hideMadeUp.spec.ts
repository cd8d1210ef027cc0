import { hideMadeUp } from '../../../src/tapes/replayServer/hideMadeUp';

const UUID = '0a1b2c3d-0000-4000-8000-000000000001';
const ULID = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
const RANDOM = 'req_9fK2mQ8xT1';

describe('hideMadeUp', () => {
  it('hides UUIDs, ULIDs and times anywhere', () => {
    expect(hideMadeUp(new Map(), { params: { a: `at ${UUID}, ${ULID}`, b: ['2026-11-22T16:46:05Z'] } })).toEqual({
      params: { a: 'at <uuid>, <id>', b: ['<time>'] },
    });
  });

  it('hides random words in members for ids only', () => {
    expect(
      hideMadeUp(new Map(), { result: { id: RANDOM, traceId: '0a1b2c3d4e5f6a7b', revision: RANDOM, ref: UUID } }),
    ).toEqual({
      result: { id: '<id>', traceId: '<id>', revision: RANDOM, ref: '<uuid>' },
    });
  });

  it.each(['ABC-123', 'report-2024a', 'weather', 'gpt-5.1-codex', 'issue-4711', 'user_42'])('keeps the id %s', (id) => {
    expect(hideMadeUp(new Map(), { params: { id } })).toEqual({ params: { id } });
  });

  it('keeps what the server issued, also in a text, and numbers', () => {
    const handles = new Map([UUID, ULID, RANDOM].map((key, id) => [key, { id, origin: '0' }]));
    const message = { params: { id: RANDOM, of: UUID, text: `in ${UUID} or ${ULID}`, count: 4711 } };
    expect(hideMadeUp(handles, message)).toEqual(message);
  });
});
