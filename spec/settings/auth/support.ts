/** Doubles around logins: files in memory, a server of tokens that is marbles, tokens that say what a spec needs. */
import { defer, type Observable, of, throwError } from 'rxjs';
import type { PrivateFiles } from '../../../src/io/files/privateFiles';
import type { HttpPost, HttpResponse } from '../../../src/io/http/httpRequest';

export const PATH = '/home/auth.json';
export const LOCK = '/home/codex-rx/locks/auth.lock';

/** A token with these claims; `auth` are those of OpenAI. */
export const jwt = ({ auth = {}, ...claims }: Record<string, unknown> & { auth?: object } = {}): string => {
  const payload = { ...claims, 'https://api.openai.com/auth': auth };
  return `e30.${Buffer.from(JSON.stringify(payload)).toString('base64url')}.sig`;
};

export const ID = jwt({ email: 'a@b.c', auth: { chatgpt_plan_type: 'plus', chatgpt_account_id: 'acc1' } });

/** auth.json of a ChatGPT login. */
export const authJson = (access = 'AT', more: object = {}): string =>
  JSON.stringify({
    OPENAI_API_KEY: null,
    tokens: { id_token: ID, access_token: access, refresh_token: 'RT', account_id: 'acc1' },
    ...more,
  });

export type MemoryFiles = Pick<PrivateFiles, 'read' | 'replace' | 'remove' | 'lock'> & {
  texts: Map<string, string>;
  locks: Set<string>;
};

/** Files in memory; the locks in `locks` are taken, by this process or by another. */
export const memoryFiles = (auth?: string): MemoryFiles => {
  const texts = new Map(auth === undefined ? [] : [[PATH, auth]]);
  const locks = new Set<string>();
  return {
    texts,
    locks,
    read: (path) => texts.get(path),
    replace: (path, text) => void texts.set(path, text),
    remove: (path) => void texts.delete(path),
    lock: (path) => {
      if (locks.has(path))
        return {
          kind: 'taken',
          holder: { pid: 8, start: 'b', host: 'here' },
          who: 'the process 8',
          state: 'lives',
          path,
        };
      locks.add(path);
      return { kind: 'locked', release: () => void locks.delete(path) };
    },
  };
};

/** An answer of the server of tokens; a body that is a text is sent as it is. */
export const tokenAnswer = (status: number, body: object | string = {}): HttpResponse => ({
  status,
  statusText: status === 200 ? 'OK' : 'Bad Request',
  headers: {},
  body$: of(typeof body === 'string' ? body : JSON.stringify(body)),
});

export const NEW = { id_token: ID, access_token: 'AT2', refresh_token: 'RT2' };

/** A server of tokens with these answers in their order, and what it was sent. */
export const tokenServer = (...answers: (Observable<HttpResponse> | HttpResponse)[]) => {
  const requests: { url: string; body: string }[] = [];
  const post: HttpPost = ({ url, body }) =>
    defer(() => {
      const answer = answers[requests.push({ url, body }) - 1];
      if (answer === undefined) return throwError(() => new Error('one request too many'));
      return 'status' in answer ? of(answer) : answer;
    });
  return { post, requests };
};

export const NOW = Date.UTC(2026, 10, 22);

/** The dependencies of a login and of a refresh. */
export const loginDeps = (files: MemoryFiles, post: HttpPost) => ({
  files,
  post,
  path: PATH,
  lockPath: LOCK,
  issuer: 'https://auth.example',
  clientId: 'app',
  now: () => NOW,
});
