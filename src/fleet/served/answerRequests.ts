/** What an executor does with the requests for its endpoints. */
import type { OperatorFunction } from 'rxjs';
import { mapMulti } from '../../streams/mapMulti';
import type { MemberStatus } from '../executor/leastLoaded';
import { encodeMember } from '../executor/member';
import { encodeReport, SESSION_HEADER, type UnreadReport } from '../executor/unreadReport';
import type { NatsServiceRequest } from '../operators/natsService';
import { type ServeConnectionsDeps, serveConnections } from './serveConnections';

/** @param status how busy the executor is; @param report what of a session is unread */
export type AnswerDeps = ServeConnectionsDeps & {
  status: () => MemberStatus;
  report: (session: string) => UnreadReport;
};

/** Answers how busy it is, or with the report of the session that a request names, and serves connections. Emits nothing. */
export const answerRequests =
  (deps: AnswerDeps): OperatorFunction<NatsServiceRequest, never> =>
  (request$) =>
    request$.pipe(
      mapMulti<NatsServiceRequest, NatsServiceRequest>((request, emit) => {
        const { endpoint, respond, headers } = request;
        const { [SESSION_HEADER]: session } = headers;
        if (endpoint === 'calls') emit(request);
        else respond(session === undefined ? encodeMember(deps.status()) : encodeReport(deps.report(session)));
      }),
      serveConnections(deps),
    );
