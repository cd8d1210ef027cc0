/** The packages that open terminals, each loaded when the first terminal is asked for. */
import { lazy } from '../../streams/lazy/lazy';
import type { TerminalPackage } from './findTerminals';

/** The optional dependency has prebuilt binaries; node-pty is compiled where there are none, if the user installs it. */
export const TERMINAL_PACKAGES: readonly (() => TerminalPackage)[] = [
  lazy(() => require('@lydell/node-pty') as TerminalPackage),
  lazy(() => require('node-pty') as TerminalPackage),
];
