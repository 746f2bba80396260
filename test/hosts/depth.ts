/**
 * How deep each program is tried: `HOLDPOINT_HOSTS=copilot,grok` names those in full depth. If it is not set, all are.
 * `npm run test:hosts` sets it: scripts/test-hosts.mjs.
 */
const named = process.env.HOLDPOINT_HOSTS?.split(',')

export function isInFull(id: string): boolean {
  return named?.includes(id) ?? true
}
