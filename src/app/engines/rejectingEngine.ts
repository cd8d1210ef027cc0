/** An engine that rejects every call with a reason. */
import { map } from 'rxjs';
import type { Engine } from '../../protocol/codex';
import { ofKind } from '../../streams';

/** Rejects every call. */
export const rejectingEngine =
  (message: string): Engine =>
  () =>
  (op$) =>
    op$.pipe(
      ofKind('turn'),
      map(({ callId }) => ({ kind: 'rejected' as const, callId, message })),
    );
