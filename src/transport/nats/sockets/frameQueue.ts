/** Frames between a socket and the client that reads them. */

/** `push` adds frames, `end` ends the reading behind them; `read` is called once, with what is to be done when the reader gives up. */
export type FrameQueue = {
  push: (frames: Uint8Array) => void;
  end: () => void;
  read: (onReturn: () => void) => AsyncIterableIterator<Uint8Array>;
};

/** Not a generator: that made three more promises for each message. */
export const frameQueue = (): FrameQueue => {
  const waiting: Uint8Array[] = [];
  let isOver = false;
  let wake = () => {};
  const next = (): Promise<IteratorResult<Uint8Array>> =>
    new Promise((resolve) => {
      wake = () => {
        const value = waiting.shift();
        if (value === undefined && !isOver) return;
        wake = () => {};
        resolve(value === undefined ? { done: true, value } : { done: false, value });
      };
      wake();
    });
  return {
    push: (frames) => {
      waiting.push(frames);
      wake();
    },
    end: () => {
      isOver = true;
      wake();
    },
    read: (onReturn) => reader(next, onReturn),
  };
};

const reader = (next: () => Promise<IteratorResult<Uint8Array>>, onReturn: () => void) => {
  const frames: AsyncIterableIterator<Uint8Array> = {
    [Symbol.asyncIterator]: () => frames,
    next,
    return: async () => {
      onReturn();
      return { done: true, value: undefined };
    },
  };
  return frames;
};
