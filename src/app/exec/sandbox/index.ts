/** What a client asks for in a sandbox: files that a server inside works on, and patches that are undone when it was killed. */
export { filesInside } from './filesInside';
export { withSandboxPatches } from './withSandboxPatches';
