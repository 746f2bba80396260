import { openCodePlugin } from '../opencode-plugin.ts'
import { OPENCODE } from './dialect.ts'

/** A file of our own in the folder of the user's plugins, which needs no trust in the project. */
export const installer = openCodePlugin(OPENCODE, {
  program: 'opencode',
  oldest: '1.18.0',
})
