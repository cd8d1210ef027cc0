/** Every tape is played as a server to a client that plays its own half. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { compare } from '../../src/diff';
import type { PlaybackEvent } from '../../src/replay';
import { MASKS, toRecording } from '../../src/session';
import { playAgainst, recordingOf, serverOf } from '../support/tapes';

const tapes = process.env.TAPES ?? join(__dirname, '../fixtures/tapes');
const isTape = (name: string): boolean => name.endsWith('.jsonl') && !name.includes('model-requests');

describe('a tape', () => {
  it.each(readdirSync(tapes).filter(isTape))('%s is told in full to a client that plays its own half', (name) => {
    const recording = recordingOf(join(tapes, name));
    const other: PlaybackEvent[] = [];
    const now = toRecording(playAgainst(recording, serverOf(recording, 'max', other)));
    expect(other).toEqual([]);
    expect(now.heard.map(({ line }) => line)).toEqual(
      recording.heard.filter(({ key }) => key !== 'end').map(({ line }) => line),
    );
    expect(now.told.map(({ line }) => line)).toEqual(recording.told.map(({ line }) => line));
    const results = compare(recording, now, { names: MASKS, own: [] });
    expect(results.filter(({ difference, label }) => difference && label !== 'the end of input')).toEqual([]);
  });
});
