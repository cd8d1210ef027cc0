/** Reads the requests that a browser makes at the end of a login. */

/** A request to the local server. Header names are lower case. */
export type CallbackRequest = {
  method: string;
  url: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** True if it comes from another user, a sandbox or a container, as the browser may. */
  isForeign?: boolean;
};

/** A response in plain text, or a page. */
export type CallbackResponse = { status: number; text: string };

/** The meaning of a request: a code to exchange, the end of the login without a code, or only a response. */
type CallbackOutcome =
  | { kind: 'code'; code: string }
  | { kind: 'failed'; message: string; response: CallbackResponse }
  | { kind: 'answered'; response: CallbackResponse };

type PendingLogin = {
  port: number;
  state: string;
  /** Its code has already arrived. */
  isUsed: boolean;
  /** The path that browsers are sent back to. A login with its own path has its own port too, and no other login cancels it. */
  path?: string;
};

/**
 * Reads one request. Only a callback with the state of this login has an effect; a web page can neither complete nor cancel the login, nor can a sandbox.
 * Source: Codex 0.28.0, CORE 3.5, whose responses these are; there `error=` was ignored. `/cancel`: Codex from 0.30 on.
 */
export const readCallback = (login: PendingLogin, request: CallbackRequest): CallbackOutcome => {
  if (!isOwnHost(request, login.port)) return answered(403, 'Forbidden');
  if (request.method !== 'GET') return answered(405, 'Method Not Allowed');
  if (!URL.canParse(request.url, BASE)) return answered(400, 'Bad Request');
  const { pathname, searchParams: query } = new URL(request.url, BASE);
  if (pathname === '/cancel' && login.path === undefined)
    return isPage(request) || request.isForeign
      ? answered(403, 'Forbidden')
      : failed('Login cancelled', 200, CANCELLED);
  if (pathname !== (login.path ?? '/auth/callback')) return answered(404, 'Not Found');
  if (query.get('state') !== login.state) return answered(400, 'State mismatch');
  if (login.isUsed) return answered(400, 'This login was used already');
  const error = query.get('error');
  if (error) return failed('Login was declined', 400, `the login was declined (${error.slice(0, 100)})`);
  const code = query.get('code');
  return code ? { kind: 'code', code } : answered(400, 'Missing authorization code');
};

/** The base against which paths are read; browsers may request paths that are invalid alone, such as `//`. */
const BASE = 'http://localhost';

const CANCELLED = 'the login was cancelled, for example because another login was started';

const answered = (status: number, text: string): CallbackOutcome => ({ kind: 'answered', response: { status, text } });

const failed = (text: string, status: number, message: string): CallbackOutcome => ({
  kind: 'failed',
  message,
  response: { status, text },
});

/** Any other host is a name that a foreign DNS resolves to this machine. */
const isOwnHost = ({ headers }: CallbackRequest, port: number): boolean =>
  headers.host === `localhost:${port}` || headers.host === `127.0.0.1:${port}`;

/** Browsers send the origin of a request; another login program does not. */
const isPage = ({ headers }: CallbackRequest): boolean =>
  headers.origin !== undefined || headers['sec-fetch-site'] !== undefined;
