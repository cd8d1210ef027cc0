/** Ends a request of MCP over HTTP. */

import { isFine } from '../../io/mcpHttp/isFine';
import { remedyOf } from '../../io/mcpHttp/remedyOf';
import { INPUT_ENDED } from '../format/tape';
import type { ExchangeEvent } from './exchangeEvent';
import { type Exchange, type HttpSession, type HttpSessions, withoutExchange, withSession } from './httpSessions';
import { lineOf, type SessionStep } from './sessionOutput';

type Closed = Extract<ExchangeEvent, { kind: 'closed' }>;

/** The state without a closed request; the session may end with it, or note that it failed. */
export const closeExchange = (state: HttpSessions, exchange: Exchange, { isWhole, trouble }: Closed): SessionStep => {
  const { session: number, method, status, hasResponse, waiting } = exchange;
  const next = withoutExchange(state, exchange.id);
  const failure = trouble ?? `HTTP ${status}`;
  if (number === undefined) {
    const reason = trouble === undefined ? `was answered with ${failure}` : `failed (${trouble}; ${remedyOf(trouble)})`;
    const text = `${method} ${reason}, so it is not recorded`;
    return { state: next, output: waiting.length === 0 && trouble === undefined ? [] : [{ kind: 'rejected', text }] };
  }
  const session = state.sessions[number] as HttpSession;
  const isOver = (method === 'DELETE' && isFine(status)) || (method === 'GET' && session.endpoint !== undefined);
  if (isOver && !session.over) {
    const over = withSession(next, { ...session, over: true });
    return {
      state: over,
      output: [lineOf(number, { dir: 'note', line: INPUT_ENDED }), { kind: 'over', session: number }],
    };
  }
  const note = noteOf({ method, failed: !isFine(status) && !hasResponse, isWhole, failure });
  return { state: next, output: note === undefined ? [] : [lineOf(number, { dir: 'note', line: note })] };
};

type Closing = { method: string; failed: boolean; isWhole: boolean; failure: string };

const noteOf = ({ method, failed, isWhole, failure }: Closing): string | undefined => {
  if (method !== 'POST') return undefined;
  if (failed) return `a request of the client failed: ${failure}`;
  return isWhole ? undefined : 'the client closed a request before its response was complete';
};
