/** Doubles around logins at MCP servers: a server whose addresses have documents, and the file of logins in memory. */
import { defer, type Observable, of, throwError } from 'rxjs';
import type { PrivateFiles } from '../../../src/io/files/privateFiles';
import type { HttpPost, HttpRequest, HttpResponse } from '../../../src/io/http/httpRequest';
import {
  type Credential,
  type CredentialFile,
  credentialFile,
  type ServerId,
} from '../../../src/settings/mcpAuth/credentialFile';

export const URL_ = 'https://x/mcp';
export const SERVER = { name: 's', url: URL_ };
export const PATH = '/home/.credentials.json';
export const ISSUER = 'https://auth';

export const METADATA = {
  issuer: ISSUER,
  authorization_endpoint: 'https://auth/authorize',
  token_endpoint: 'https://auth/token',
  registration_endpoint: 'https://auth/register',
  code_challenge_methods_supported: ['S256'],
};

/** Documents of a server that names another one to log in at. */
export const DOCUMENTS = {
  'https://x/.well-known/oauth-protected-resource/mcp': {
    resource: URL_,
    authorization_servers: [ISSUER],
    scopes_supported: ['a', 'b'],
  },
  'https://auth/.well-known/oauth-authorization-server': METADATA,
};

export const answer = (
  status: number,
  body: object | string = '',
  headers: HttpResponse['headers'] = {},
): HttpResponse => ({
  status,
  statusText: '',
  headers,
  body$: of(typeof body === 'string' ? body : JSON.stringify(body)),
});

/** Answers at the addresses that have something, else by 404; `sent` grows. A function gets the request. */
export const serverOf = (
  documents: Readonly<Record<string, object | ((request: HttpRequest) => HttpResponse | Observable<HttpResponse>)>>,
  sent: HttpRequest[] = [],
): HttpPost & { sent: HttpRequest[] } =>
  Object.assign(
    (request: HttpRequest): Observable<HttpResponse> =>
      defer(() => {
        sent.push(request);
        const found = documents[request.url];
        if (typeof found !== 'function') return of(found === undefined ? answer(404) : answer(200, found));
        const result = found(request);
        return 'status' in result ? of(result) : result;
      }),
    { sent },
  );

export const unreachable: HttpPost = () => throwError(() => new Error('connect ECONNREFUSED'));

/** Locks in memory; `taken` are those that somebody has. */
export const locksOf = () => {
  const taken = new Set<string>();
  const lock: PrivateFiles['lock'] = (path) => {
    if (taken.has(path))
      return { kind: 'taken', holder: { pid: 1, start: '', host: '' }, who: 'the process 8', state: 'lives', path };
    taken.add(path);
    return { kind: 'locked', release: () => void taken.delete(path) };
  };
  return { lock, taken };
};

/** The file in memory; `keep` and `remove` write it in the test's own name. */
export const fileOf = (text?: string) => {
  let stored = text;
  const { lock, taken } = locksOf();
  const replace = (_: string, next: string) => {
    stored = next;
  };
  const file: CredentialFile = credentialFile({
    files: { read: () => stored, replace, lock },
    path: PATH,
    lockPath: '/write.lock',
    sha256: (one) => `${one.length}`.repeat(20),
  });
  return {
    ...file,
    keep: (server: ServerId, login: Credential) => void file.change(server, () => login).subscribe(),
    remove: (server: ServerId) => void file.change(server, () => undefined).subscribe(),
    text: () => stored,
    taken,
  };
};

/** The message of the error, or the value. */
export const outcomeOf = <T>(value$: Observable<T>): T | string => {
  let outcome: T | string = 'nothing';
  value$.subscribe({
    next: (value) => {
      outcome = value;
    },
    error: ({ message }: Error) => {
      outcome = message;
    },
  });
  return outcome;
};
