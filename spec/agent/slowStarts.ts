import { startsInTurns } from '../../src/streams/pausing';

/** Starts that take 6 ms each, so that two are made in one turn of the event loop; `turns` are those to come. */
export const slowStarts = () => {
  let nowMs = 0;
  const turns: (() => void)[] = [];
  const now = () => {
    nowMs += 6;
    return nowMs;
  };
  return { starts: startsInTurns({ now, soon: (run) => void turns.push(run) }), turns };
};
