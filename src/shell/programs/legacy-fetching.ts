export const RUNNERS = new Set(['deno', 'bun', 'npx', 'bunx', 'pnpx', 'go', 'tsx', 'node'])
