/** Logins, and the server of models that a client brings for the sessions that it opens from then on. */
import { map, mergeMap, type Observable, of, throwError } from 'rxjs';
import { AuthenticateParams, GatewayParams, ProviderIdParams, ProviderParams } from '../../protocol/acp/params';
import { checkParams } from '../../protocol/jsonrpc/checkParams';
import type { JsonObject } from '../../protocol/jsonrpc/json';
import { INVALID_PARAMS, type Request, RpcError } from '../../protocol/jsonrpc/messages';
import type { CodexHost, Gateway } from '../../protocol/methods/host';
import { clipName } from '../../protocol/rpc/failureOutcome';
import { withoutLogin } from '../../streams/text/trim';
import { CHATGPT, GATEWAY, NO_LOGIN } from './authMethods';
import { faultOfAddress } from './givenServers';
import { beginJob, type Method, respond, toStep } from './session';

/** The method that sets the server of models. */
export const SET_PROVIDER = 'providers/set';

/** The only server of models that a client may set. Source: codex-acp 2.6.0. */
const PROVIDER = { id: 'openai', apiType: 'openai' } as const;

type LoginHost = Pick<CodexHost, 'sessions' | 'account'>;

/** What a login emits: an address that the person must open, or its result. */
export type LoginEvent = { kind: 'page'; url: string } | { kind: 'result'; result: object };

const DONE: LoginEvent = { kind: 'result', result: {} };

/** Without a page, a login is needed as far as a session in the folder of this process would need one: a local model needs none. */
export const logIn = ({ account, sessions }: LoginHost, request: Request): Observable<LoginEvent> =>
  request.method !== SET_PROVIDER && checkParams(AuthenticateParams(), request.params).methodId === CHATGPT
    ? account.login$.pipe(
        map((event): LoginEvent => (event.kind === 'waiting' ? { kind: 'page', url: event.url } : DONE)),
      )
    : sessionHere(sessions, gatewayIn(request)).pipe(
        mergeMap((facts) => (facts?.needsLogin ? throwError(noLogin) : of(DONE))),
      );

const sessionHere = (sessions: CodexHost['sessions'], gateway: Gateway | undefined) =>
  sessions.find({ cwd: '.', folders: [], servers: {}, ...(gateway && { gateway }) });

const noLogin = (): RpcError => new RpcError(NO_LOGIN.code, NO_LOGIN.message);

/** The server of models that a request brings; undefined if it is another login. Throws RpcError. */
export const gatewayIn = ({ method, params }: Pick<Request, 'method' | 'params'>): Gateway | undefined => {
  if (method === SET_PROVIDER) return readProvider(params);
  if (params.methodId !== GATEWAY) return undefined;
  const { baseUrl, headers, providerName } = checkParams(GatewayParams(), params)._meta.gateway;
  return toGateway(providerName || 'Gateway of the editor', baseUrl, headers);
};

const readProvider = (params: JsonObject): Gateway => {
  const { providerId, apiType, baseUrl, headers } = checkParams(ProviderParams(), params);
  if (providerId === PROVIDER.id && apiType === PROVIDER.apiType) {
    return toGateway('Provider of the editor', baseUrl, headers);
  }
  const given = `${clipName(providerId)} with the API ${clipName(apiType)}`;
  throw new RpcError(INVALID_PARAMS, `Invalid params: there is no provider ${given}; providers/list names them`);
};

const toGateway = (name: string, url: string, headers: Gateway['headers'] | null | undefined): Gateway => {
  const pairs = Object.entries(headers ?? {}).map(([key, value]) => ({ name: key, value }));
  const fault = faultOfAddress(url, pairs);
  if (fault === undefined) return { name, url, headers: headers ?? {} };
  throw new RpcError(INVALID_PARAMS, `Invalid params: the gateway ${fault}`);
};

type Login = 'gateway' | 'chatgpt' | 'apikey' | 'missing' | 'needless';

/** How sessions would ask models, and a name for it. */
const loginOf = ({ account, sessions }: LoginHost, gateway: Gateway | undefined) =>
  sessionHere(sessions, gateway).pipe(
    map((facts): { login: Login; label: string; email: string } => {
      const { method, email = '' } = account.current();
      if (gateway !== undefined) return { login: 'gateway', label: gateway.name, email: '' };
      if (method !== undefined)
        return { login: method, label: method === 'apikey' ? 'OpenAI API key' : 'ChatGPT', email };
      return { login: facts?.needsLogin ? 'missing' : 'needless', label: 'config.toml', email };
    }),
  );

/** The result of `auth/status`. Source: schema AuthStatusResponse of the draft. */
export const authStatus = (host: LoginHost, gateway: Gateway | undefined): Observable<object> =>
  loginOf(host, gateway).pipe(
    map(({ login, label, email }) => {
      if (login === 'missing') return { state: 'unauthenticated' };
      if (login === 'needless') return { state: 'not_required' };
      return { state: 'authenticated', accounts: [{ label, ...(email !== '' && { email }) }] };
    }),
  );

/** The result of the older `authentication/status`. Source: codex-acp 2.6.0, getAuthenticationStatus. */
export const oldAuthStatus = (host: LoginHost, gateway: Gateway | undefined): Observable<object> =>
  loginOf(host, gateway).pipe(
    map(({ login, label, email }) => {
      if (login === 'missing') return { type: 'unauthenticated' };
      if (login === 'chatgpt') return { type: 'chat-gpt', email };
      return login === 'apikey' ? { type: 'api-key' } : { type: 'gateway', name: label };
    }),
  );

/** `providers/list`. What the operator configured is no provider of the client, and its address is not shown. */
export const listProviders: Method = (_, state, request) => {
  const { id: providerId, apiType } = PROVIDER;
  const current = state.gateway === undefined ? null : { apiType, baseUrl: withoutLogin(state.gateway.url) };
  return toStep(
    state,
    respond(request, { providers: [{ providerId, supported: [apiType], required: false, current }] }),
  );
};

/** `providers/set`. The operator's rules decide whether a session may ask it. */
export const setProvider: Method = (_, state, request) => {
  checkParams(ProviderParams(), request.params);
  return beginJob(state, request);
};

/** `providers/disable`. A provider that does not exist counts as disabled. */
export const disableProvider: Method = (_, state, request) => {
  const { providerId } = checkParams(ProviderIdParams(), request.params);
  return toStep(providerId === PROVIDER.id ? { ...state, gateway: undefined } : state, respond(request, {}));
};
