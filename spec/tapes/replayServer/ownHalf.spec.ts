/** Every tape is played as a server to a client that plays its own half. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { compare } from '../../../src/tapes/diff/compare';
import { MASKS } from '../../../src/tapes/matching/mask';
import type { Remark } from '../../../src/tapes/replayServer/playbackSession';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { indexOf, playAgainst, serverOf } from '../../support/tapes';

const tapes = process.env.TAPES ?? join(__dirname, '../../fixtures/tapes');
const isTape = (name: string): boolean => name.endsWith('.jsonl') && !name.includes('model-requests');

describe('a tape', () => {
  it.each(readdirSync(tapes).filter(isTape))('%s is played in full to its own client', (name) => {
    const recorded = indexOf(join(tapes, name));
    const remarks: Remark[] = [];
    const now = toSessionIndex(playAgainst(recorded, serverOf(recorded, 'max', remarks)));
    expect(remarks).toEqual([]);
    expect(now.clientLines.map(({ line }) => line)).toEqual(
      recorded.clientLines.flatMap(({ kind, line }) => (kind === 'line' ? [line] : [])),
    );
    expect(now.serverLines.map(({ line }) => line)).toEqual(recorded.serverLines.map(({ line }) => line));
    const results = compare(recorded, now, { names: MASKS, own: [] });
    expect(results.filter(({ difference }) => difference)).toEqual([]);
  });
});
