/** Whether the server of the model is reached, takes the key, and has the model. No model is asked. */
import { concatMap, EMPTY, map, type Observable } from 'rxjs';
import { credentials } from '../../agent/modelHttp/credentials';
import { listModels, type ModelList } from '../../agent/modelHttp/listModels';
import { modelLogin } from '../../agent/native/modelLogin';
import { configureOf, type Wiring } from '../../agent/wiring/wiring';
import type { enginesOf } from '../../app/engines/engines';
import { httpPost } from '../../io/http/sendRequest';
import { ModelError } from '../../protocol/model/model';
import type { Provider } from '../../protocol/model/provider';
import { nearest } from '../../streams/text/nearest';
import { clip } from '../../streams/text/trim';
import type { Result } from './finding';

/**
 * Asks the server for the list of its models if the native engine is chosen. Emits nothing if no server is needed, if a key is missing (the check of the
 * engine reports that), and for a ChatGPT account, whose server has no such list. Errors if the server is not reached.
 */
export const examineModel = (
  wiring: Wiring,
  { choice$ }: Pick<ReturnType<typeof enginesOf>, 'choice$'>,
): Observable<Result> =>
  choice$.pipe(
    concatMap(({ engine }) => {
      const { model, provider } = configureOf(wiring)({});
      const credential = engine === 'native' && OVER_HTTP.includes(provider.wireApi) && credentialOf(wiring, provider);
      if (credential === false || credential?.account !== undefined) return EMPTY;
      const { backpressure, processInfo } = wiring;
      const { env } = processInfo;
      const post = httpPost({ backpressure, env });
      return listModels({ post, env, credential })(provider).pipe(map((list) => toResult(model, list)));
    }),
  );

const OVER_HTTP: readonly string[] = ['responses', 'chat'];

const credentialOf = (wiring: Wiring, provider: Provider) => {
  try {
    return credentials({ env: wiring.processInfo.env, readAuth: modelLogin(wiring).readAuth })(provider);
  } catch (error) {
    if (error instanceof ModelError) return false;
    throw error;
  }
};

/** What an answer of the server means. */
export const toResult = (model: string, list: ModelList): Result => {
  const { url, models, rejected } = list;
  if (rejected !== undefined) return { state: 'fault', text: textOf(list), remedy: rejected };
  if (models === undefined) return withoutModels(list);
  if (models.some((name) => name === model || name === `${model}${LATEST}`))
    return { text: `${model}, listed by ${url}` };
  return { state: 'warning', text: `${url} does not list the model ${model}`, remedy: toRemedy(model, models) };
};

const toRemedy = (model: string, models: readonly string[]): string => {
  if (models.length === 0) return 'load it on that server, which lists no model';
  const meant = nearest(model, models.map(withoutLatest));
  return `name one in model${meant === undefined ? '' : `; did you mean ${meant}?`} ${toShown(models)}`;
};

/** Ollama adds it to a name without a tag. */
const LATEST = ':latest';
const withoutLatest = (name: string): string => (name.endsWith(LATEST) ? name.slice(0, -LATEST.length) : name);

const textOf = ({ url, status, text }: ModelList): string => `${url} answers ${status}${text ? `: ${text}` : ''}`;

/** A turn follows no redirect either. With 5xx the server is starting, or a proxy stands before a server that does not run; a turn would fail too. */
const withoutModels = (list: ModelList): Result => {
  const { url, status, location } = list;
  if (location !== undefined)
    return {
      state: 'fault',
      text: `${url} answers ${status}: it redirects to ${location}`,
      remedy: 'set base_url to the new address, without /models: redirects are not followed',
    };
  if (/^50[234]/.test(status)) return { state: 'fault', text: textOf(list), remedy: NOT_READY };
  return { state: 'warning', text: `${url} answers ${status}, and no list of models`, remedy: NO_LIST };
};

const NOT_READY = 'is the model server running, and ready? A proxy before it may answer in its place';
const NO_LIST = 'fix base_url if it is wrong; it often ends in /v1. A server without a list may work';

const MAX_SHOWN = 8;
/** The server chooses the names, so their length is limited. */
const MAX_NAME_CHARS = 80;

const toShown = (models: readonly string[]): string => {
  const shown = models.slice(0, MAX_SHOWN).map((name) => clip(name.replace(/\s+/g, ' '), MAX_NAME_CHARS));
  const rest = models.length > MAX_SHOWN ? ` and ${models.length - MAX_SHOWN} more` : '';
  return `(it lists ${shown.join(', ')}${rest})`;
};
