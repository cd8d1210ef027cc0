/** What specs can need of a machine: how it is found out whether it is there, and what helps if it is not. */
import type { Machine } from './machine';

/**
 * A sandbox is bubblewrap and a kernel that lets it make namespaces; root is a run as root, which can also be another user.
 */
export type Need = 'sandbox' | 'nats-server' | 'git' | 'terminal' | 'root' | 'wine';

/** A need that this machine does not meet. */
export type Missing = {
  need: Need;
  /** Why, in one sentence. */
  reason: string;
  /** The line that helps. */
  remedy: string;
  /** The Debian package that brings it; undefined if none does. */
  package?: string;
};

const INSTALL = ['apt-get', 'install', '-y', '--no-install-recommends'];

/** All that specs ask of a sandbox. */
const SANDBOX = [
  ...['bwrap', '--unshare-user', '--disable-userns', '--unshare-pid', '--unshare-net', '--ro-bind', '/', '/'],
  ...['--dev', '/dev', '--proc', '/proc', '--size', '4096', '--perms', '0700', '--tmpfs', '/tmp', 'true'],
];

const CLOSED =
  'allow user namespaces (as root: sysctl -w user.max_user_namespaces=15000 kernel.unprivileged_userns_clone=1; a container: docker run --privileged), with bubblewrap 0.8 or newer';

/** Opens a terminal, as the product does. */
const TERMINAL = `
  const load = () => { try { return require('@lydell/node-pty') } catch { return require('node-pty') } };
  try { load().spawn('/bin/sh', ['-c', ':'], {}) } catch ({ message }) { console.error(message); process.exit(1) }`;

const notInstalled = (need: Need, name: string): Missing => ({
  need,
  reason: `${name} is not installed`,
  remedy: `as root: ${[...INSTALL, name].join(' ')} (on a system without apt-get, the package ${name})`,
  package: name,
});

/** Whether a program of the same name as its package is there. */
const program =
  (name: Need) =>
  ({ run }: Machine): Missing | undefined =>
    run([name, '--version']).status === 0 ? undefined : notInstalled(name, name);

/** Undefined if this machine has it. */
const PROBES: Readonly<Record<Need, (machine: Machine) => Missing | undefined>> = {
  sandbox: ({ run }) => {
    const { status, error } = run(SANDBOX);
    if (status === undefined) return notInstalled('sandbox', 'bubblewrap');
    return status === 0 ? undefined : { need: 'sandbox', reason: `bubblewrap fails (${error})`, remedy: CLOSED };
  },
  'nats-server': program('nats-server'),
  git: program('git'),
  terminal: ({ run }) => {
    const { status, error } = run([process.execPath, '-e', TERMINAL]);
    const remedy = 'npm ci, with optional packages; in a container, mount /dev/pts';
    return status === 0 ? undefined : { need: 'terminal', reason: `no terminal can be opened (${error})`, remedy };
  },
  root: ({ isRoot }) =>
    isRoot ? undefined : { need: 'root', reason: 'this user is not root', remedy: 'run npm test as root, too' },
  wine: (machine) => (machine.hasPeers ? program('wine')(machine) : undefined),
};

/** What specs can need and this machine does not have. */
export const findMissing = (machine: Machine): Missing[] =>
  Object.values(PROBES).flatMap((probe) => probe(machine) ?? []);

/** As a line for the person. */
export const toLine = ({ need, reason, remedy }: Missing): string =>
  `Specs that need ${need} are left out: ${reason}; ${remedy}`;

/**
 * As `findMissing`, after the packages that are missing have been installed: only if `install` is true, and only by root on a Debian.
 * Nobody is asked for a password.
 */
export const prepare = (machine: Machine, install: boolean): Missing[] => {
  const missing = findMissing(machine);
  const packages = missing.flatMap((one) => one.package ?? []);
  if (!install || !machine.isRoot || !machine.isDebian || packages.length === 0) return missing;
  return installs(machine, packages) ? findMissing(machine) : missing;
};

const installs = ({ run, print }: Machine, packages: readonly string[]): boolean => {
  const steps = [
    ['apt-get', 'update'],
    [...INSTALL, ...packages],
  ];
  const lines = steps.map((argv) => argv.join(' ')).join(' && ');
  print(`Installing what the specs need: ${lines} (npm test -- --no-install leaves it out)`);
  return steps.every((argv) => {
    const { status, error } = run(argv);
    if (status !== 0) print(`${argv.join(' ')} failed: ${error}`);
    return status === 0;
  });
};
