import { nearestLine, toSubstitution, toUnrecorded } from '../../src/replay/nearestLine';
import { type TapeMessage, toSessionIndex } from '../../src/session';
import { sessionFrom } from '../support/tapes';

const linesOf = (...params: object[]) =>
  toSessionIndex(
    sessionFrom(...params.map((one, id): [number, string, object] => [id, 'in', { id, method: 'go', params: one }])),
  ).clientLines;
const request = (params: object, method = 'go'): TapeMessage => ({
  kind: 'request',
  id: 9,
  method,
  params: params as Record<string, unknown>,
});
const recorded = linesOf({ a: 1, b: 2, c: 3 }, { a: 1, b: 2 }, { a: 1, b: 3 });

describe('nearestLine', () => {
  it.each<[string, TapeMessage, number | undefined]>([
    ['takes the line with the fewest differences', request({ a: 1, b: 3, d: 1 }), 3],
    ['takes the first of several that are equally near', request({ a: 1, b: 4 }), 2],
    ['finds nothing of another method', request({ a: 1 }, 'stop'), undefined],
    ['finds nothing for a response', { kind: 'response', id: 1, body: {} } as TapeMessage, undefined],
  ])('%s', (_, message, lineNumber) => {
    expect(nearestLine(recorded, message)?.line.lineNumber).toBe(lineNumber);
  });

  it('compares no more than 200 lines', () => {
    const many = linesOf(...Array.from({ length: 201 }, (_, at) => ({ at })));
    expect(nearestLine(many, request({ at: 200 }))?.line.lineNumber).toBe(1);
    expect(nearestLine(many, request({ at: 199 }))?.line.lineNumber).toBe(200);
  });
});

describe('toUnrecorded', () => {
  it('names the nearest line and where it differs', () => {
    expect(toUnrecorded(recorded, request({ a: 1, b: 4 }))).toEqual({
      message: 'Not recorded: go. Nearest is line 2: go; params.b: recorded 2, now 4',
      data: {
        nearest: { line: 2, method: 'go', params: { a: 1, b: 2 } },
        differences: [expect.objectContaining({ path: 'params.b' })],
      },
    });
  });

  it('says so when the same was sent fewer times, and when there is nothing like it', () => {
    expect(toUnrecorded(recorded, request({ a: 1, b: 2 })).message).toBe(
      'Not recorded: go. Nearest is line 2: go; it is the same, but was sent fewer times',
    );
    expect(toUnrecorded(recorded, request({}, 'stop'))).toEqual({
      message: 'Not recorded: stop; the tape has nothing of that method',
    });
  });
});

describe('toSubstitution', () => {
  it('shows three differences at most', () => {
    const message = request({ a: 5, b: 6, c: 7, d: 8 });
    const near = nearestLine(linesOf({ a: 1, b: 2, c: 3, d: 4 }), message);
    if (near === undefined) throw new Error('there is one line');
    expect(toSubstitution(message, near)).toBe(
      'go is taken for line 1: go; params.a: recorded 1, now 5; params.b: recorded 2, now 6; params.c: recorded 3, now 7',
    );
  });
});
