import fc from 'fast-check';
import { readRolloutName, toRolloutName } from '../../../src/threads/listing/rolloutName';

const id = '01a204a1-3f92-7243-96c5-2be9fe898371';

describe('readRolloutName', () => {
  it.each([
    [`rollout-2026-11-22T19-00-06-${id}.jsonl`, { id, startedMs: Date.UTC(2026, 10, 22, 19, 0, 6) }],
    [`rollout-2026-13-22T19-00-06-${id}.jsonl`, undefined],
    [`rollout-2026-11-22T19-00-06-${id}.jsonl.new`, undefined],
    ['rollout-x.jsonl', undefined],
    ['.lock', undefined],
  ])('reads %s', (name, expected) => {
    expect(readRolloutName(name)).toEqual(expected);
  });
});

describe('toRolloutName', () => {
  it('is read again, to the second', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_102_444_800 }), fc.uuid(), (seconds, uuid) => {
        const { folders, name } = toRolloutName({ id: uuid, startedMs: seconds * 1000 + 7 });
        expect(readRolloutName(name)).toEqual({ id: uuid, startedMs: seconds * 1000 });
        expect(name).toContain(`rollout-${folders.join('-')}T`);
      }),
    );
  });
});
