/** An engine that rejects every call with a reason. */
import { filter, map } from 'rxjs';
import type { Engine } from '../../protocol/codex/engine';

/** Rejects every call. */
export const rejectingEngine =
  (message: string): Engine =>
  () =>
  (op$) =>
    op$.pipe(
      filter(({ kind }) => kind !== 'interrupt'),
      map(({ callId }) => ({ kind: 'rejected' as const, callId, message })),
    );
