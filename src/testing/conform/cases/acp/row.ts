/** The shape of most cases of sessions: a request in a session, its answer, and the probe behind it. */
import { request } from '../../../messages';
import { ACP_1, type ConformCase, type Given } from '../../conformCase';
import type { result } from '../../expecting';
import type { Need } from '../../needs';
import { SESSION } from '../../speaking';

/** What all cases of agents have. */
export const AGENT = { revisions: [ACP_1] } as const;
/** The id of no session. */
export const NO_SUCH = 'no-such-session-4711';

/** A case as a row. */
export type Row = {
  /** Without `acp-`. */
  id: string;
  /** Default: MUST. */
  level?: ConformCase['level'];
  /** As of the case. */
  section: string;
  /** As of the case. */
  sentence: string;
  /** As of the case. */
  needs?: readonly Need[];
  /** Of the request. */
  method: string;
  /** Default: those of the session. */
  params?: (given: Given) => object;
  /** The answer to `a`. */
  due: ReturnType<typeof result>;
};

/** The case of a row. */
export const toCase = ({
  id,
  level = 'MUST',
  section,
  sentence,
  needs = [],
  method,
  params,
  due,
}: Row): ConformCase => ({
  id: `acp-${id}`,
  level,
  ...AGENT,
  section,
  sentence,
  needs,
  client: 'ap-',
  server: '--(AP)',
  values: (given) => ({ a: request(method, params?.(given) ?? { sessionId: SESSION }), A: due }),
});

/** Params for a session of an earlier process, which is not there. */
export const stored = ({ folder }: Given) => ({ sessionId: NO_SUCH, cwd: folder, mcpServers: [] });
