/** Reads a socket of NATS in whole frames. */
import { cutNatsFrames } from './cutNatsFrames';
import type { SocketReader } from './dialNats';

/** @param onFrames gets one or more whole frames; @param onBroken gets the error for what no server sends, after which nothing more is read */
export type FrameReaderDeps = { onFrames: (frames: Uint8Array) => void; onBroken: (error: Error) => void };

const SCRATCH_BYTES = 65_536;

/** The rest of a frame that has begun is read straight into its own buffer, all else through a shared one. */
export const frameReader = ({ onFrames, onBroken }: FrameReaderDeps): SocketReader => {
  const scratch = Buffer.allocUnsafeSlow(SCRATCH_BYTES);
  const frames = cutNatsFrames(onFrames);
  let room: Buffer | undefined; // what was asked for last; changes in place, for each read
  const buffer = () => {
    room = frames.room();
    return room ?? scratch;
  };
  const receive = (into: Buffer, bytes: number) => {
    try {
      if (into === room) frames.filled(bytes);
      else frames.take(into.subarray(0, bytes));
    } catch (error) {
      onBroken(error as Error);
    }
  };
  return { buffer, receive };
};
