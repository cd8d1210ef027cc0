/** Owns one conversation: its turns run one at a time, its history flows from each to the next. */
import { concat, defer, filter, map, mergeScan, type Observable, of, scan } from 'rxjs';
import type { Event, ResponseItem, TurnOp } from '../protocol';
import { addApproval, hasApproval, noApprovals } from '../safety';
import { openingItems } from './context';
import { runTurn, type TurnDeps } from './runTurn';
import { type Step, type Thread, type Turn, tell } from './step';

export type SessionDeps = Omit<TurnDeps, 'approved'> & {
  newId: () => string;
  userInstructions: (cwd: string, maxBytes: number) => string | undefined;
};

/** A turn that is wanted: `opens` for the one that begins its thread. */
export type Wanted = { kind: 'wanted'; op: TurnOp; thread: Thread; opens: boolean };

type Memory = { history: ResponseItem[]; event?: Event };

/**
 * Turns of one thread, in order; the next waits for the one before.
 * @param stopped emits when the turn of this call must end; also for one that still waits
 *   in  1-2------|
 *   out a-(z)b--(z|)   (2 waits until 1 has ended)
 */
export const session =
  (deps: SessionDeps, stopped: (callId: string) => Observable<unknown>) =>
  (wanted$: Observable<Wanted>): Observable<Event> =>
    defer(() => {
      const own = { ...deps, approved: approvedCommands() };
      return wanted$.pipe(
        mergeScan(
          ({ history }, { op, thread, opens }) => {
            const turn: Turn = { op, thread, turnId: deps.newId() };
            const past = history.length > 0 ? history : opening(deps, thread);
            return concat(opens ? of(configured(turn)) : of(), runTurn(own)(turn, past, stopped(op.callId))).pipe(
              scan(remember, { history: past }),
            );
          },
          { history: [] } as Memory,
          1,
        ),
        map(({ event }) => event),
        filter((event) => event !== undefined),
      );
    });

const remember = ({ history }: Memory, step: Step): Memory => {
  if (step.kind === 'sample') return { history: step.history };
  if (step.kind === 'record') return { history: [...history, step.item] };
  return 'callId' in step ? { history, event: step } : { history };
};

const opening = ({ userInstructions }: SessionDeps, { config }: Thread): ResponseItem[] =>
  openingItems(config, userInstructions(config.cwd, config.projectDocMaxBytes));

/** What the user approved for good, for as long as the thread lives. */
const approvedCommands = () => {
  let known = noApprovals;
  return {
    has: (argv: readonly string[], cwd: string) => hasApproval(known, { argv, cwd }),
    add: (argv: readonly string[], cwd: string) => {
      known = addApproval(known, { argv, cwd });
    },
  };
};

/** Source: Codex 0.28.0: the first event of a call, under the id ''. */
const configured = (turn: Turn): Step => {
  const { config, id } = turn.thread;
  const step = tell(turn, {
    type: 'session_configured',
    session_id: id,
    model: config.model,
    model_provider_id: config.provider.id,
    approval_policy: config.approvalPolicy,
    sandbox_mode: config.sandboxMode,
    cwd: config.cwd,
    history_log_id: 0,
    history_entry_count: 0,
  });
  return { ...step, id: '' } as Step;
};
