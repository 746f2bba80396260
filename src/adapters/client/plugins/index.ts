/** Everything that agents load into their own process, in one file: `dist/plugins.mjs` of the installed copy. */
export { cline } from './cline.ts'
export { openclaw } from './openclaw.ts'
export { opencode } from './opencode.ts'
export { pi } from './pi.ts'
