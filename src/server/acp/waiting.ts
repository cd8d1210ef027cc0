/** Requests that wait for this machine: their jobs end, are cancelled, or show a page to the person. */
import { toObject } from '../../protocol/jsonrpc/json';
import type { Outgoing, Request, Response, RpcErrorObject } from '../../protocol/jsonrpc/messages';
import {
  type AcpOutput,
  type AcpStep,
  CANCELLED,
  type Connection,
  refuse,
  type Session,
  toStep,
  toUpdate,
} from './session';
import type { Shown } from './toolView';

/** The requests that are meant are answered with the error, and wait no longer. */
export const withoutJobs = (
  state: Connection,
  isMeant: (request: Request) => boolean,
  error: RpcErrorObject,
): AcpStep => {
  const meant = [...state.pending].filter(([, { request }]) => isMeant(request));
  const pending = new Map([...state.pending].filter(([, { request }]) => !isMeant(request)));
  return toStep(
    { ...state, pending },
    ...meant.flatMap(([key, { request }]): AcpOutput[] => [refuse(request, error), { kind: 'drop', key }]),
  );
};

type Ended = {
  state: Connection;
  /** Undefined if nothing waits for the job any more. */
  request: Request | undefined;
  /** The session that begins now. */
  session: Session | undefined;
  /** Tells the client that the page is not needed any more. */
  output: readonly Outgoing[];
};

/** A job that has ended. */
export const endJob = (state: Connection, key: string): Ended => {
  const waiting = state.pending.get(key);
  const pending = new Map([...state.pending].filter(([one]) => one !== key));
  const isShown = waiting?.page !== undefined;
  return {
    state: { ...state, pending },
    request: waiting?.request,
    session: waiting?.session,
    output: isShown ? [toComplete(key)] : [],
  };
};

const toComplete = (key: string): Outgoing => ({
  kind: 'notification',
  method: 'elicitation/complete',
  params: { elicitationId: key },
});

type Piece = { key: string; shown: Shown };

/** A piece of the past of a session that is to begin. Only a client that loads it is shown the past. */
export const showPast = (state: Connection, { key, shown }: Piece): AcpStep => {
  const waiting = state.pending.get(key);
  if (waiting?.session === undefined) return toStep(state);
  const { request, session } = waiting;
  const next = { ...session, view: shown.state, isTitled: session.isTitled || shown.output.length > 0 };
  const pending = new Map(state.pending).set(key, { ...waiting, session: next });
  const output = request.method === 'session/load' ? shown.output : [];
  return toStep({ ...state, pending }, ...output.map((update) => toUpdate(session.id, update)));
};

type Page = { key: string; url: string };

/** Asks the client to open a page. */
export const showPage = (state: Connection, { key, url }: Page, question: number): AcpStep => {
  const waiting = state.pending.get(key);
  if (waiting === undefined) return toStep(state);
  const pending = new Map(state.pending).set(key, { ...waiting, page: question });
  const params = {
    mode: 'url',
    requestId: waiting.request.id,
    elicitationId: key,
    url,
    message: 'Log in at this page',
  };
  return toStep({ ...state, pending }, { kind: 'request', id: question, method: 'elicitation/create', params });
};

/** A person who does not open the page cancels the request. */
export const answerPage = (state: Connection, question: number, response: Response): AcpStep => {
  const [found] = [...state.pending.values()].filter(({ page }) => page === question);
  const { action } = toObject('result' in response ? response.result : undefined);
  return found === undefined || action === 'accept'
    ? toStep(state)
    : withoutJobs(state, (request) => request === found.request, CANCELLED);
};
