/** The seams of the daemon: what its engine needs of models, of this machine, of the disk and of chance; and JSON for their values. */
import type { Observable, SchedulerLike } from 'rxjs';
import type { PatchOrder, PatchOutcome } from '../../executor/applying/transact';
import type { Backend, Executor, Executors } from '../../executor/backend';
import type { PatchFailure, Plan } from '../../executor/patch/plan';
import type { Editor } from '../../executor/patch/seen';
import type { CodexHost } from '../../protocol/methods/host';
import type { Model } from '../../protocol/model/model';
import type { ThreadStore } from '../../threads/threadStore';
import type { Chance } from '../format/seams';

/** What applies patches. */
export type Patches = {
  check: (text: string, folder: string, editor?: Editor) => Observable<Plan | PatchFailure>;
  apply: (order: PatchOrder) => Observable<PatchOutcome>;
};

/** Begins a turn when its time has come. Emits its events. */
export type StartTurn = <T>(turn$: Observable<T>) => Observable<T>;

/** Functions that turn a port into the port that the engine uses: recorded, or played from a tape. */
export type SeamPorts = {
  model: (plain: Model) => Model;
  backend: (plain: Backend) => Backend;
  requests: (plain: Executor['request']) => Executor['request'];
  reach: (plain: Executors['reach']) => Executors['reach'];
  patches: (plain: Patches) => Patches;
  threads: (open: () => ThreadStore) => () => ThreadStore;
  host: (plain: CodexHost) => CodexHost;
  choice: (plain: Observable<Choice>) => Observable<Choice>;
  /** What clients of other processes send about the tasks of this one. */
  messages: <T>(plain: Observable<T>) => Observable<T>;
  /** Notes that something has happened which later inputs may depend on, and which shows in no line. */
  mark: (what: readonly string[]) => void;
  chance: Chance;
  /** Emits when something was unused for that many ms. */
  afterIdle: (ms: number) => Observable<unknown>;
  /**
   * When turns begin, many of which may come at once: a turn as it begins when a scheduler lets it. What others have done by then decides which ids it gets,
   * so its beginning is an input.
   */
  starts: (plain: SchedulerLike) => StartTurn;
  /** `none`: nothing else is written, started or reached either. */
  effects: 'live' | 'none';
};

/** The seams of a rerun. */
export type PlayedSeams = SeamPorts & {
  /** Emits when a timer was due. */
  after: (ms: number) => Observable<unknown>;
};

/** Which engine runs the conversations; `auto` chooses by what is installed. */
export const ENGINES = ['auto', 'native', 'app-server', 'tape'] as const;

/** The name of an engine. */
export type EngineName = (typeof ENGINES)[number];

/** The engine that is chosen. */
export type Choice = {
  engine: Exclude<EngineName, 'auto'>;
  /** For a log or a person. */
  reason: string;
  /** What to do so that the installed Codex is used, if it was not chosen. */
  remedy?: string;
};

/** JSON of values that hold bytes, for the tape. Own code: bytes are all that JSON lacks here, and its own two hooks write them. */
const BYTES = 'bytesBase64';

/** JSON in which bytes are objects with one member. */
export const toSeamJson = (value: unknown): string =>
  JSON.stringify(value, function (this: Record<string, unknown>, name: string, one: unknown) {
    const plain = this[name]; // `one` is already what Buffer.toJSON returned
    return plain instanceof Uint8Array ? { [BYTES]: Buffer.from(plain).toString('base64') } : one;
  });

/** The value of such JSON. */
export const fromSeamJson = (text: string): unknown =>
  JSON.parse(text, (_, one: unknown) => {
    if (typeof one !== 'object' || one === null || !(BYTES in one) || Object.keys(one).length !== 1) return one;
    return new Uint8Array(Buffer.from(String(one[BYTES]), 'base64'));
  });
