/** What an executor does with the requests for its endpoints. */
import { connect, filter, ignoreElements, merge, type OperatorFunction, tap } from 'rxjs';
import type { NatsServiceRequest } from '../../transport/nats';
import type { MemberStatus } from './leastLoaded';
import { encodeMember } from './member';
import { type ServeConnectionsDeps, serveConnections } from './serveConnections';
import { encodeReport, SESSION_HEADER, type UnreadReport } from './unreadReport';

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
      connect((each$) =>
        merge(
          each$.pipe(
            filter(({ endpoint }) => endpoint !== 'calls'),
            tap(({ respond, headers: { [SESSION_HEADER]: session } }) =>
              respond(session === undefined ? encodeMember(deps.status()) : encodeReport(deps.report(session))),
            ),
            ignoreElements(),
          ),
          each$.pipe(
            filter(({ endpoint }) => endpoint === 'calls'),
            serveConnections(deps),
          ),
        ),
      ),
    );
