/** Owns the memory of the burst limit: it lets records pass or not, and sees to it that those held back are told. */
import { limitBurst, QUIET } from './limitBurst';

type BurstDeps = {
  perSecond: number;
  now: () => number;
  /** Runs something once after waitMs, without keeping the process alive. */
  later: (run: () => void, waitMs: number) => void;
  /** Told how many records were held back, at latest a second after. */
  tell: (heldBack: number) => void;
};

/** Asks before each record whether it may pass; `confess` tells at once what is still untold. */
export const holdBursts = ({ perSecond, now, later, tell }: BurstDeps) => {
  const limit = limitBurst({ perSecond });
  let burst = QUIET;
  const confess = () => {
    const { heldBack } = burst;
    burst = { ...burst, heldBack: 0 };
    if (heldBack > 0) tell(heldBack);
  };
  const mayPass = (): boolean => {
    const verdict = limit(burst, now());
    burst = verdict.burst;
    if (verdict.confess > 0) tell(verdict.confess);
    if (!verdict.pass && burst.heldBack === 1) later(confess, 1000);
    return verdict.pass;
  };
  return { mayPass, confess };
};
