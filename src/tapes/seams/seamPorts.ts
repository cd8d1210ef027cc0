/** The seams of the daemon: what its engine needs of models, of this machine, of the disk and of chance. */
import type { Observable } from 'rxjs';
import type { PatchOrder, PatchOutcome } from '../../executor/applying/transact';
import type { Backend, Executor } from '../../executor/backend';
import type { Executors } from '../../executor/executorsPort';
import type { PatchFailure, Plan } from '../../executor/patch/plan';
import type { CodexHost } from '../../protocol/methods/host';
import type { Model } from '../../protocol/model/model';
import type { ThreadStore } from '../../threads/threadStore';
import type { Chance } from '../format/chance';
import type { Choice } from './engineChoice';

/** What applies patches. */
export type Patches = {
  check: (text: string, folder: string) => Observable<Plan | PatchFailure>;
  apply: (order: PatchOrder) => Observable<PatchOutcome>;
};

/**
 * Each turns a port into the one that the engine uses: recorded, or from a tape. `afterIdle` emits when something was unused for that many ms.
 * `effects: 'none'`: nothing else is written, started or reached either.
 */
export type SeamPorts = {
  model: (plain: Model) => Model;
  backend: (plain: Backend) => Backend;
  requests: (plain: Executor['request']) => Executor['request'];
  reach: (plain: Executors['reach']) => Executors['reach'];
  patches: (plain: Patches) => Patches;
  threads: (open: () => ThreadStore) => () => ThreadStore;
  host: (plain: CodexHost) => CodexHost;
  choice: (plain: Observable<Choice>) => Observable<Choice>;
  chance: Chance;
  afterIdle: (ms: number) => Observable<unknown>;
  effects: 'live' | 'none';
};

/** The seams of a rerun; `after` emits when a timer was due. */
export type PlayedSeams = SeamPorts & { after: (ms: number) => Observable<unknown> };
