/** One socket of a connection to NATS, from its dialing to its end. */
import type { Socket } from 'node:net';

/**
 * `hold` takes each socket: the plain one, then that of TLS. After `connected`, `closed` resolves when it ends, to the error of `end`; `discard` ends it
 * without that. `error` is why it ended.
 */
export type SocketLife = {
  hold: (socket: Socket) => void;
  connected: () => void;
  end: (error: Error | undefined) => void;
  discard: () => void;
  closed: Promise<Error | undefined>;
  socket: () => Socket | undefined;
  isOver: () => boolean;
  error: () => Error | undefined;
};

/** @param onEnd is called once */
export const socketLife = (onEnd: () => void): SocketLife => {
  const { closed, resolve } = closing();
  let held: Socket | undefined;
  let isOver = false;
  let why: Error | undefined;
  let report = NOBODY;
  const end = (error: Error | undefined): void => {
    if (isOver) return;
    isOver = true;
    why = error;
    held?.destroy();
    onEnd();
    report(error);
  };
  const hold = (socket: Socket): void => {
    held = socket;
    if (isOver) socket.destroy();
  };
  const connected = (): void => {
    report = resolve;
  };
  const discard = (): void => {
    report = NOBODY;
    end(undefined);
  };
  return { hold, connected, end, discard, closed, socket: () => held, isOver: () => isOver, error: () => why };
};

type Report = (error: Error | undefined) => void;
const NOBODY: Report = () => {};

const closing = (): { closed: Promise<Error | undefined>; resolve: Report } => {
  let resolveClosed = NOBODY;
  const closed = new Promise<Error | undefined>((resolve) => {
    resolveClosed = resolve;
  });
  return { closed, resolve: resolveClosed };
};
